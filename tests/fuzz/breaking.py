"""Ways to break a file, each by its name: from bytes to bytes, drawn with a generator of random numbers."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

ODD_VALUES = (
    None, True, -1, 0, 1e308, -1e308, 10**400, 2**63, "", "nan", "-", "0.5", [], {}, [[]], ["x", 3], {"a": {}},
    "\x1b[31mred\x1b[0m", "\u202etxt", "=1+1", "a\x00b", "\ud83d\ude00" * 20, "<script>alert(1)</script>",
    "../../etc/passwd",
)  # fmt: skip


ODD_NAMES = (
    "\x1b[31m", "\u202e", "\x00", "\x9b2J", "\ufffe", "\n", "=1+1", " <b>&amp;", "%0A::error::", "|", "$_{\\", "'",
    "x" * 3000, ".", "(a=b)", "\U0001f600", "\r",
)  # fmt: skip
"""What names end with that some output might take for something else."""


def empty(data: bytes, rng: random.Random) -> bytes:
    """Nothing."""
    return b""


def blank(data: bytes, rng: random.Random) -> bytes:
    """Only line ends."""
    return b"\n\n\n"


def cut_short(data: bytes, rng: random.Random) -> bytes:
    """The first part of the file."""
    return data[: rng.randrange(1, max(2, len(data)))]


def flip_bytes(data: bytes, rng: random.Random) -> bytes:
    """A few bytes changed."""
    changed = bytearray(data)
    for _ in range(rng.randrange(1, 8)):
        if changed:
            changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def invalid_text(data: bytes, rng: random.Random) -> bytes:
    """Bytes that are no UTF-8 in the middle."""
    middle = len(data) // 2
    return data[:middle] + b"\xff\xfe\xc3" + data[middle:]


def sixteen_bits(data: bytes, rng: random.Random) -> bytes:
    """UTF-16 with its mark."""
    return data.decode("utf-8", "replace").encode("utf-16")


def byte_order_mark(data: bytes, rng: random.Random) -> bytes:
    """UTF-8 with a byte order mark."""
    return b"\xef\xbb\xbf" + data


def twice(data: bytes, rng: random.Random) -> bytes:
    """The whole file again."""
    return data + data


def line_twice(data: bytes, rng: random.Random) -> bytes:
    """One line again."""
    lines = data.splitlines(keepends=True)
    return data + rng.choice(lines) if lines else data


def line_gone(data: bytes, rng: random.Random) -> bytes:
    """One line left out."""
    lines = data.splitlines(keepends=True)
    if lines:
        del lines[rng.randrange(len(lines))]
    return b"".join(lines)


def first_line_only(data: bytes, rng: random.Random) -> bytes:
    """Only the first line."""
    return b"".join(data.splitlines(keepends=True)[:1])


def deep(data: bytes, rng: random.Random) -> bytes:
    """JSON lists in lists in lists."""
    return b"[" * 100_000 + b"]" * 100_000


def deep_field(data: bytes, rng: random.Random) -> bytes:
    """A record with a field nested deeply."""
    return b'{"doc_id": "1", "system": "a", "summary": ' + b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"}\n"


def not_json(data: bytes, rng: random.Random) -> bytes:
    """Text that is nothing in particular."""
    return b"this is, not; what\tyou think\n" * 3


def gzipped(data: bytes, rng: random.Random) -> bytes:
    """Compressed, though the name does not say so."""
    return gzip.compress(data)


def gzip_cut(data: bytes, rng: random.Random) -> bytes:
    """Compressed, and cut short."""
    packed = gzip.compress(data)
    return packed[: len(packed) // 2]


def odd_value(data: bytes, rng: random.Random) -> bytes:
    """One value of one JSON record replaced by an odd one; in a table one cell."""
    return _change_json(data, rng, lambda holder, key: holder.__setitem__(key, rng.choice(ODD_VALUES)))


def value_gone(data: bytes, rng: random.Random) -> bytes:
    """One field or item of one JSON record left out."""
    return _change_json(data, rng, lambda holder, key: holder.__delitem__(key))


def odd_number(data: bytes, rng: random.Random) -> bytes:
    """One number in the text replaced by another."""
    numbers = list(re.finditer(rb"\d+(\.\d+)?", data))
    if not numbers:
        return data
    match = rng.choice(numbers)
    odd = rng.choice(
        [b"1e308", b"-1e308", b"NaN", b"Infinity", b"9" * 5000, b"0x10", b"-0", b"true", b'"1"', b"1e-320"]
    )
    return data[: match.start()] + odd + data[match.end() :]


def odd_cell(data: bytes, rng: random.Random) -> bytes:
    """One cell of a table replaced; more or fewer cells in its line."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    cells = lines[at].split(b",")
    odd = [b"", b"=cmd()", b"1e308", b"nan", b'"', b"\x1b[2J", b"[[[[{", b"x,y,z", b"\x00", b"9" * 400]
    cells[rng.randrange(len(cells))] = rng.choice(odd)
    lines[at] = b",".join(cells)
    return b"\n".join(lines)


def renamed(data: bytes, rng: random.Random) -> bytes:
    """A text that stands several times, such as a name, called otherwise everywhere: the file stays whole."""
    for pattern in (rb'"[\w -]{2,40}"(?!\s*:)', rb"(?<=[\n,])[\w-]{2,40}(?=,)"):  # texts of JSON, cells of a table
        names = sorted(name for name, times in Counter(re.findall(pattern, data)).items() if times > 1)
        if names:
            old, ending = rng.choice(names), rng.choice(ODD_NAMES)
            is_json = old.startswith(b'"')
            new = old[:-1] + json.dumps(ending)[1:].encode() if is_json else old + ending.encode()
            return data.replace(old, new)
    return data


def _change_json(data: bytes, rng: random.Random, change: Callable[[object, object], object]) -> bytes:
    try:
        lines = [json.loads(data)]
        whole = True
    except ValueError:
        try:
            lines = [json.loads(line) for line in data.splitlines() if line.strip()]
        except ValueError:
            return odd_cell(data, rng)
        whole = False
    slots = [(lines, number) for number in range(len(lines))]
    holder, key = rng.choice(slots) if slots else (lines, None)
    for _ in range(rng.randrange(0, 5)):
        inner = holder[key] if slots else None
        if isinstance(inner, dict) and inner:
            holder, key = inner, rng.choice(sorted(inner))
        elif isinstance(inner, list) and inner:
            holder, key = inner, rng.randrange(len(inner))
        else:
            break
    if slots:
        change(holder, key)
    if whole:
        return json.dumps(lines[0] if lines else None).encode("utf-8", "surrogatepass")
    return b"".join(json.dumps(line).encode("utf-8", "surrogatepass") + b"\n" for line in lines)


BREAKERS: dict[str, Callable[[bytes, random.Random], bytes]] = {
    breaker.__name__: breaker
    for breaker in (
        empty, blank, cut_short, flip_bytes, invalid_text, sixteen_bits, byte_order_mark, twice, line_twice, line_gone,
        first_line_only, deep, deep_field, not_json, gzipped, gzip_cut, odd_value, value_gone, odd_number, odd_cell,
        renamed,
    )
}  # fmt: skip
# Records are where most readers look: their values are drawn more often than the rest.
OFTEN = (*["odd_value"] * 4, *["value_gone", "odd_number", "renamed"] * 2)
