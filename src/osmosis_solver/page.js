// Draws the positions of an answer, plays its line, and shows what blocks a lost deal. Stands in
// one script with page_game.js, behind it.

// ---- building --------------------------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";

function el(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function drawn(symbol, box, className) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${symbol}`);
  svg.setAttribute("viewBox", box);
  svg.setAttribute("class", className);
  svg.append(use);
  return svg;
}

function chip(card) {
  const rank = card[0] === "T" ? "10" : card[0];
  return el(
    "span",
    { className: `chip ${card[1]}` },
    rank,
    drawn(`suit-${card[1]}`, "0 0 24 24", ""),
  );
}

// ---- the board -------------------------------------------------------------------------------

// `marks` maps a card to class names: moved, unlocked, dim, ring.
function drawBoard(root, position, marks) {
  const open = new Set(openCards(position));
  const card = (name) => {
    const svg = drawn(
      `card-${name}`,
      "0 0 40 54",
      `card ${open.has(name) ? "open" : ""} ${marks[name] || ""}`,
    );
    svg.dataset.card = name;
    return svg;
  };
  const parts = [drawRows(position, card), drawWaste(position, card), drawStock(position, card)];
  if (position.reserve.length) parts.unshift(drawReserve(position, card));
  root.replaceChildren(...parts);
}

function picture(className, label, cards) {
  const made = el("div", { className }, ...cards);
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", label);
  return made;
}

function area(className, name, ...parts) {
  return el("div", { className }, el("div", { className: "name" }, name), ...parts);
}

function drawReserve({ reserve }, card) {
  const piles = reserve.map((pile, i) => {
    const label = pile.length ? listed(pile.map(cardWords)) : "empty";
    return picture("pile", `Reserve pile ${i + 1}, the top last: ${label}`, pile.map(card));
  });
  return area("reserve", "Reserve", el("div", { className: "piles" }, ...piles));
}

function drawRows(position, card) {
  const rows = suits.map((_, i) => {
    const row = position.rows[i] || [];
    const cells = ranks.map((rank) => drawCell(position, i, rank, card));
    const label = row.length
      ? `${SUIT_WORDS[row[0][1]]}: ${listed(inOrder(row).map(rankWord))}`
      : "not opened";
    const made = picture("row", `Row ${i + 1}, ${label}`, cells);
    made.style.gridTemplateColumns = `repeat(${ranks.length}, minmax(0, 1fr))`;
    return made;
  });
  return area("rows", "Rows", ...rows);
}

function inOrder(row) {
  return [...row].sort((one, other) => RANKS.indexOf(one[0]) - RANKS.indexOf(other[0]));
}

function drawCell(position, number, rank, card) {
  const row = position.rows[number];
  const there = row && row.find((other) => other[0] === rank);
  if (there) return el("div", { className: "cell" }, card(there));
  // For a row to come, any suit without a row stands for all.
  const suit = row
    ? row[0][1]
    : suits.find((other) => !position.rows.some((r) => r[0][1] === other));
  return el("div", { className: rowFor(position, rank + suit) === number ? "cell takes" : "cell" });
}

function drawWaste({ waste, packet }, card) {
  const playable = rules.waste === "packet" && waste.length ? `, the last ${packet} playable` : "";
  const label = waste.length ? listed(waste.map(cardWords)) : "empty";
  return area(
    "sequence",
    `Waste: ${waste.length || "empty"}${playable}`,
    picture("cards waste", `Waste${playable}, the top last: ${label}`, waste.map(card)),
  );
}

function drawStock({ stock }, card) {
  const turns = [];
  for (let i = 0; i < stock.length; i += rules.draw) turns.push(stock.slice(i, i + rules.draw));
  const groups = turns.map((turn) => el("div", { className: "turn" }, ...turn.map(card)));
  const shown = rules.draw > 12 ? stock.map(card) : groups;
  const label = stock.length ? listed(stock.map(cardWords)) : "empty";
  const left = stock.length ? `${stock.length}, ${many(turns.length, "turn")} to go` : "empty";
  return area(
    "sequence",
    `Stock: ${left}`,
    picture("cards stock", `Stock, the next card first: ${label}`, shown),
  );
}

// ---- the line of play ------------------------------------------------------------------------

const moves = movesOf(answer.line);
const start = movesOf(answer.after).reduce(after, dealt());
const positions = [start];
const passes = [1]; // the pass of each position, counted from where the line begins
for (const move of moves) {
  positions.push(after(positions[positions.length - 1], move));
  passes.push(passes[passes.length - 1] + (move === "|" ? 1 : 0));
}

// What was done by move i (from 1): words for the live region, nodes for the eye, marks.
function stepTold(i) {
  const before = positions[i - 1];
  const position = positions[i];
  const move = moves[i - 1];
  if (move === "|")
    return { words: "Redeal: the waste becomes the stock again.", nodes: null, marks: {} };
  if (move === ".") {
    const cards = position.waste.slice(before.waste.length);
    const marks = Object.fromEntries(cards.map((card) => [card, "moved"]));
    return {
      words: `Turn: ${listed(cards.map(cardWords))}.`,
      nodes: ["Turn: ", ...spaced(cards)],
      marks,
    };
  }
  return playTold(before, position, move);
}

function playTold(before, position, card) {
  const number = rowFor(before, card);
  const opens = number === before.rows.length;
  const { bared, taken } = unlockedBy(before, position);
  const where = opens ? `opens row ${number + 1}` : `goes to row ${number + 1}`;
  const marks = Object.fromEntries([...bared, ...taken].map((other) => [other, "unlocked"]));
  marks[card] = "moved";
  const frees = [
    ...(bared.length ? ["Bares ", ...spaced(bared), ". "] : []),
    ...(taken.length ? ["Rows now take ", ...spaced(taken), ". "] : []),
  ];
  const words = [`The ${cardWords(card)} ${where}.`];
  if (bared.length) words.push(`It bares the ${listed(bared.map(cardWords))}.`);
  if (taken.length) words.push(`Rows now take the ${listed(taken.map(cardWords))}.`);
  return {
    words: words.join(" "),
    nodes: [chip(card), ` ${where}. `, ...frees],
    marks,
    where,
    frees,
  };
}

function spaced(cards) {
  return cards.flatMap((card, i) => (i ? [" ", chip(card)] : [chip(card)]));
}

function startPlayer() {
  const get = (id) => document.getElementById(id);
  const slider = get("slider");
  let at = 0;
  let timer = 0;

  function show(i) {
    at = Math.min(Math.max(i, 0), moves.length);
    const told = at ? stepTold(at) : { words: "The start.", nodes: null, marks: {} };
    const place = `Move ${at} of ${moves.length}, pass ${passes[at]}. `;
    const score = ` ${positions[at].rows.flat().length} of ${deck.length} cards home.`;
    drawBoard(get("board"), positions[at], told.marks);
    get("now").replaceChildren(el("strong", {}, place), ...(told.nodes || [told.words]), score);
    get("live").textContent = place + told.words + score;
    slider.value = at;
    slider.setAttribute("aria-valuetext", place + told.words);
    for (const id of ["first", "back"]) get(id).disabled = at === 0;
    for (const id of ["next", "last"]) get(id).disabled = at === moves.length;
    markMove();
    markPass();
  }

  function markMove() {
    for (const button of get("moves").querySelectorAll("button")) {
      const current = Number(button.dataset.move) === at;
      button.tabIndex = current ? 0 : -1;
      if (!current) button.removeAttribute("aria-current");
      else button.setAttribute("aria-current", "step");
      if (current) keepInSight(button);
    }
  }

  // Scrolls the list alone: the page itself must not jump.
  function keepInSight(button) {
    const list = get("moves");
    const line = button.closest("li") || button;
    if (
      line.offsetTop < list.scrollTop ||
      line.offsetTop + line.offsetHeight > list.scrollTop + list.clientHeight
    ) {
      list.scrollTop = line.offsetTop - list.clientHeight / 2;
    }
  }

  function markPass() {
    for (const span of get("passes").children) {
      span.classList.toggle("here", Number(span.dataset.pass) === passes[at]);
    }
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    get("auto").textContent = "Play";
  }

  function tick() {
    show(at + 1);
    if (at === moves.length) stop();
    else timer = setTimeout(tick, Number(get("speed").value));
  }

  function playOrPause() {
    if (timer) return stop();
    get("auto").textContent = "Pause";
    if (at === moves.length) show(0);
    timer = setTimeout(tick, Number(get("speed").value));
  }

  function go(i) {
    stop();
    show(i);
  }

  const keys = {
    ArrowRight: () => go(at + 1),
    ArrowLeft: () => go(at - 1),
    Home: () => go(0),
    End: () => go(moves.length),
    " ": playOrPause,
  };

  function onKey(event) {
    const { key, target } = event;
    if (!keys[key] || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (target.matches("select")) return; // it has these keys for itself
    if (key === " " && target.matches("button, summary")) return;
    event.preventDefault();
    keys[key]();
  }

  function onSwipe(board) {
    let from = null;
    board.addEventListener("pointerdown", (event) => {
      from = event.pointerType === "mouse" ? null : event;
    });
    board.addEventListener("pointerup", (event) => {
      const far = from ? event.clientX - from.clientX : 0;
      from = null;
      if (Math.abs(far) > 40) go(at + (far < 0 ? 1 : -1));
    });
  }

  get("first").onclick = keys.Home;
  get("back").onclick = keys.ArrowLeft;
  get("next").onclick = keys.ArrowRight;
  get("last").onclick = keys.End;
  get("auto").onclick = playOrPause;
  slider.max = moves.length;
  slider.oninput = () => go(Number(slider.value));
  get("moves").onclick = (event) => {
    const button = event.target.closest("button");
    if (button) go(Number(button.dataset.move));
  };
  document.addEventListener("keydown", onKey);
  onSwipe(get("board"));
  listMoves(get("moves"));
  markPasses(get("passes"));
  show(0);
}

// A heading for each pass and under it a line for each play, the turns before it in front.
function listMoves(root) {
  let line = null;
  let list = null;
  const newLine = () => list.append((line = el("li", {})));
  const newPass = (number) => {
    list = el("ol", {});
    root.append(el("h3", {}, `Pass ${number}`), list);
    newLine();
  };
  newPass(1);
  line.append(moveButton(0, "Start", "start"));
  newLine();
  moves.forEach((move, i) => {
    if (move === "|") newPass(passes[i + 1]);
    if (move === "|" || move === ".") {
      line.append(
        moveButton(i + 1, move === "|" ? "redeal" : "turn", move === "|" ? "redeal" : "turn"),
      );
      return;
    }
    const { where, frees } = stepTold(i + 1);
    line.append(moveButton(i + 1, chip(move), `${cardWords(move)} ${where}`));
    if (frees.length) line.append(el("span", { className: "frees" }, ...frees));
    newLine();
  });
  for (const empty of root.querySelectorAll("li:empty")) empty.remove();
}

function moveButton(number, content, words) {
  const button = el("button", { type: "button" }, content);
  button.dataset.move = number;
  button.setAttribute("aria-label", number ? `Move ${number}: ${words}` : "Start");
  return button;
}

function markPasses(root) {
  const lengths = [];
  passes.forEach((pass) => (lengths[pass] = (lengths[pass] || 0) + 1));
  lengths.forEach((length, pass) => {
    const span = el("span", {}, String(pass));
    span.style.flex = `${length} 1 0`;
    span.dataset.pass = pass;
    root.append(span);
  });
}

// ---- a lost deal -----------------------------------------------------------------------------

function startWhy(choice) {
  function show() {
    const { never, waits, kind } = blocked[Number(choice.value)];
    const marks = Object.fromEntries(never.map((card) => [card, "dim"]));
    for (const card of waits) marks[card] = "ring";
    drawBoard(document.getElementById("lost-board"), start, marks);
    document.getElementById("never").textContent =
      `${many(never.length, "card")} of ${deck.length} never come home.`;
    for (const shown of document.querySelectorAll(".case"))
      shown.hidden = shown.id !== `case-${kind}`;
  }
  choice.onchange = show;
  show();
}

document.documentElement.classList.add("scripted");
if (document.getElementById("board")) startPlayer();
if (document.getElementById("order")) startWhy(document.getElementById("order"));
