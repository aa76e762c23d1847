# SPDX-License-Identifier: BSD-3-Clause
# bench_field.py EVENTS: what `argand bench field --json` said of a small problem on the cpu.
import json
import sys

events = [json.loads(line) for line in open(sys.argv[1])]
lines = [e for e in events if e["event"] == "result"]
assert len(lines) == 5 * 2 * 2, len(lines)
assert {e["model"] for e in lines} == {"plain", "field", "decay", "gradients", "terms"}
for e in lines:
    limit = 2e-6 if e["precision"] == "single" else 2e-13
    assert e["error"] < limit and e["adjointness"] < limit, e
    assert e["same_bits"] and e["engine"] == "cpu" and e["time"] > 0, e
