#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""msl.py KERNEL_TEXTS PRELUDE [kinds]: the kernels' texts are Metal Shading Language, as far as that can be known without a Mac.

clang compiles each text as C++ for OpenCL behind PRELUDE (msl_prelude.h): address spaces that are mixed up, functions that do not get
their item, arrays of a group outside of kernels and doubles are errors. What that compiler takes and Metal's does not is looked for in
the preprocessed text: pointers without an address space, function-local statics, unions, goto, long long. With "kinds" one key of each
kernel. 77: there is no clang that knows the language."""
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CLANG = ["clang", "-x", "cl", "-cl-std=CLC++", "-target", "spir64-unknown-unknown", "-DMETAL_STAND_IN"]
SPACES = re.compile(r"\b(__global|__local|__private|__constant|device|threadgroup|thread|constant)\b")
# Structs between spaces: Metal copies from constant memory, and chooses between an object and a result of a function (MSL 2.13).
STRUCTS = re.compile(
    r"incompatible operand types \('(?:const )?(?:__\w+ )?(struct \w+)' and '(?:const )?(?:__\w+ )?\1'\)"
    r"|no matching constructor for initialization of 'struct \w+_params'")


def between(text, at, opens, closes):
    """The place behind the bracket that closes the one before `at`."""
    depth = 1
    while depth:
        depth += (text[at] == opens) - (text[at] == closes)
        at += 1
    return at


def functions(text):
    """Name, parameters and body of each function that is defined."""
    for head in re.finditer(r"(?:always_inline\)\)|__kernel|\bkernel)\s+[^;{}()]*?\b(\w+)\(", text):
        end = between(text, head.end(), "(", ")")
        body = re.compile(r"\s*\{").match(text, end)
        if body:
            yield head[1], text[head.end():end - 1], text[body.end():between(text, body.end(), "{", "}")]


def forbidden(text):
    """What Metal's compiler refuses and clang's OpenCL takes."""
    for name, parameters, body in functions(text):
        parameters = re.sub(r"uint\s*\((?:group_|item_)\)|\[\[\w+\]\]", "", parameters)
        for one in parameters.split(","):
            if re.search(r"[*\[&]", one) and not SPACES.search(one):
                yield f"{name}: parameter without an address space: {' '.join(one.split())}"
        for one in re.findall(r"[;{}]\s*((?:const\s+)?(?:struct\s+)?[a-z]\w*\s*\*\s*(?:const\s+)?[a-z]\w*\s*=)", body):
            if not re.match(r"(?:return|else)\b", one) and not SPACES.search(one):
                yield f"{name}: pointer without an address space: {one}"
        for word in re.findall(r"\b(?:static|goto|union|long\s+long)\b", body):
            yield f"{name}: {word}"
    for members in re.findall(r"\bstruct\s+(?:__attribute__\(\([^{]*\)\)\s*)?\w+\s*\{(.*?)\}", text, re.S):
        for one in members.split(";"):
            if "*" in re.sub(r"\[[^]]*\]", "", one) and not SPACES.search(one):
                yield f"member without an address space: {' '.join(one.split())}"


def check(path, prelude):
    """Messages for one text."""
    run = subprocess.run([*CLANG, "-Xclang", "-finclude-default-header", "-Wno-unknown-attributes", "-Wno-ignored-pragmas", "-fsyntax-only",
                          "-ferror-limit=0", "-include", prelude, path], capture_output=True, text=True, check=False)
    said = [line for line in run.stderr.splitlines() if " error: " in line and not STRUCTS.search(line)]
    if run.returncode and " error: " not in run.stderr:
        said.append(run.stderr.strip() or "clang failed")
    seen = subprocess.run([*CLANG, "-E", "-P", "-include", prelude, path], capture_output=True, text=True, check=False).stdout
    own = seen[seen.find("struct kernel_scalar"):]  # behind the prelude, whose functions are not Metal's
    return said + list(forbidden(own))


def main():
    texts, prelude, *kinds = sys.argv[1:]
    try:
        run = subprocess.run([*CLANG, "-fsyntax-only", "-"], input="struct a { int b; }; a c(a d) { return d; }\n", text=True,
                             capture_output=True, check=False)
        if run.returncode:
            raise OSError(run.stderr.strip())
    except OSError as error:
        print(f"skipped: no clang that compiles C++ for OpenCL (Debian: clang): {error}")
        return 77
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        listed = subprocess.run([texts, folder, *kinds], capture_output=True, text=True, check=True).stdout.splitlines()
        keys = [line.split(" ", 2) for line in listed]
        if "ARGAND_TEST_FIRST" in os.environ:  # a third of them, another one in every run
            seed = int(os.environ.get("ARGAND_TEST_SEED") or int.from_bytes(os.urandom(3), "little"))
            print(f"ARGAND_TEST_SEED={seed}")
            keys = keys[seed % 3::3]
        found = list(pool.map(lambda key: check(str(Path(folder) / f"{key[0]}.krn"), prelude), keys))
    bad = [(key[2], said) for key, said in zip(keys, found) if said]
    for key, said in bad:
        print(key, *said[:20], sep="\n    ")
    print(f"{len(keys)} kernels in the Metal Shading Language, {len(bad)} failed")
    return bool(bad) or not keys


sys.exit(main())
