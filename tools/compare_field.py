#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the blocks of docs/how-to/field-compared.md on three scans: seconds, and the error against the exact DFT in double precision.

    tools/compare_field.py [--device cuda:0] [--scan simulated|brain|phantom]... [--more-bins] [--json FILE]
    tools/compare_field.py --write FILE.json...

simulated  128 x 128, 8 coils, 8 spirals of 20 ms, +-100 Hz
brain      the real spiral brain of ARGAND_TEST_DATA: 64 x 64, 1 coil, 1 spiral of 19 ms; 6 iterations, since single precision diverges after
phantom    the real phantom in a bad shim: 192 x 192, 20 coils, 54 spirals of 3 ms, +-720 Hz

The blocks are run as they stand, with the data of the scan in place of those of the page. The exact DFT is Argand's, compared with sums by
NumPy at some samples. --more-bins gives mri-nufft and BART also 4096 bins of the field's histogram instead of 1024."""

import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "recon_peers")]
sys.path.append(str(HERE.parent / "python"))
PAGE = HERE.parent / "docs" / "how-to" / "field-compared.md"
DATA = pathlib.Path(os.environ.get("ARGAND_TEST_DATA", "../shared/data"))
ITERATIONS = re.compile(r"((?:iterations|maxiter|max_iter)=)10")


def blocks():
    """{program: code} of the page."""
    found = {}
    for part in PAGE.read_text().split("\n## ")[1:]:
        name, text = part.split("\n", 1)
        code = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S) or [re.sub(r"^    ", "", "\n".join(re.findall(r"^    .*", text, re.M)), flags=re.M)]
        found[name] = code
    return {
        "Argand, one call": found["Argand"][0], "Argand, operators": found["Argand"][1],
        "Argand, exact DFT": found["Argand"][2].split("\n")[0].replace("exact =", "image =").replace("field_map=field)", "field_map=field, dtype=np.complex64)"),
        "BART": found["BART"][0], "mri-nufft": found["mri-nufft"][0],
    }  # fmt: skip


def of_file(path, *names):
    """Arrays of an ISMRMRD file."""
    tool = os.environ.get("ARGAND_PROGRAM", HERE.parent / "build/release/argand")
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            subprocess.run([tool, "convert", f"{path}:{name}", f"{folder}/{name}.npy", "--quiet"], check=True)
        return [np.load(f"{folder}/{name}.npy") for name in names]


def real(path, field_name, maps):
    if not path.exists():
        return None
    kspace, k, t, field = of_file(path, "kspace", "trajectory", "times", field_name)
    points = np.ascontiguousarray(np.squeeze(k)[..., -2:] if k.shape[-1] == 3 else k)
    samples = points.shape[:-1] if points.ndim > 2 else (1, *points.shape[:-1])
    points = points.reshape(*samples, -1)
    field = np.squeeze(field)
    field[field == 0] = 1e-6  # argand.sense takes regions of exact zeros for pixels that were not measured
    return np.squeeze(kspace).reshape(-1, *samples).astype("c8"), points.astype("f4"), t.reshape(samples).astype("f4"), field.astype("f4"), maps


def simulated():
    import argand

    shape = (128, 128)
    points, times = argand.trajectory.spiral(shape, shots=8, echo_s=0.002)
    maps, field = argand.birdcage((8, *shape)), argand.head_field(shape, field_range_hz=100)
    kspace = argand.field_dft(argand.phantom(shape) * maps, points, times, field)
    return kspace.astype("c8"), points.astype("f4"), times.astype("f4"), field.astype("f4"), maps


def brain():
    return real(DATA / "brain_spiral_2d/brain_spiral_2d.h5", "FieldMapDerived", np.ones((1, 64, 64)))


def phantom():
    maps = DATA / "spiral_b0_phantom/spiral_b0_phantom_ref_coilmaps_filled.npy"
    return real(DATA / "spiral_b0_phantom/spiral_b0_phantom.h5", "FieldMapFilled", np.squeeze(np.load(maps)) if maps.exists() else None)


SCANS = {"simulated": (simulated, 10), "brain": (brain, 6), "phantom": (phantom, 10)}


def check(exact, points, times, field):
    """The exact DFT against sums by NumPy, at 20 samples."""
    random = np.random.default_rng(1)
    x = random.standard_normal(field.shape) + 1j * random.standard_normal(field.shape)
    r = np.stack(np.meshgrid(*[(np.arange(n) - n // 2) / n for n in field.shape], indexing="ij"), -1)
    at = random.integers(0, times.size, 20)
    k, t = points.reshape(-1, 2)[at].astype(float), times.ravel()[at].astype(float)
    phase = 2 * np.pi * np.einsum("sd,yxd->syx", k, r) + t[:, None, None] * field.astype(float)
    sums = (np.exp(-1j * phase) * x).sum((1, 2))
    error = np.linalg.norm(exact(x)[..., :].ravel()[at] - sums) / np.linalg.norm(sums)
    assert error < 1e-9, f"the exact DFT is wrong by {error:.1e}"


def reference(scan, iterations, device):
    import argand

    kspace, points, times, field, maps = scan
    options = {"times": times.astype(float), "field_map": field.astype(float), "device": device}
    check(argand.FieldDFT(points.astype(float), field.shape, **options), points, times, field)
    dft = argand.FieldDFT(points.astype(float), field.shape, (len(maps),), **options)
    return argand.solve(argand.SENSE(dft, maps.astype(complex)), kspace.astype(complex), iterations=iterations, tolerance=1e-14)


def names_for(program, scan, device):
    """The names that a block begins with, in its program's conventions."""
    kspace, points, times, field, maps = scan
    hz = -field / np.float32(2 * np.pi)
    common = {"np": np, "shape": field.shape}
    if program.startswith("Argand"):
        import argand

        if device != "cpu":
            os.environ["ARGAND_DEVICE"] = device
        return common | {"argand": argand, "kspace": kspace, "points": points, "times": times, "field": field, "maps": maps.astype("c8")}
    if program == "BART":
        import bartorch
        import torch

        def there(x, dtype):
            return torch.from_numpy(np.ascontiguousarray(x, dtype)).to("cpu" if device == "cpu" else "cuda")

        trajectory = np.concatenate([points[..., ::-1], np.zeros((*points.shape[:-1], 1))], -1)
        return common | {"bartorch": bartorch, "kspace": there(kspace, "c8"), "trajectory": there(trajectory, "f4"), "times": there(times, "f4"),
                         "field_hz": there(hz, "f4"), "maps": there(maps, "c8")}  # fmt: skip
    import mrinufft

    xp = __import__("cupy") if device != "cpu" else np
    samples = (points / np.array(field.shape)).reshape(-1, 2).astype("f4")
    return common | {"mrinufft": mrinufft, "kspace": xp.asarray(kspace.reshape(len(kspace), -1)), "samples": samples, "times": xp.asarray(times),
                     "field_hz": xp.asarray(hz), "maps": xp.asarray(maps.astype("c8"))}  # fmt: skip


def more_bins(enable):
    """The histogram of mri-nufft, which BART uses, too."""
    from mrinufft.extras import field_map

    for name in ("compute_svd_coefficients",):
        function = getattr(field_map, name)
        while hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        function.__defaults__ = tuple(4096 if enable and d == 1024 else 1024 if not enable and d == 4096 else d for d in function.__defaults__)


def run_block(code, iterations, names, given):
    """The image, the first time, and the median of the others if the first took less than twice the budget."""
    from compare_recon import on_host, wait

    program = compile(ITERATIONS.sub(rf"\g<1>{iterations}", code), "block", "exec")
    times, began = [], time.perf_counter()
    while len(times) < (1 if times and times[0] > 2 * given.budget else 2) or (len(times) < given.repeat and time.perf_counter() - began < given.budget):
        start, local = time.perf_counter(), dict(names)
        exec(program, local)
        wait(given.device)
        times.append(time.perf_counter() - start)
    return np.squeeze(np.asarray(on_host(local["image"]))), times[0], float(np.median(times[1:] or times))


def factor(found, exact):
    """Programs scale their transforms differently: the factor that fits best is taken out."""
    return np.vdot(found, exact) / np.vdot(found, found)


def measure(name, code, scan, exact, iterations, given):
    row = {"program": name}
    try:
        found, first, median = run_block(code, iterations, names_for(name.split(",")[0], scan, given.device), given)
        found = found.reshape(exact.shape)
        error = np.linalg.norm(found * factor(found, exact) - exact) / np.linalg.norm(exact)
        return row | {"error": float(error), "first": first, "median": median, "statements": code.strip().count("\n") + 1, "characters": len(code.strip())}
    except Exception as failure:  # noqa: BLE001 (what cannot run is a row)
        return row | {"reason": f"{type(failure).__name__}: {' '.join(str(failure).split())[:160]}"}


def run(given):
    import cases
    import compare_recon

    found = {"date": str(datetime.date.today()), "device": given.device, "machine": compare_recon.machine(given.device), "scans": {}}
    for name in given.scan or SCANS:
        make, iterations = SCANS[name]
        scan = make()
        if scan is None:
            continue
        exact = reference(scan, iterations, "cuda:0" if cases.on_gpu() else given.device)
        tasks = [(program, code if given.device == "cpu" else code.replace('"finufft"', '"cufinufft"')) for program, code in blocks().items()]
        if given.more_bins:
            tasks += [(f"{program}, more bins", code) for program, code in tasks if program in ("BART", "mri-nufft")]
        found["scans"][name] = []
        for program, code in tasks:
            if "more bins" in program:
                more_bins(True)
            row = measure(program, code, scan, exact, iterations, given)
            if "more bins" in program:
                more_bins(False)
            found["scans"][name].append(row)
            if given.json:
                pathlib.Path(given.json).write_text(json.dumps(found, indent=1) + "\n")
            print(name, row.get("reason") or f"{row['error']:.1e}, {1e3 * row['median']:.3g} ms, first {1e3 * row['first']:.3g} ms", program, flush=True)


def listed(values):
    """Different values once each, in order."""
    return ", ".join(dict.fromkeys(values))


def write(files):
    """The table of the page: a row for each program and scan, with the errors and times of all devices."""
    import page

    results = {("CPU" if r["device"] == "cpu" else "GPU"): r for r in (json.loads(pathlib.Path(f).read_text()) for f in files)}
    lines = [f"| scan | program | statements | characters | error | {' | '.join(results)} |", "|---|---|---|---|---|" + "---|" * len(results)]
    names = [(scan, row["program"]) for scan in SCANS for row in next(iter(results.values()))["scans"].get(scan, [])]
    for scan, program in names:
        rows = {where: row for where, r in results.items() for row in r["scans"].get(scan, []) if row["program"] == program}
        good = [row for row in rows.values() if "error" in row]
        size = [str(good[0]["statements"]), str(good[0]["characters"])] if good else ["", ""]
        times = [page.seconds(rows[w]["median"]) if w in rows and "median" in rows[w] else rows.get(w, {}).get("reason", "") for w in results]
        shown = [scan, program, *size, listed(f"{row['error']:.1e}".replace("e-0", "e-") for row in good), *times]
        lines.append("| " + " | ".join(text.replace("|", "/") for text in shown) + " |")
    places = [f"- {where}: {r['machine']}, {r['date']}." for where, r in results.items()]
    page.put(PAGE, "\n".join([*places, "", *lines]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--scan", choices=SCANS, action="append")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--budget", type=float, default=2.0, help="seconds after which no further run of a block begins")
    parser.add_argument("--more-bins", action="store_true", help="run BART and mri-nufft also with 4096 bins")
    parser.add_argument("--json")
    parser.add_argument("--write", nargs="+", metavar="FILE")
    given = parser.parse_args()
    if given.write:
        write(given.write)
        return
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ[name] = str(given.threads)
    run(given)


if __name__ == "__main__":
    main()
