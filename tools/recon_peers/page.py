# SPDX-License-Identifier: BSD-3-Clause
"""The tables of docs/performance.md and docs/performance/peers.md, from the results of tools/compare_recon.py."""

import json
import re

THREADS = re.compile(r", (\d+) threads")
NAMES = {"argand": "Argand", "bart": "BART", "sigpy": "SigPy", "mrinufft": "mri-nufft"}
BEGIN, END = "<!-- compare_recon: begin -->", "<!-- compare_recon: end -->"


def seconds(s):
    return f"{s:.3g} s" if s >= 1 else f"{1e3 * s:.3g} ms"


def merged(results):
    """{(row, device, program): result}; later files replace earlier ones."""
    found = {}
    for result in results:
        for row in result["rows"]:
            found[row["row"], result["device"], row["program"]] = row | {"machine": result["machine"], "date": result["date"]}
    return found


def order(found):
    import cases

    return [(row, device) for row in cases.ROWS for device in ("cpu", "gpu") if any((row, device, p) in found for p in NAMES)]


def title(found, row, device):
    """Without what the page says of all such rows: its lines have 160 columns."""
    return next(found[row, device, p]["title"] for p in NAMES if (row, device, p) in found).replace(", plan made before", "").replace(", any method", "")


def cell(result, best):
    """The median and the error; the fastest of several in bold."""
    if result is None or "reason" in result:
        return "none" if result and result["kind"] == "NotImplementedError" else "not run" if result is None or "No module" in result["reason"] else "fails"
    time = seconds(result["median"])
    return f"{'**' + time + '**' if result['median'] == best else time} ({result['error']:.0e})".replace("e-0", "e-")


def summary(found):
    lines = ["| reconstruction | on | " + " | ".join(NAMES.values()) + " |", "|---|---|" + "---|" * len(NAMES)]
    before = None
    for row, device in order(found):
        results = [found.get((row, device, p)) for p in NAMES]
        times = [r["median"] for r in results if r and "median" in r]
        best = min(times) if len(times) > 1 else None
        words = title(found, row, device)
        lines.append(f"| {'' if row == before else words} | {device.upper()} | " + " | ".join(cell(r, best) for r in results) + " |")
        before = row
    return "\n".join(lines)


def measured(r):
    """The columns of a result: settings, error, times. With a penalty, the settings say how far the objective is above its minimum."""
    above = f"; objective {r['gap']:.0e} above the minimum".replace("e-0", "e-") if r.get("gap", 0) > 0 else ""
    return [r["settings"] + above, f"{r['error']:.1e}", seconds(r["median"]), seconds(r["best"]), str(r["runs"]), seconds(r["first"])]


def details(found):
    lines = ["| row | on | program | settings | error | median | best | runs | first call |", "|---|---|---|---|---|---|---|---|---|"]
    for row, device in order(found):
        for program, name in NAMES.items():
            r = found.get((row, device, program))
            if r is None:
                continue
            shown = [[r["reason"].replace("|", "/")[:100], "", "", "", "", ""]] if "reason" in r else [measured(r)]
            if "default" in r and r["default"]["settings"] != r["settings"]:
                shown.append(measured(r["default"]))
            on = f"CPU, {THREADS.search(r['machine'])[1]} threads".replace("1 threads", "1 thread") if device == "cpu" else "GPU"
            lines += [f"| {row} | {on} | {name} | " + " | ".join(s) + " |" for s in shown]
    return "\n".join(lines)


def machines(found):
    """Machines, dates and versions, one a line."""
    places = {}
    for (_, device, program), r in found.items():
        names = places.setdefault((device.upper(), THREADS.sub("", r["machine"]), r["date"]), {})
        names.setdefault(NAMES[program], set()).add(int(THREADS.search(r["machine"])[1]))
    lines = []
    for (device, machine, date), names in sorted(places.items()):
        threads = sorted(set().union(*names.values()))
        words = f"{threads[0]} to {threads[-1]}" if len(threads) > 1 else str(threads[0])
        lines.append(f"- {device}: {machine}, {words} threads ({', '.join(n for n in NAMES.values() if n in names)}), {date}.")
    versions = {r["version"] if r["version"][0].isalpha() else f"Argand {r['version']}" for r in found.values() if "version" in r}
    return "\n".join([*lines, "- " + "; ".join(sorted(versions)) + "."])


def put(path, text):
    """Between the markers of a page."""
    page = path.read_text()
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    path.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


def write(docs, results):
    found = merged(results)
    put(docs / "performance.md", machines(found) + "\n\n" + summary(found))
    put(docs / "performance" / "peers.md", machines(found) + "\n\n" + details(found))
    kept = docs / "performance" / "peers.json"
    kept.write_text(json.dumps(results, indent=0) + "\n")
