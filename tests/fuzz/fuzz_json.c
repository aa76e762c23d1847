/* SPDX-License-Identifier: BSD-3-Clause */
/* Sidecars as text: whatever is visited are whole texts within their limits. */
#include <stdlib.h>
#include <string.h>
#include "common/json_flat.h"
#include "fuzz/fuzz.h"

static bool visit(void *context, const char *group, const char *name, const char *value)
{
    int *left = context;
    if (strlen(group) >= JSON_NAME || strlen(name) >= JSON_NAME || strlen(value) >= JSON_VALUE) abort();
    return --*left > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    int most = 1000;
    char *text = malloc(count + 1);
    if (!text) abort();
    if (count) memcpy(text, bytes, count);
    text[count] = 0;
    json_walk(text, visit, &most);
    free(text);
    return 0;
}
