# SPDX-License-Identifier: BSD-3-Clause
"""The first tier of the tests takes a part of what costs long, another one in every run, as tests/sample.h does in C."""

import os

FIRST = "ARGAND_TEST_FIRST" in os.environ
SEED = int(os.environ.get("ARGAND_TEST_SEED") or int.from_bytes(os.urandom(3), "little"))
if FIRST:
    print(f"ARGAND_TEST_SEED={SEED}", flush=True)


def in_round(i, of):
    """Whether case i is in this run: all are in the second tier, and `of` neighbours each in one of `of` runs of the first."""
    return not FIRST or i % of == SEED % of
