"""What a person asks about: deals by code, from a file or by number, and where one is bad."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import IO, Final, NamedTuple

import click
from attrs import frozen

from osmosis_solver.deal import Deal
from osmosis_solver.errors import NotationError, OsmosisError, clip

LARGEST_FILE: Final = 2**28
"""Bytes of the largest file of deals that is read."""

_FOLLOWS_BASE: Final = re.compile(r"(reserve|stock)\s*:", re.IGNORECASE | re.ASCII)


class File(NamedTuple):
    """A file that was read: what to call it, and its text."""

    name: str
    text: str


class AskedDeal(NamedTuple):
    """One deal, and what to call it."""

    name: str
    deal: Deal


@frozen
class Asked:
    """The deals that were asked for: codes, files, PySolFC numbers, native numbers.

    Iterating reads them one by one in that order and raises ``OsmosisError`` at a bad one.
    ``layout`` is what numbered deals are dealt with.
    """

    codes: tuple[str, ...]
    files: tuple[File, ...]
    pysol: tuple[str, ...]
    number: tuple[int, ...]
    layout: tuple[int, ...]

    @property
    def nothing(self) -> bool:
        """Not one deal was asked for."""
        return not (self.codes or self.files or self.pysol or self.number)

    def __len__(self) -> int:
        """How many deals there are, counted without reading them."""
        in_files = sum(count_deals(file.text) for file in self.files)
        return in_files + len(self.codes) + len(self.pysol) + len(self.number)

    def __iter__(self) -> Iterator[AskedDeal]:
        for place, code in enumerate(self.codes, 1):
            yield AskedDeal(f"Deal {place}", self._of_code(place, code))
        for file in self.files:
            yield from _of_file(file)
        for text in self.pysol:
            yield AskedDeal(f"PySolFC deal {text}", Deal.from_pysol(text, self.layout))
        for number in self.number:
            yield AskedDeal(f"Native deal {number}", Deal.from_number(number, self.layout))

    def _of_code(self, place: int, code: str) -> Deal:
        try:
            return Deal.from_code(code)
        except OsmosisError as error:
            raise error if len(self.codes) == 1 else at(f"deal {place}", error) from None


def _of_file(file: File) -> Iterator[AskedDeal]:
    place = 0
    try:
        for place, deal in enumerate(Deal.read_many(file.text), 1):
            yield AskedDeal(f"Deal {place} of {file.name}", deal)
    except OsmosisError as error:
        raise at(f"{file.name}, deal {place + 1}", error) from None
    if not place:
        raise NotationError("no deal", file.name, "deal codes or deal texts")


def count_deals(text: str) -> int:
    """How many deals a file's text holds if it holds no mistake: a code or ``Base:`` each."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return sum(1 for line in lines if line and not _FOLLOWS_BASE.match(line))


def at(place: str, error: OsmosisError) -> NotationError:
    """The same error, with the place in a file before the place in the text."""
    return NotationError(error.got, f"{place}: {error.where}", error.wanted)


def called(path: str) -> str:
    """What to call the file of that path."""
    # A name may hold bytes that are no text, which the terminal might not take.
    return "standard input" if path == "-" else path.encode(errors="replace").decode()


def read_file(path: str) -> File:
    """Read a file of deals; ``-`` is standard input. Raises ``NotationError``."""
    try:
        with _open(path) as stream:
            data = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise _unreadable(path, error) from None
    if len(data) > LARGEST_FILE:
        raise NotationError("a longer file", called(path), f"at most {LARGEST_FILE} bytes")
    return File(called(path), _decode(data, called(path)))


def read_lines(path: str, longest: int) -> Iterator[tuple[str, str]]:
    """The lines of a file that are not blank, as they come, each with its place.

    A line longer than ``longest`` bytes comes in pieces. Raises ``NotationError``.
    """
    try:
        with _open(path) as stream:
            for number, data in enumerate(iter(lambda: stream.readline(longest + 1), b""), 1):
                place = f"{called(path)}, line {number}"
                text = _decode(data, place).rstrip("\r\n")
                if text.strip():
                    yield place, text
    except OSError as error:
        raise _unreadable(path, error) from None


def _open(path: str) -> IO[bytes]:
    if path == "-" and sys.stdin is None:
        raise NotationError("a closed stream", called(path), "one that can be read")
    try:
        return click.open_file(path, "rb")
    except ValueError:  # a NUL in it, say
        raise NotationError(clip(path), "file name", "a name that a file can have") from None


def _unreadable(path: str, error: OSError) -> NotationError:
    return NotationError(error.strerror or str(error), called(path), "a file that can be read")


def _decode(data: bytes, place: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        got = f"byte 0x{data[error.start]:02x} at place {error.start + 1}"
        raise NotationError(got, place, "a text in UTF-8") from None
