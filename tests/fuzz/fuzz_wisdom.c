/* SPDX-License-Identifier: BSD-3-Clause */
/* Wisdom as text: what is taken is printed as text that is taken again. */
#include "fuzz/fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    size_t needed;
    char *text = malloc(count + 1);
    if (!text) abort();
    if (count) memcpy(text, bytes, count);
    text[count] = 0;
    argand_fft_wisdom_forget();
    const bool taken = argand_fft_wisdom_import(text) == ARGAND_OK;
    free(text);
    if (!taken && !argand_message()[0]) abort();
    if (argand_fft_wisdom_export(NULL, 0, &needed) != ARGAND_OK) abort();
    char *known = malloc(needed);
    if (!known || argand_fft_wisdom_export(known, needed, NULL) != ARGAND_OK) abort();
    if (strlen(known) + 1 != needed || argand_fft_wisdom_import(known) != ARGAND_OK) abort();
    free(known);
    return 0;
}
