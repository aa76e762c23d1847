/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid motion of up to 5 mm and 5 degrees in 8 to 32 shots of three kinds: the table of
 * docs/how-to/motion.md. */
#include "moved.h"

static void all_kinds(void **state)
{
    (void)state;
    for (int which = 0; which < KINDS; which++)
        for (int rows = 8; rows <= 32; rows *= 2) run((kind)which, 128, rows, 0.3);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_kinds),
};
RUN_TESTS(tests)
