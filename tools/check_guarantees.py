#!/usr/bin/env python3
"""Holds docs/guarantees.md to the tests of tests/escape: each guarantee is tried, and each test tries a known one.

    check_guarantees.py [ROOT]      prints one line for each break of a rule, and fails if there was any

A guarantee is a row `| FS-1 | ... |` of a table in the document. A comment `// Guarantees: FS-1, NET-1` in a test
stands directly before what tries it: a TEST, or a row of the table that a TEST_P reads, and then holds for the rows
that follow.
"""

import re
import sys
from pathlib import Path
from typing import Iterator

DOCUMENT = "docs/guarantees.md"
TESTS = "tests/escape"

ROW = re.compile(r"\| *([A-Z]+-\d+) *\|")
CLAIM = re.compile(r"\s*// *Guarantees?:(.*)")
ID = re.compile(r"[A-Z]+-\d+")
CARRIER = re.compile(r'\s*(TEST(_F|_P)?\(|\{)')


def guarantees(root: Path) -> Iterator[tuple[str, int]]:
    for number, line in enumerate((root / DOCUMENT).read_text(encoding="utf-8").splitlines(), 1):
        if match := ROW.match(line):
            yield match.group(1), number


def claims(path: Path) -> Iterator[tuple[int, str, str]]:
    """Line number, what the comment says, and the line that it stands before."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for index, line in enumerate(lines):
        if match := CLAIM.match(line):
            following = (each for each in lines[index + 1 :] if not each.lstrip().startswith("//"))
            yield index + 1, match.group(1), next(following, "")


def check_claim(where: str, text: str, carrier: str, known: dict[str, int]) -> Iterator[str]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if not ID.fullmatch(name):
            yield f"{where}: \"{name}\" is no id of a guarantee"
        elif name not in known:
            yield f"{where}: {DOCUMENT} has no guarantee {name}"
    if not CARRIER.match(carrier):
        yield f"{where}: no test and no row of a table follows"


def check(root: Path) -> Iterator[str]:
    known: dict[str, int] = {}
    for name, number in guarantees(root):
        if name in known:
            yield f"{DOCUMENT}:{number}: {name} is there twice"
        known[name] = number
    tried: set[str] = set()
    for path in sorted((root / TESTS).glob("*.cpp")):
        for number, text, carrier in claims(path):
            tried.update(ID.findall(text))
            yield from check_claim(f"{path.relative_to(root)}:{number}", text, carrier, known)
    for name, number in known.items():
        if name not in tried:
            yield f"{DOCUMENT}:{number}: no test in {TESTS} carries {name}"
    if not known:
        yield f"{DOCUMENT}: it has no guarantees"


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    findings = list(check(root))
    for finding in findings:
        print(finding)
    print(f"check_guarantees: {len(findings)} finding{'' if len(findings) == 1 else 's'}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
