/* SPDX-License-Identifier: BSD-3-Clause */
/* ARGAND_FIELD_SHAPE="chunks 1 overlap 1": tuning parameters for experiments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "field/device_engine.h"

void field_tuning_value(const char *wanted, int *value)
{
    const char *list = getenv("ARGAND_FIELD_SHAPE");
    char word[16];
    int number, used;
    for (; list && sscanf(list, "%15s %d %n", word, &number, &used) == 2; list += used)
        if (!strcmp(word, wanted)) *value = number;
}

bool field_run_overlaps(void)
{
    int overlaps = 1;
    field_tuning_value("pdl", &overlaps);
    return overlaps;
}
