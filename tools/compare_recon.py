#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The same reconstructions in Argand, BART, SigPy and mri-nufft: time to an image of the same error. Makes the table of docs/performance.md.

    tools/compare_recon.py [--device cuda:0] [--row NAME]... [--program NAME]... [--json FILE] [--known FILE]...
    tools/compare_recon.py --write FILE.json...

Each program computes in single precision, from arrays in memory to the result. Settings are tried from the cheapest; the first whose error
(relative l2) is within the row's limit is timed. Errors are those against double precision (tools/recon_peers/cases.py); with a penalty, against
the image that minimises the program's sum of data term and penalty (tools/recon_peers/penalties.py). What cannot run gives a row with the reason.
BART is bartorch's library (PyPI). FILE also names the machine; it is written after each result.
--known takes results of earlier runs, for example on a GPU: what reached the limit there is tried first.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import sys
import time

PROGRAMS = ("argand", "bart", "sigpy", "mrinufft")
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "recon_peers"))
sys.path.append(str(HERE.parent / "python"))  # where argand is not installed


def processor():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().split("\n")
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def machine(device):
    import argand

    name = f"{processor()}, {os.environ['OMP_NUM_THREADS']} threads"
    return name if device == "cpu" else f"{argand.Device(device).info.name} (host: {name})"


def wait(device):
    """Until the GPU has done what it was given."""
    if device.startswith("cuda"):
        import cupy

        cupy.cuda.Device().synchronize()


def on_host(x):
    for way in ("get", "cpu"):  # CuPy, PyTorch
        if hasattr(x, way):
            x = getattr(x, way)()
    return x


def timed(run, device):
    began = time.perf_counter()
    x = run()
    wait(device)
    return time.perf_counter() - began, x


def known(given, row, program):
    """The settings of all kinds that reached the limit in earlier results."""
    found = [r for f in given.known for r in json.loads(pathlib.Path(f).read_text())["rows"] if (r["row"], r["program"]) == (row, program)]
    return {name for r in found if "settings" in r for name in r.get("reached", [r["settings"]])}


def good(c, ways, device, given, log, first):
    """Of each kind the first settings that reach the limit: their name, function, error, seconds of the first call with its plan, and kind. Settings
    named in `first` come before all others, which are tried only if none of these reaches the limit."""
    nearest, done, spent = (float("inf"), ""), set(), 0.0
    for name, make, *kind in sorted(ways, key=lambda way: way[0] not in first):
        if spent > given.patience:
            break
        if tuple(kind) in done or not re.search(given.settings, name) or (done and first and name not in first and kind != ["default"]):
            continue
        began = time.perf_counter()
        run = make()
        _, x = timed(run, device)
        seconds, error = time.perf_counter() - began, c.error(on_host(x))
        spent += seconds
        log(f"{c.name}: {name}: error {error:.2e}, first call {seconds:.3f} s")
        if error <= c.limit:
            done.add(tuple(kind))
            yield name, run, error, seconds, kind
            if not kind:
                return
        nearest = min(nearest, (error, name))
    if not done:
        raise ValueError(f"error {nearest[0]:.1e} at best ({nearest[1]}), above {c.limit:g}")


def repeated(run, device, most, budget, first):
    """Seconds of several calls: as many as the budget allows, at least two; one if the first call took longer than the budget, and only this first
    call if it took ten times the budget."""
    times, began = [first] if first > 10 * budget else [], time.perf_counter()
    while len(times) < (1 if first > budget else 2) or (len(times) < most and time.perf_counter() - began < budget):
        times.append(timed(run, device)[0])
    return times


def measure(program, c, device, given, log):
    """One row."""
    row = {"row": c.name, "title": c.title, "limit": c.limit, "program": program}
    try:
        module = __import__(f"with_{program}")
        row["version"] = module.version()
        found, default = [], {}
        for name, run, error, seconds, kind in good(c, module.ways(c, device), device, given, log, known(given, c.name, program)):
            times = repeated(run, device, given.repeat, given.budget, seconds)
            of_times = {"first": seconds, "best": min(times), "median": statistics.median(times), "runs": len(times)}
            found.append({"settings": name, "error": error} | of_times | ({} if c.gap is None else {"gap": c.gap}))
            default = {"default": found[-1]} if kind == ["default"] else default
        return row | min(found, key=lambda f: f["median"]) | {"reached": [f["settings"] for f in found]} | default
    except Exception as failure:  # noqa: BLE001 (a program that is not there or fails is a row)
        return row | {"reason": f"{' '.join(str(failure).split())[:160]}" or type(failure).__name__, "kind": type(failure).__name__}


def keep(given, rows):
    """The results so far, with the machine."""
    kind = "cpu" if given.device == "cpu" else "gpu"
    found = {"date": str(datetime.date.today()), "device": kind, "machine": machine(given.device), "python": platform.python_version(), "rows": rows}
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps(found, indent=1) + "\n")


def run(given):
    import cases

    log = (lambda text: print(text, file=sys.stderr, flush=True)) if given.verbose else (lambda text: None)
    rows = []
    for name in given.row or cases.ROWS:
        c = cases.make(name, given.cases, given.tiny)
        if c is None:
            continue
        c.limit = c.limit if given.limit is None else given.limit
        for program in given.program or PROGRAMS:
            rows.append(measure(program, c, given.device, given, log))
            shown = rows[-1]
            print(f"{name} {program}: " + (shown.get("reason") or f"{1e3 * shown['best']:.2f} ms, error {shown['error']:.1e} ({shown['settings']})"),
                  flush=True)  # fmt: skip
            keep(given, rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--row", action="append")
    parser.add_argument("--program", choices=PROGRAMS, action="append")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="CPU threads of all programs (all)")
    parser.add_argument("--repeat", type=int, default=15, help="timed calls, at most")
    parser.add_argument("--budget", type=float, default=2.0, help="seconds after which no further call of a row begins")
    parser.add_argument("--patience", type=float, default=120.0, help="seconds after which no further settings of a row are tried")
    parser.add_argument("--settings", default="", help="a regular expression: only these settings are tried")
    parser.add_argument("--known", nargs="+", default=[], metavar="FILE", help="earlier results: their settings are tried first")
    parser.add_argument("--limit", type=float, help="the error that settings must reach, instead of the row's")
    parser.add_argument("--cases", help="a folder where answers in double precision are kept")
    parser.add_argument("--tiny", action="store_true", help="small problems, to see that all runs")
    parser.add_argument("--json", help="write the results there")
    parser.add_argument("--write", nargs="+", metavar="FILE", help="write these results into docs/performance.md")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    if given.write:
        import page

        page.write(HERE.parent / "docs", [json.loads(pathlib.Path(f).read_text()) for f in given.write])
        return
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ[name] = str(given.threads)
    run(given)


if __name__ == "__main__":
    main()
