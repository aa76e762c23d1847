# SPDX-License-Identifier: BSD-3-Clause
# bench_segments.py EVENTS: what `argand bench segments --json` said of a small problem on the cpu.
import json
import sys

lines = [e for e in map(json.loads, open(sys.argv[1])) if e["event"] == "result"]
errors, times = lines[:-1], lines[-1]
assert len(errors) == 6 * 4, len(errors)
assert {e["interpolator"] for e in errors} == {"linear", "Hann", "min-max", "SVD"}
for e in errors:
    best = [x for x in errors if x["count"] == e["count"] and x["interpolator"] == "SVD"][0]
    assert best["error"] <= e["error"] * 1.001 + 1e-7 <= e["largest"] * 1.002 + 1e-6, (best, e)
assert times["terms"] - times["optimum"] in (0, 1, 2), times
assert max(times["error"]) < 5e-3 and min(times["exact"] + times["segmented"]) > 0, times
assert times["predicted"]["exact"] > 0 and times["predicted"]["segmented"] > 0, times
