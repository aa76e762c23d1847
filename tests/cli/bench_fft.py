# SPDX-License-Identifier: BSD-3-Clause
# bench_fft.py EVENTS: what `argand bench fft --json` said of three families on the cpu.
import json
import sys
from math import exp, log

lines = [e for e in map(json.loads, open(sys.argv[1])) if e["event"] == "result"]
cases = [e for e in lines if "size" in e]
means = {e["summary"]: e for e in lines if "summary" in e}
assert {e["family"] for e in cases} == {"prime1d", "r2c1d", "z2z1d"}, cases
for e in cases:
    limit = 1e-15 if e["type"] == "complex double" else 6e-7
    assert 0 < e["error"] < limit and e["time"] > 0 and e["plan_seconds"] > 0, e
    if e["peer"]:
        assert 0 < e["peer_error"] < limit and abs(e["ratio"] * e["time"] / e["peer_time"] - 1) < 1e-3, e
for name, mean in means.items():
    group = [e["ratio"] for e in cases if e["family"] == name or name == "complex single" and e["type"] == "complex float"
             or name == "double or real" and e["type"] != "complex float"]
    assert len(group) == mean["cases"], (name, group)
    assert abs(exp(sum(map(log, group)) / len(group)) / mean["geometric_mean"] - 1) < 1e-2, (name, mean)
    assert abs(min(group) / mean["worst"] - 1) < 1e-2, (name, mean)
assert len(means) == (5 if cases[0]["peer"] else 0), means
