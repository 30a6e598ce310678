#!/usr/bin/env python3
"""Holds the tree to what docs/architecture.md says of it: who may include whom, and the house rules.

    check_layers.py [ROOT]      prints one line for each break of a rule, and fails if there was any

Include lines are read as text, so a rule holds also for code that this machine does not compile.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

# What each folder of src/ may include beside itself, left to right: what a row names must stand above it.
BELOW_CORE = {"base", "os", "protocol", "init", "io"}
CORE = BELOW_CORE | {"core"}
BACKENDS = {"backends/native", "backends/docker", "backends/wasm"}
MEANING = CORE | {"sandbox", "config"}
LAYERS = {
    "base": set(),
    "os": {"base"},
    "protocol": {"base", "os"},
    "init": {"protocol", "os"},  # and only what is marked safe there: see init_rule()
    "io": BELOW_CORE,
    "core": BELOW_CORE,
    "sandbox": CORE,
    "config": CORE,
    **{backend: CORE for backend in BACKENDS},
    "wasm_workers": {"base", "os", "protocol", "init"},
    "app": MEANING | BACKENDS,  # the only folder that names concrete backends
    "tools": MEANING | {"app"},
    "cli": MEANING | {"app", "tools"},
    "mcp": MEANING | {"app", "tools"},
}

# Third-party headers that one folder adapts for all others.
ADAPTED_IN = {"boost/beast": "io", "boost/json": "io", "valijson/": "io", "toml++/": "config", "CLI/": "cli"}

INIT_SAFE = "// prx-init safe"
MAX_LINES = 400
SOURCE_FOLDERS = ("include", "src", "tests", "bench", "fuzz")
SLEEP = re.compile(r"\b(sleep|usleep|nanosleep|clock_nanosleep|sleep_for|sleep_until)\s*\(")
BLOCKING_TODO = re.compile(r"TODO\((now|security)\)")
SKIP = re.compile(r"\bGTEST_SKIP\b|\bDISABLED_")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Comments and literals, so that a word in one is not taken for code.
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


@dataclass(frozen=True)
class Source:
    path: Path  # relative to the root
    text: str

    @property
    def layer(self) -> str | None:
        """The folder of src/ it belongs to, None for a file elsewhere."""
        if self.path.parts[0] != "src":
            return None
        return layer_of("/".join(self.path.parts[1:]))

    @property
    def is_public(self) -> bool:
        return self.path.parts[0] == "include"

    @property
    def is_init_safe(self) -> bool:
        return self.text.startswith(INIT_SAFE)

    def includes(self) -> Iterator[tuple[int, str, str]]:
        for number, line in enumerate(self.text.splitlines(), 1):
            if match := INCLUDE.match(line):
                yield number, match.group(1), match.group(2)

    def code(self) -> str:
        """The text without comments and literals, line numbers kept."""
        return NOT_CODE.sub(lambda match: "\n" * match.group().count("\n"), self.text)


def layer_of(path: str) -> str:
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "backends" else parts[0]


class Checker:
    def __init__(self, root: Path):
        self.root = root
        self.sources = {source.path: source for source in self.read_sources()}
        self.findings: list[str] = []

    def read_sources(self) -> Iterator[Source]:
        for folder in SOURCE_FOLDERS:
            for path in sorted((self.root / folder).rglob("*.[ch]pp")):
                yield Source(path.relative_to(self.root), path.read_text(encoding="utf-8"))

    def run(self) -> list[str]:
        for source in self.sources.values():
            self.size_rule(source)
            self.todo_rule(source)
            if source.is_public:
                self.public_header_rule(source)
            if source.layer is not None:
                self.direction_rule(source)
                self.adapter_rule(source)
                self.init_rule(source)
                self.sleep_rule(source)
            if source.path.parts[0] == "tests":
                self.skip_rule(source)
        return self.findings

    def report(self, source: Source, line: int, text: str) -> None:
        self.findings.append(f"{source.path}:{line}: {text}")

    def report_matches(self, source: Source, pattern: re.Pattern[str], text: str, why: str) -> None:
        for match in pattern.finditer(text):
            self.report(source, text.count("\n", 0, match.start()) + 1, f"{match.group()}: {why}")

    def size_rule(self, source: Source) -> None:
        lines = source.text.count("\n")
        if lines >= MAX_LINES:
            self.report(source, lines, f"{lines} lines: a file stays under {MAX_LINES}")

    def todo_rule(self, source: Source) -> None:
        self.report_matches(source, BLOCKING_TODO, source.text, "is not left for others to find")

    def skip_rule(self, source: Source) -> None:
        self.report_matches(source, SKIP, source.code(), "say not_proven() instead of skipping in silence")

    def sleep_rule(self, source: Source) -> None:
        self.report_matches(source, SLEEP, source.code(), "the product waits for events, not for time to pass")

    def public_header_rule(self, source: Source) -> None:
        """The public API needs the standard library and itself."""
        for line, kind, name in source.includes():
            if kind == '"':
                self.report(source, line, f'"{name}": a public header includes nothing of src/')
            elif not name.startswith("prx/") and not re.fullmatch(r"[a-z0-9_]+", name):
                self.report(source, line, f"<{name}>: a public header includes the standard library and <prx/…>")

    def direction_rule(self, source: Source) -> None:
        layer = source.layer
        if layer not in LAYERS:
            self.report(source, 1, f"src/{layer} is in no layer: add it to tools/check_layers.py")
            return
        for line, kind, name in source.includes():
            if kind != '"':
                continue
            if Path("src", name) not in self.sources:
                self.report(source, line, f'"{name}": quotes are for files of src/, named from there')
            elif layer_of(name) not in LAYERS[layer] | {layer}:
                self.report(source, line, f'"{name}": {layer} may not include {layer_of(name)}')

    def adapter_rule(self, source: Source) -> None:
        for line, _, name in source.includes():
            for prefix, owner in ADAPTED_IN.items():
                if name.startswith(prefix) and source.layer != owner:
                    self.report(source, line, f"<{name}>: only src/{owner} includes {prefix.rstrip('/')}")
            if name.startswith("fmt/") and source.path.suffix == ".hpp":
                self.report(source, line, f"<{name}>: fmt is for .cpp files")

    def init_rule(self, source: Source) -> None:
        """prx-init has no C library: what it includes from elsewhere must be written for that."""
        if source.layer != "init" and not source.is_init_safe:
            return
        for line, kind, name in source.includes():
            if kind == "<":
                if name.startswith("prx/"):
                    self.report(source, line, f"<{name}>: the public API is not for prx-init")
                continue
            included = self.sources.get(Path("src", name))
            if included and included.layer != "init" and not included.is_init_safe:
                self.report(source, line, f'"{name}": does not begin with "{INIT_SAFE}"')


def main(arguments: list[str]) -> int:
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    checker = Checker(root)
    if not checker.sources:
        print(f"{root}: no sources found", file=sys.stderr)
        return 2
    findings = checker.run()
    for finding in findings:
        print(finding)
    print(f"{len(checker.sources)} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
