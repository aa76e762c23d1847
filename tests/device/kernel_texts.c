/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel_texts FOLDER [kinds]: writes the text of every single-precision kernel that any device may ask for
 * (none of CUDA's own, nor variants with its instructions) to FOLDER/N.krn, for compilers that are programs.
 * Prints "N name key" for each. With "kinds" one key of each kernel. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "device/source.h"
#include "kernels/texts.h"

enum { ITEMS = 256 };

/* Whether devices without doubles and without progress of all groups ask for kernels of that name. */
static bool is_for_all(const char *name)
{
    if (!strncmp(name, "fft_passes_", 11) || !strcmp(name, "nufft_locate")) return false;
    for (const kernel_recipe *r = kernel_recipes; r->name; r++)
        if (!strcmp(r->name, name)) return !r->from;
    return false;
}

/* Sets the value of a macro of a key to 0. */
static void without(char *key, const char *macro)
{
    char *at = strstr(key, macro);
    if (at) at[strlen(macro)] = '0';
}

static argand_status write_text(const char *folder, int number, const char *listed)
{
    char path[4096], key[1 << 14];
    snprintf(key, sizeof key, "%s", listed);
    without(key, " SUM_LAST=");
    without(key, " PHASE_NATIVE=");
    without(key, " PHASE_MIX=");
    text source = {0};
    argand_status status = source_assemble(&source, key, source_items(key) ? source_items(key) : ITEMS);
    snprintf(path, sizeof path, "%s/%d.krn", folder, number);
    FILE *file = status == ARGAND_OK ? fopen(path, "wb") : NULL;
    if (status == ARGAND_OK && (!file || fputs(source.chars, file) < 0))
        status = status_set(ARGAND_FILE, "%s cannot be written", path);
    if (file && fclose(file)) status = status_set(ARGAND_FILE, "%s cannot be written", path);
    text_free(&source);
    return status;
}

int main(int argc, char **argv)
{
    const bool kinds = argc > 2 && !strcmp(argv[2], "kinds");
    char name[64], before[64] = "";
    int count = 0;
    if (argc < 2) return 2;
    for (const char *const *key = kernel_keys; *key; key++) {
        if (source_name(*key, name, sizeof name) || !is_for_all(name)) continue;
        if (strstr(*key, "double") || (kinds && !strcmp(name, before))) continue;
        snprintf(before, sizeof before, "%s", name);
        if (write_text(argv[1], count, *key)) {
            fprintf(stderr, "%s\n", argand_message());
            return 1;
        }
        printf("%d %s %s\n", count++, name, *key);
    }
    return count == 0;
}
