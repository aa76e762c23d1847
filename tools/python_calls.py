#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a call from Python costs above the same call from C on a plan that exists: processor time, us.

    tools/python_calls.py [--device cuda:0] [--calls 20000]

On CUDA devices the arrays are PyTorch's and CuPy's, where installed, and few calls go between two waits: the driver's queue takes 1024 launches.

The C program is compiled by `cc` (ARGAND_CC) with the headers of ARGAND_INCLUDE and the library of ARGAND_LIBRARY, or those of the source
tree and of build/release. It applies plans to arrays that it has made once. One thread; the least of 7 rounds of each, in turns.
"""

import argparse
import importlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
os.environ["OMP_NUM_THREADS"] = "1"

PROGRAM = r"""
#include <argand/argand.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define OK(call) do { if ((call) != ARGAND_OK) { fprintf(stderr, "%s\n", argand_message()); return 1; } } while (0)
#define LOOP(name, call) do { double least = 1e9; OK(call); for (int round = 0; round < rounds; round++) { \
    OK(argand_device_wait(device)); const clock_t start = clock(); for (int i = 0; i < calls; i++) OK(call); \
    const double us = 1e6 * (double)(clock() - start) / CLOCKS_PER_SEC / calls; if (us < least) least = us; } \
    printf("%s %.4f\n", name, least); } while (0)
enum { POINTS = 20 };
int main(int argc, char **argv)
{
    const int calls = argc > 1 ? atoi(argv[1]) : 1000, rounds = argc > 3 ? atoi(argv[3]) : 1;
    argand_device *device;
    argand_array *x, *y, *image, *samples, *k[1];
    argand_fft *fft;
    argand_nufft *nufft;
    double at[POINTS], zero[2 * POINTS] = {0};
    for (int j = 0; j < POINTS; j++)
        at[j] = 7.0 * j / POINTS - 3.5;
    OK(argand_device_open(&device, argc > 2 ? argv[2] : "cpu"));
    OK(argand_array_create(&x, device, ARGAND_C64, 1, (int64_t[]){16}));
    OK(argand_array_create(&y, device, ARGAND_C64, 1, (int64_t[]){16}));
    OK(argand_array_create(&image, device, ARGAND_C64, 1, (int64_t[]){8}));
    OK(argand_array_create(&samples, device, ARGAND_C64, 1, (int64_t[]){POINTS}));
    OK(argand_array_create(&k[0], device, ARGAND_R64, 1, (int64_t[]){POINTS}));
    OK(argand_array_upload(k[0], at));
    OK(argand_array_upload(x, zero));
    OK(argand_array_upload(image, zero));
    OK(argand_fft_create(&fft, device, &(argand_fft_options){.type = ARGAND_C64, .rank = 1, .n = {16}, .preserve_input = true}));
    OK(argand_nufft_create(&nufft, device, &(argand_nufft_options){.type = ARGAND_C64, .rank = 1, .n = {8}}));
    OK(argand_nufft_set_points(nufft, k));
    LOOP("fft", argand_fft_apply(fft, y, x, ARGAND_FORWARD));
    LOOP("nufft", argand_nufft_apply(nufft, samples, image));
    argand_nufft_destroy(nufft);
    argand_fft_destroy(fft);
    for (int i = 0; i < 5; i++)
        argand_array_destroy((argand_array *[]){x, y, image, samples, k[0]}[i]);
    argand_device_close(device);
    return 0;
}
"""


def in_c(folder, given):
    """us of each kind."""
    library = os.environ["ARGAND_LIBRARY"]
    program = pathlib.Path(folder) / "calls"
    if not program.exists():
        (pathlib.Path(folder) / "calls.c").write_text(PROGRAM)
        command = [os.environ.get("ARGAND_CC", "cc"), "-std=gnu17", "-O2", "-I", os.environ["ARGAND_INCLUDE"], f"{program}.c", library]
        subprocess.run([*command, "-Wl,-rpath," + str(pathlib.Path(library).parent), "-o", str(program)], check=True)
    asked = [str(program), str(given.calls), given.device, str(given.rounds)]
    lines = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.split("\n")
    return {name: float(us) for name, us in (line.split() for line in lines if line)}


def calls_of_python():
    """(kind in C, name, function) of each."""
    import argand
    import numpy as np

    class Foreign:
        """An array of another library, which only DLPack brings here."""

        def __dlpack__(self, **options):
            return x.__dlpack__(**options)

        def __dlpack_device__(self):
            return x.__dlpack_device__()

    x, out = np.zeros(16, complex), np.zeros(16, complex)
    image, samples = np.zeros(8, complex), np.zeros(20, complex)
    fft = argand.FFT((16,))
    nufft = argand.NUFFT(7.0 * np.arange(20)[:, None] / 20 - 3.5, (8,))
    foreign = Foreign()

    def refused():
        try:
            fft(image)
        except ValueError:
            return
        raise AssertionError

    return [
        ("fft", "argand.fft(x)", lambda: argand.fft(x)), ("fft", "FFT(...)(x)", lambda: fft(x)),
        ("fft", "FFT(...)(x, out)", lambda: fft(x, out)), ("fft", "argand.fft(DLPack)", lambda: argand.fft(foreign)),
        ("nufft", "NUFFT(...)(x)", lambda: nufft(image)), ("nufft", "NUFFT(...)(x, out)", lambda: nufft(image, samples)),
        (None, "an exception", refused),
    ]  # fmt: skip


def calls_on_gpu(device):
    """The same with arrays of PyTorch and CuPy on that CUDA device."""
    import argand
    import numpy as np

    fft = argand.FFT((16,), device=device)
    nufft = argand.NUFFT(7.0 * np.arange(20)[:, None] / 20 - 3.5, (8,), device=device)
    kinds = []
    for module in ("torch", "cupy"):
        try:
            library = importlib.import_module(module)
        except ImportError as error:
            print(error)
            continue
        more = {"device": device} if module == "torch" else {}
        x, out, image, samples = (library.zeros(n, dtype=library.complex128, **more) for n in (16, 16, 8, 20))
        kinds += [
            ("fft", f"argand.fft(x), {module}", lambda x=x: argand.fft(x)), ("fft", f"FFT(...)(x), {module}", lambda x=x: fft(x)),
            ("fft", f"FFT(...)(x, out), {module}", lambda x=x, out=out: fft(x, out)),
            ("nufft", f"NUFFT(...)(x), {module}", lambda image=image: nufft(image)),
            ("nufft", f"NUFFT(...)(x, out), {module}", lambda image=image, samples=samples: nufft(image, samples)),
            (None, f"{module}.fft.fft(x)", lambda x=x, library=library: library.fft.fft(x)),
        ]  # fmt: skip
    return kinds


def measure(function, given):
    """us a call, the least of the rounds."""
    least = float("inf")
    for _ in range(given.rounds):
        if "torch" in sys.modules:
            sys.modules["torch"].cuda.synchronize()
        if "cupy" in sys.modules:
            sys.modules["cupy"].cuda.Device().synchronize()
        start = time.process_time()
        for _ in range(given.calls):
            function()
        least = min(least, 1e6 * (time.process_time() - start) / given.calls)
    return least


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--calls", type=int, help="20000 on the CPU, else 200")
    given = parser.parse_args()
    given.calls = given.calls or (20000 if given.device == "cpu" else 200)
    given.rounds = 1 if given.device == "cpu" else 50
    os.environ.setdefault("ARGAND_INCLUDE", str(ROOT / "include"))
    os.environ.setdefault("ARGAND_LIBRARY", str(ROOT / "build" / "release" / "src" / "libargand.so"))
    kinds = calls_of_python() if given.device == "cpu" else calls_on_gpu(given.device)
    least, c = {name: float("inf") for _, name, _ in kinds}, {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(7):
            for name, us in in_c(folder, given).items():
                c[name] = min(us, c.get(name, us))
            for _, name, function in kinds:
                least[name] = min(least[name], measure(function, given))
    print("| call | us | in C | above |\n|---|---|---|---|")
    for kind, name, _ in kinds:
        base = c[kind] if kind else 0.0
        print(f"| {name} | {least[name]:.2f} | {base:.2f} | {least[name] - base:.2f} |")


if __name__ == "__main__":
    main()
