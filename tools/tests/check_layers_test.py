#!/usr/bin/env python3
"""Each rule of check_layers.py on a small tree that keeps it and on one that breaks it."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKER = Path(__file__).resolve().parent.parent / "check_layers.py"

# A tree with one file in most folders and nothing wrong with it.
GOOD = {
    "include/prx/error.hpp": "#pragma once\n#include <string>\n#include <prx/result.hpp>\n",
    "src/base/fd.hpp": "#pragma once\n#include <utility>\n",
    "src/os/pipe.hpp": '#include "base/fd.hpp"\n',
    "src/os/raw.hpp": "// prx-init safe: no libc.\n#pragma once\n#include <cstdint>\n",
    "src/protocol/frame.hpp": '// prx-init safe: no libc.\n#include "os/raw.hpp"\n',
    "src/init/main.cpp": '#include "init/sys.hpp"\n#include "protocol/frame.hpp"\n#include "os/raw.hpp"\n',
    "src/init/sys.hpp": "#include <cstddef>\n",
    "src/io/json.cpp": '#include <boost/json.hpp>\n#include <boost/beast/core.hpp>\n#include "base/fd.hpp"\n',
    "src/core/pool.hpp": '#include <prx/error.hpp>\n#include "io/json.hpp"\n',
    "src/io/json.hpp": "#pragma once\n",
    "src/config/toml.cpp": "#include <toml++/toml.h>\n#include <fmt/format.h>\n",
    "src/backends/native/runtime.hpp": '#include "core/pool.hpp"\n',
    "src/backends/docker/runtime.hpp": '#include "core/pool.hpp"\n#include "io/json.hpp"\n',
    "src/app/create.cpp": '#include "backends/native/runtime.hpp"\n#include "backends/docker/runtime.hpp"\n',
    "src/app/doctor.hpp": "#pragma once\n",
    "src/cli/main.cpp": '#include <CLI/CLI.hpp>\n#include "app/doctor.hpp"\n// never sleep(1) here\nauto t = "sleep(1)";\n',
    "tests/unit/pool_test.cpp": '#include "core/pool.hpp"\nvoid wait() { sleep_for(1); }\n',
}


class CheckLayers(unittest.TestCase):
    def check(self, **changes: str) -> str:
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
            lines = result.stdout.splitlines()
            self.assertEqual(result.returncode, 1 if len(lines) > 1 else 0, result.stdout)
            return "\n".join(lines[:-1])

    def refused(self, path: str, text: str, expected: str) -> None:
        findings = self.check(**{path: text})
        self.assertIn(expected, findings)
        self.assertEqual(len(findings.splitlines()), 1, findings)
        self.assertTrue(findings.startswith(path + ":"), findings)

    def test_a_good_tree_has_no_findings(self):
        self.assertEqual(self.check(), "")

    def test_direction(self):
        for path, included in [
            ("src/base/bad.cpp", "os/pipe.hpp"),
            ("src/os/bad.cpp", "protocol/frame.hpp"),
            ("src/os/bad.cpp", "core/pool.hpp"),
            ("src/protocol/bad.cpp", "init/sys.hpp"),
            ("src/io/bad.cpp", "core/pool.hpp"),
            ("src/core/bad.cpp", "backends/native/runtime.hpp"),
            ("src/core/bad.cpp", "app/doctor.hpp"),
            ("src/config/bad.cpp", "app/doctor.hpp"),
            ("src/app/bad.cpp", "cli/help.hpp"),
        ]:
            with self.subTest(path=path, included=included):
                changes = {path: f'#include "{included}"\n', "src/cli/help.hpp": "#pragma once\n"}
                self.assertIn(f"may not include {included.rsplit('/', 1)[0]}", self.check(**changes))

    def test_backends_never_include_each_other(self):
        self.refused(
            "src/backends/native/bad.cpp",
            '#include "backends/docker/runtime.hpp"\n',
            "backends/native may not include backends/docker",
        )

    def test_only_app_names_backends(self):
        for folder in ("cli", "mcp", "tools", "sandbox"):
            self.refused(
                f"src/{folder}/bad.cpp",
                '#include "backends/native/runtime.hpp"\n',
                f"{folder} may not include backends/native",
            )

    def test_cli_and_mcp_are_strangers(self):
        findings = self.check(
            **{"src/cli/help.hpp": "#pragma once\n", "src/mcp/bad.cpp": '#include "cli/help.hpp"\n'}
        )
        self.assertIn("mcp may not include cli", findings)

    def test_unknown_folder(self):
        self.refused("src/misc/bad.cpp", "int x;\n", "is in no layer")

    def test_quotes_name_files_of_src(self):
        self.refused("src/core/bad.cpp", '#include "pool.hpp"\n', "quotes are for files of src/")
        self.refused("src/core/bad.cpp", '#include "prx/error.hpp"\n', "quotes are for files of src/")

    def test_public_headers(self):
        self.refused("include/prx/bad.hpp", "#include <boost/asio.hpp>\n", "<boost/asio.hpp>")
        self.refused("include/prx/bad.hpp", "#include <unistd.h>\n", "<unistd.h>")
        self.refused("include/prx/bad.hpp", '#include "base/fd.hpp"\n', "nothing of src/")

    def test_adapted_libraries(self):
        self.refused("src/core/bad.cpp", "#include <boost/json/value.hpp>\n", "only src/io includes boost/json")
        self.refused("src/backends/docker/bad.cpp", "#include <boost/beast.hpp>\n", "only src/io")
        self.refused("src/app/bad.cpp", "#include <toml++/toml.h>\n", "only src/config")
        self.refused("src/app/bad.cpp", "#include <CLI/CLI.hpp>\n", "only src/cli")
        self.refused("src/app/bad.hpp", "#include <fmt/format.h>\n", "fmt is for .cpp")

    def test_prx_init_includes_only_what_is_marked(self):
        self.refused("src/init/bad.cpp", '#include "os/pipe.hpp"\n', "does not begin with")
        self.refused("src/init/bad.cpp", "#include <prx/error.hpp>\n", "not for prx-init")
        self.assertIn("init may not include base", self.check(**{"src/init/bad.cpp": '#include "base/fd.hpp"\n'}))

    def test_what_is_marked_includes_only_what_is_marked(self):
        self.refused(
            "src/protocol/bad.hpp", '// prx-init safe\n#include "os/pipe.hpp"\n', "does not begin with"
        )

    def test_size(self):
        self.assertEqual(self.check(**{"src/core/long.cpp": "\n" * 399}), "")
        self.refused("src/core/long.cpp", "\n" * 400, "a file stays under 400")
        self.refused("tests/unit/long_test.cpp", "\n" * 400, "a file stays under 400")

    def test_todos(self):
        for kind in ("now", "security"):
            self.refused("src/core/bad.cpp", f"// TODO({kind}): x\n", f"TODO({kind})")
        self.assertEqual(self.check(**{"src/core/fine.cpp": "// TODO(perf): x\n"}), "")

    def test_sleeps(self):
        for call in ("usleep(1);", "std::this_thread::sleep_for (t);", "nanosleep(&t, 0);", "sleep(1);"):
            self.refused("src/core/bad.cpp", f"/* a\nb */ void f() {{ {call} }}\n", "waits for events")
        self.assertIn("bad.cpp:2:", self.check(**{"src/core/bad.cpp": "/* a\nb */ void f() { sleep(1); }\n"}))
        self.assertEqual(self.check(**{"src/core/fine.cpp": "bool asleep(int);\n"}), "")

    def test_skips(self):
        self.refused("tests/unit/bad_test.cpp", "void f() { GTEST_SKIP(); }\n", "not_proven()")
        self.refused("tests/unit/bad_test.cpp", "TEST(A, DISABLED_B) {}\n", "not_proven()")


if __name__ == "__main__":
    unittest.main()
