"use strict";

// The page's data, the game, and words for both.
//
// The answer is the object that `osmosis solve --json` prints; `blocked` says for each row order of
// a lost deal which cards never move there, which wait for one another, and which case it is.
const answer = JSON.parse(document.getElementById("answer").textContent);
const blocked = JSON.parse(document.getElementById("blocked").textContent);

// ---- the game --------------------------------------------------------------------------------

const RANKS = "A23456789TJQK";
const rules = answer.rules;
const deck = cardsOf(answer.deal.replace(/[/:]/g, ""));
const ranks = [...RANKS].filter((rank) => deck.some((card) => card[0] === rank));
const suits = [..."CDHS"].filter((suit) => deck.some((card) => card[1] === suit));
const baseRank = answer.deal.split(":")[1][0];

function cardsOf(text) {
  return text.match(/../g) || [];
}

function movesOf(line) {
  return line ? line.split(" ") : [];
}

function dealt() {
  const [piles, base, stock] = answer.deal.split(":");
  const reserve = piles ? piles.split("/").map(cardsOf) : [];
  return { reserve, waste: [], stock: cardsOf(stock), rows: [[base]], packet: 0 };
}

function has(row, rank) {
  return row.some((card) => card[0] === rank);
}

// The row (0 is row 1) that would take the card now, wherever it lies, or -1.
function rowFor({ rows }, card) {
  const own = rows.findIndex((row) => row[0][1] === card[1]);
  if (own >= 0) return own === 0 || has(rows[own - 1], card[0]) ? own : -1;
  const opens =
    rules.row_start === "any" ? has(rows[rows.length - 1], card[0]) : card[0] === baseRank;
  return opens ? rows.length : -1;
}

function openCards({ reserve, waste, packet }) {
  const open = reserve.filter((pile) => pile.length).map((pile) => pile[pile.length - 1]);
  if (waste.length && (packet || rules.waste === "top")) open.push(waste[waste.length - 1]);
  return open;
}

function isHome({ rows }, card) {
  return rows.some((row) => row.includes(card));
}

function after(position, move) {
  if (move === ".") return turned(position);
  if (move === "|") return { ...position, stock: position.waste, waste: [], packet: 0 };
  return played(position, move);
}

function turned(position) {
  const size = Math.min(rules.draw, position.stock.length);
  return {
    ...position,
    waste: [...position.waste, ...position.stock.slice(0, size)],
    stock: position.stock.slice(size),
    packet: rules.waste === "packet" ? size : 0,
  };
}

function played(position, card) {
  const number = rowFor(position, card);
  const without = (cards) => cards.filter((other) => other !== card);
  const rows = [...position.rows];
  rows[number] = [...(rows[number] || []), card];
  const fromWaste = position.waste.includes(card);
  return {
    reserve: position.reserve.map(without),
    waste: without(position.waste),
    stock: position.stock,
    rows,
    packet: fromWaste ? Math.max(position.packet - 1, 0) : position.packet,
  };
}

// What a play makes possible: the card that lay under it, and each card not yet home whose row
// takes it from now on.
function unlockedBy(before, position) {
  const open = openCards(before);
  const bared = openCards(position).filter((card) => !open.includes(card));
  const taken = deck.filter(
    (card) => !isHome(position, card) && rowFor(before, card) < 0 && rowFor(position, card) >= 0,
  );
  return { bared, taken };
}

// ---- words -----------------------------------------------------------------------------------

const SUIT_WORDS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const RANK_WORDS = { A: "ace", T: "10", J: "jack", Q: "queen", K: "king" };

function rankWord(card) {
  return RANK_WORDS[card[0]] || card[0];
}

function cardWords(card) {
  return `${rankWord(card)} of ${SUIT_WORDS[card[1]]}`;
}

function listed(words) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

function many(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
