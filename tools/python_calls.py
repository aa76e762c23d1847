#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a call from Python costs above the same call from C on a plan that exists: processor time, us.

    tools/python_calls.py [--calls 20000]

The C program is compiled by `cc` (ARGAND_CC) with the headers of ARGAND_INCLUDE and the library of ARGAND_LIBRARY, or those of the source
tree and of build/release. It applies plans to arrays that it has made once. One thread; the least of 7 rounds of each, in turns.
"""

import argparse
import os
import pathlib
import subprocess
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
#define LOOP(name, call) do { const clock_t start = clock(); for (int i = 0; i < calls; i++) OK(call); \
    printf("%s %.4f\n", name, 1e6 * (double)(clock() - start) / CLOCKS_PER_SEC / calls); } while (0)
enum { POINTS = 20 };
int main(int argc, char **argv)
{
    const int calls = argc > 1 ? atoi(argv[1]) : 1000;
    argand_device *device;
    argand_array *x, *y, *image, *samples, *k[1];
    argand_fft *fft;
    argand_nufft *nufft;
    double at[POINTS], zero[2 * POINTS] = {0};
    for (int j = 0; j < POINTS; j++)
        at[j] = 7.0 * j / POINTS - 3.5;
    OK(argand_device_open(&device, "cpu"));
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


def in_c(folder, calls):
    """us of each kind."""
    library = os.environ["ARGAND_LIBRARY"]
    program = pathlib.Path(folder) / "calls"
    if not program.exists():
        (pathlib.Path(folder) / "calls.c").write_text(PROGRAM)
        command = [os.environ.get("ARGAND_CC", "cc"), "-std=gnu17", "-O2", "-I", os.environ["ARGAND_INCLUDE"], f"{program}.c", library]
        subprocess.run([*command, "-Wl,-rpath," + str(pathlib.Path(library).parent), "-o", str(program)], check=True)
    lines = subprocess.run([str(program), str(calls)], check=True, capture_output=True, text=True).stdout.split("\n")
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


def measure(function, calls):
    start = time.process_time()
    for _ in range(calls):
        function()
    return 1e6 * (time.process_time() - start) / calls


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=20000)
    given = parser.parse_args()
    os.environ.setdefault("ARGAND_INCLUDE", str(ROOT / "include"))
    os.environ.setdefault("ARGAND_LIBRARY", str(ROOT / "build" / "release" / "src" / "libargand.so"))
    kinds = calls_of_python()
    least, c = {name: float("inf") for _, name, _ in kinds}, {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(7):
            for name, us in in_c(folder, given.calls).items():
                c[name] = min(us, c.get(name, us))
            for _, name, function in kinds:
                least[name] = min(least[name], measure(function, given.calls))
    print("| call | us | in C | above |\n|---|---|---|---|")
    for kind, name, _ in kinds:
        base = c[kind] if kind else 0.0
        print(f"| {name} | {least[name]:.2f} | {base:.2f} | {least[name] - base:.2f} |")


if __name__ == "__main__":
    main()
