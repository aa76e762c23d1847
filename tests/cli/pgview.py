# SPDX-License-Identifier: BSD-3-Clause
"""pgview.py EVENTS CODE VOLUMES: reads --progress jsonl's events as forge's viewer does (one JSON object a line; bars by id, previews in base64) and
fails where they do not go on from each other."""
import base64, json, struct, sys

events = [json.loads(line) for line in open(sys.argv[1])]
code, volumes = int(sys.argv[2]), int(sys.argv[3])
kinds = [e["type"] for e in events]
assert kinds[0] == "start" and events[0]["app"].startswith("argand ") and events[0]["version"], events[0]
assert kinds[-1] == "exit" and events[-1]["code"] == code and kinds.count("exit") == 1, events[-1]
bars, previews = {}, 0
for e in events:
    if e["type"] == "log":
        assert e["level"] in ("info", "error") and e["ts"].endswith("Z") and len(e["ts"]) == 24 and e["msg"], e
    elif e["type"] == "progress" and e["action"] == "add":
        assert e["id"] == len(bars) and e["label"] == "PCG" and e["max"] > 0, e
        bars[e["id"]] = dict(max=e["max"], at=-1, done=False, iterations=[])
    elif e["type"] == "progress" and e["action"] == "tick":
        bar = bars[e["id"]]
        assert bar["at"] < e["current"] <= bar["max"] and not bar["done"], e
        bar["at"] = e["current"]
    elif e["type"] == "progress":
        assert e["action"] == "done" and not bars[e["id"]]["done"], e
        bars[e["id"]]["done"] = True
    elif e["type"] == "metrics":
        assert e["iter"] == bars[e["bar_id"]]["at"] and 0 <= e["error_norm"] <= 1.0001 and e["penalty"] >= 0, e
    elif e["type"] == "image_preview":
        previews += 1
        assert not bars[e["bar_id"]]["done"] and [p["label"] for p in e["planes"]] in (["Image"], ["Axial", "Coronal", "Sagittal"]), e
        for p in e["planes"]:
            pixels = struct.unpack(f"<{p['nx'] * p['ny']}f", base64.b64decode(p["data"], validate=True))
            assert max(p["nx"], p["ny"]) <= 128 and min(pixels) >= 0 and max(pixels) <= 1, p["label"]
            p["peak"] = max(pixels)
        assert abs(max(p["peak"] for p in e["planes"]) - 1) < 1e-6
    else:
        assert e["type"] in ("start", "exit"), e
assert len(bars) == volumes == previews or code, (len(bars), volumes, previews)
assert all(bar["done"] for bar in bars.values())
