#!/usr/bin/env python3
"""Each rule of check_guarantees.py on a small tree that keeps it and on one that breaks it."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKER = Path(__file__).resolve().parent.parent / "check_guarantees.py"

DOCUMENT = "docs/guarantees.md"
TEST = "tests/escape/a_test.cpp"
GOOD = {
    DOCUMENT: "# Guarantees\n\n| id | what |\n|---|---|\n| FS-1 | a |\n| NET-1 | b |\n",
    TEST: "// Guarantees: FS-1\nTEST(A, B) {}\nconst Row kRows[] = {\n"
    '    // Guarantees: NET-1, FS-1\n    // Why so.\n    {"Row"},\n    {"Another"},\n};\n',
}


class CheckGuarantees(unittest.TestCase):
    def check(self, changes: dict[str, str]) -> list[str]:
        """The findings on GOOD with some files replaced or added."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**GOOD, **changes}.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            result = subprocess.run(
                [sys.executable, CHECKER, folder], capture_output=True, text=True, check=False
            )
            self.assertEqual(result.stderr, "")
            findings = result.stdout.splitlines()[:-1]
            self.assertEqual(result.returncode, 1 if findings else 0, result.stdout)
            return findings

    def test_a_good_tree_has_no_findings(self):
        self.assertEqual(self.check({}), [])

    def test_a_guarantee_that_nothing_tries(self):
        document = GOOD[DOCUMENT] + "| FS-2 | c |\n"
        self.assertEqual(
            self.check({DOCUMENT: document}), [f"{DOCUMENT}:7: no test in tests/escape carries FS-2"]
        )

    def test_a_test_of_an_unknown_guarantee(self):
        text = GOOD[TEST] + "// Guarantees: FS-9\nTEST(A, C) {}\n"
        self.assertEqual(self.check({TEST: text}), [f"{TEST}:9: {DOCUMENT} has no guarantee FS-9"])

    def test_what_is_no_id(self):
        text = GOOD[TEST] + "// Guarantees: FS-1 NET-1\nTEST(A, C) {}\n"
        self.assertEqual(self.check({TEST: text}), [f'{TEST}:9: "FS-1 NET-1" is no id of a guarantee'])

    def test_a_claim_that_belongs_to_nothing(self):
        for rest in ("", "void helper() {}\n"):
            text = GOOD[TEST] + "// Guarantees: FS-1\n" + rest
            self.assertEqual(self.check({TEST: text}), [f"{TEST}:9: no test and no row of a table follows"])

    def test_an_id_that_is_there_twice(self):
        document = GOOD[DOCUMENT] + "| FS-1 | again |\n"
        self.assertEqual(self.check({DOCUMENT: document}), [f"{DOCUMENT}:7: FS-1 is there twice"])

    def test_a_document_without_guarantees(self):
        self.assertEqual(
            self.check({DOCUMENT: "# Nothing\n", TEST: ""}), [f"{DOCUMENT}: it has no guarantees"]
        )


if __name__ == "__main__":
    unittest.main()
