# SPDX-License-Identifier: BSD-3-Clause
"""tools/compare_recon.py runs with Argand alone on small problems, and the tables of its pages are those of the results that are kept."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tools" / "recon_peers")]

import page  # noqa: E402

ROWS = "cartesian spiral stack tv tv-anisotropic nufft2d-forward nufft3d-adjoint normal field field-exact espirit subspace".split()
TOOL = ROOT / "tools" / "compare_recon.py"


class Tool(unittest.TestCase):
    def run_tool(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-B", TOOL, "--tiny", "--threads", "1", "--budget", "0", "--json", f"{folder}/a.json", *words]
            done = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return json.loads(pathlib.Path(f"{folder}/a.json").read_text())

    def test_argand_reaches_every_limit(self):
        found = self.run_tool("--program", "argand", *[word for row in ROWS for word in ("--row", row)])
        self.assertEqual([row["row"] for row in found["rows"]], ROWS)
        for row in found["rows"]:
            self.assertNotIn("reason", row)
            self.assertLessEqual(row["error"], row["limit"])
            self.assertGreater(row["median"], 0)
        self.assertIn("1 threads", found["machine"])

    def test_a_missing_program_is_a_row(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "sigpy.py").write_text("raise ImportError('No module named sigpy, says the test')\n")
            sys.path.insert(0, folder)
            try:
                import compare_recon

                row = compare_recon.measure("sigpy", type("Case", (), {"name": "a", "title": "b", "limit": 1, "kind": "grid"}), "cpu", None, print)
            finally:
                sys.path.remove(folder)
        self.assertIn("says the test", row["reason"])
        self.assertEqual(page.cell(row, 1.0), "not run")


@unittest.skipUnless((ROOT / "docs/performance/peers.json").exists(), "no results are kept")
class Pages(unittest.TestCase):
    def test_the_tables_are_those_of_the_results(self):
        found = page.merged(json.loads((ROOT / "docs/performance/peers.json").read_text()))
        for name, table in (("performance.md", page.summary(found)), ("performance/peers.md", page.details(found))):
            text = (ROOT / "docs" / name).read_text()
            self.assertIn(table, text.split(page.BEGIN)[1].split(page.END)[0])
            self.assertEqual(len({line.count("|") for line in table.split("\n")}), 1)


if __name__ == "__main__":
    unittest.main()
