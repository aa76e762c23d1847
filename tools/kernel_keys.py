#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""kernel_keys.py BUILD [--check | TEST...]: src/kernels/keys.txt from the plans of a build's tests and of shipped wisdom.

Each test program runs on "cuda:0" over the fake driver and compiler of tests/device, where nothing is computed but every kernel is
asked for as on a GPU. What it compares there is wrong, which does not matter here. Of all keys, and those that keys.txt has
already, as few are kept as have every value of every macro that the others have (`values`). With names of tests (nufft_gpu) only
these run, and keys.txt gets what it lacks. With --check some programs run, nothing is written, and what keys.txt lacks fails."""
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

root = Path(__file__).resolve().parent.parent
data = root / "src" / "kernels" / "keys.txt"
HEAD = """# Keys by which the library asks for kernels, one a line, for tests that build all of them (kernel_keys, texts.h): its name and
# what is defined when it is compiled. Made by tools/kernel_keys.py from the plans of tests and wisdom; a test compares them.
"""
QUICK = ["array_pointwise", "array_scalars", "calib_density", "conv_tiles", "conv_resample", "fft_access_types", "fft_fused_real",
         "fft_tuning", "field_devices", "nufft_gpu", "solve_cg"]
COUNTED = ("PITCHES", "PADDINGS", "INTERVALS", "LENGTHS", "POINTS", "STRIDES", "FIRST", "COUNT", "AMOUNTS", "TWIDDLES", "TABLE_SHIFT",
           "ARGUMENTS", "ITEMS", "POINTS_PER_ITEM", "D0", "D1", "D2", "DISTANCE", "MIN_BLOCKS", "SPECTRUM", "ORIGIN", "STRIDE", "RADIX", "BUTTERFLY",
           "COUNTS", "LINE", "WIDTH", "LEFT", "TERMS", "SINC_X", "SINC_Y", "SINC_Z", "REALS_PER_ITEM")
LARGE = 8
SECONDS = 300  # of a processor, so that a busy machine does not see less; what never ends ends there


def programs(build, names):
    """Test programs, by ctest, as a folder may hold older ones. Those that are left out ask for texts that they make up."""
    listed = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], stdout=subprocess.PIPE, check=True)
    commands = [Path(t["command"][0]) for t in json.loads(listed.stdout)["tests"] if t.get("command")]
    found = {c.name[len("test_"):]: c for c in commands if c.name.startswith("test_")}
    missing = [n for n in names if n not in found]
    if missing:
        sys.exit(f"{build}: no such tests: {' '.join(missing)}")
    own = ("cuda_fake", "kernels_offline", "device_", "faults", "ladder")
    return [found[n] for n in names or sorted(found) if not n.startswith(own)]


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def run(build, command, keys, capability="90"):
    """Adds what a command asks for on such a chip to the file of keys."""
    fakes = build / "tests" / "device" / "fakes"
    env = dict(os.environ, LD_LIBRARY_PATH=str(fakes), FAKE_NVRTC_KEYS=str(keys), FAKE_CUDA_CAPABILITY=capability, ARGAND_CACHE="off",
               ARGAND_CUFFT="off", ARGAND_KERNELS="off", OMP_WAIT_POLICY="passive")
    env.pop("ARGAND_WISDOM", None)
    if "test_" in command[0]:
        env["LD_PRELOAD"] = "libfake_cmocka.so"
    done = subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit, check=False)
    if done.returncode in (-signal.SIGKILL, -signal.SIGXCPU):
        print(f"{command[0]}: stopped after {SECONDS} s of a processor; what it had asked for counts", file=sys.stderr)


def asked(build, names):
    """All keys that were asked for; texts of a test's own are no kernels of the library."""
    with tempfile.TemporaryDirectory() as folder:
        keys = Path(folder) / "keys"
        keys.touch()
        run(build, [str(build / "argand"), "kernels", "--device", "offline:h200", "--out", folder + "/out"], keys)
        for program in programs(build, names):
            run(build, [str(program), "cuda:0"], keys)
            if "field" in program.name:
                run(build, [str(program), "cuda:0"], keys, "80")
        own = ("ladder_", "add_one", "axpby2", "order_test")
        return sorted({k for k in keys.read_text().split("\n") if k and not k.startswith(own) and " OWN=" not in k})


def values(macro, value):
    """Numbers up to 8 are modes, one by one; numbers of something are 0, 1 or more; of radices each is a text of its own."""
    most = 1 if macro.endswith(COUNTED) else LARGE
    for part in value.split(","):
        large = part.lstrip("-").isdigit() and abs(int(part)) > most
        yield "large" if large and "RADICES" not in macro else part


def features(key):
    """What a key tests: its kernel, and each value of its macros, in whichever pass of several."""
    name, *defines = key.split()
    out = {(name,)}
    for define in defines:
        macro, _, value = define.partition("=")
        macro = macro[:-2] if macro[-2:] in ("_0", "_1", "_2") else macro
        owner = "any kernel" if "RADICES" in macro else name
        out |= {(owner, macro, v) for v in values(macro, value)}
    return frozenset(out)


def cover(keys, known=frozenset()):
    """As few keys as have all features but known ones: whichever has most of those left, again and again; the shorter of equals."""
    have = {key: features(key) for key in keys}
    left, taken = set().union(*have.values()) - known, []
    while left:
        best = max(sorted(have), key=lambda key: (len(have[key] & left), -len(key)))
        taken.append(best)
        left -= have.pop(best)
    return sorted(taken)


def macros(key):
    return {define.split("=")[0] for define in key.split()[1:]}


def still_asked(keys):
    """Those of keys.txt, some of which only a GPU's own measurements ask for, while their kernels take such macros."""
    known = {}
    for key in keys:
        known.setdefault(key.split()[0], set()).update(macros(key))
    return [key for key in committed() if macros(key) <= known.get(key.split()[0], macros(key))]


def committed():
    return [line for line in data.read_text().split("\n") if line and line[0] != "#"]


def check(build):
    known = set().union(*map(features, committed()))
    missing = sorted(set().union(*map(features, asked(build, QUICK))) - known)
    for feature in missing[:20]:
        print("no key of keys.txt has", " ".join(feature))
    if missing:
        sys.exit("run tools/kernel_keys.py on a build with tests")


def main():
    build = Path(sys.argv[1]).resolve()
    if "--check" in sys.argv:
        return check(build)
    names = sys.argv[2:]
    keys = asked(build, names)
    if names:
        have = set().union(*map(features, committed()))
        keys = [*committed(), *cover([k for k in keys if not features(k) <= have], have)]
    else:
        keys = cover([*keys, *still_asked(keys)])
    data.write_text(HEAD + "\n".join(sorted(keys)) + "\n")
    print(len(keys), "keys")


main()
