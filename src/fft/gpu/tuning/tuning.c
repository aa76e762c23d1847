/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses, checks and prints the tuning of the native GPU engine (ARGAND_FFT_TUNING, wisdom). */
#include "fft/gpu/tuning/tuning.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A parameter of parameters.inc. */
typedef struct parameter {
    const char *name, *help;
    size_t at; /* offset of the field */
    int least, most, default_value;
} parameter;

static const parameter parameters[] = {
#define PARAMETER(name, least, most, default_value, help) \
    {#name, help, offsetof(gpu_tuning, name), least, most, default_value},
#include "fft/gpu/tuning/parameters.inc"
#undef PARAMETER
};
enum { PARAMETERS = sizeof parameters / sizeof *parameters, NAME = 32 };

static const char *environment(void)
{
    return getenv("ARGAND_FFT_TUNING");
}

bool tuning_is_given(void)
{
    return environment() != NULL;
}

bool tuning_given(int i, char *variant, size_t size)
{
    const char *at = environment();
    for (; at && i > 0; i--) {
        at = strchr(at, ';');
        if (at) at++;
    }
    if (!at) return false;
    at += strspn(at, " ");
    snprintf(variant, size, "%.*s", (int)strcspn(at, ";"), at);
    return true;
}

/* Reads a name and a number at `at`. Returns their characters with the space behind them; 0: not such a
 * pair. */
static int read_pair(const char *at, char name[NAME], int *value)
{
    int used = 0;
    return sscanf(at, "%31s %d %n", name, value, &used) == 2 ? used : 0;
}

static const parameter *find(const char *name)
{
    for (int i = 0; i < PARAMETERS; i++)
        if (!strcmp(parameters[i].name, name)) return &parameters[i];
    return NULL;
}

static bool set(gpu_tuning *t, const char *name, int value)
{
    const parameter *p = find(name);
    if (!p || value < p->least || value > p->most) return false;
    *(int *)((char *)t + p->at) = value;
    return true;
}

/* Sets all keys. Returns the first key that is unknown or has no valid value; NULL: none. */
static const char *set_all(gpu_tuning *t, const char *variant)
{
    char name[NAME];
    int value, used;
    if (!strcmp(variant, TUNING_STANDARD)) return NULL;
    for (; *variant; variant += used) {
        used = read_pair(variant, name, &value);
        if (!used || !set(t, name, value)) return variant;
    }
    return NULL;
}

static void set_defaults(gpu_tuning *t)
{
    for (int i = 0; i < PARAMETERS; i++) *(int *)((char *)t + parameters[i].at) = parameters[i].default_value;
}

bool tuning_parse(gpu_tuning *t, const char *variant)
{
    char first[FFT_VARIANT_CHARS];
    set_defaults(t);
    if (!*variant && tuning_given(0, first, sizeof first)) variant = first;
    return !set_all(t, variant);
}

const char *tuning_unknown(const char *variant)
{
    gpu_tuning t;
    return set_all(&t, variant);
}

bool tuning_changed(const char *variant, const char *change, char *to, size_t size)
{
    char name[NAME], changed[NAME];
    int value, used, count = 0;
    if (!read_pair(change, changed, &value)) return false;
    if (!strcmp(variant, TUNING_STANDARD)) variant = "";
    *to = 0;
    for (; *variant; variant += used) {
        used = read_pair(variant, name, &value);
        if (!used) return false;
        if (strcmp(name, changed) != 0)
            count += snprintf(to + count, size - (size_t)count, "%s %d ", name, value);
        if (count >= (int)size) return false;
    }
    return count + snprintf(to + count, size - (size_t)count, "%s", change) < (int)size;
}

static argand_status refuse(const char *at)
{
    char known[PARAMETERS * NAME], name[NAME] = "";
    int used = 0;
    sscanf(at, "%31s", name);
    const parameter *p = find(name);
    CHECK(!p, ARGAND_ARGUMENT, "argand_fft_create: ARGAND_FFT_TUNING has \"%s\"; behind %s stands %d to %d",
          at, name, p->least, p->most);
    for (int k = 0; k < PARAMETERS; k++)
        used +=
            snprintf(known + used, sizeof known - (size_t)used, "%s%s", k ? ", " : "", parameters[k].name);
    return status_set(
        ARGAND_ARGUMENT,
        "argand_fft_create: ARGAND_FFT_TUNING has \"%s\", which is no parameter and its number; known are %s",
        at, known);
}

argand_status tuning_check(void)
{
    char variant[FFT_VARIANT_CHARS];
    for (int i = 0; tuning_given(i, variant, sizeof variant); i++) {
        gpu_tuning t;
        const char *wrong = set_all(&t, variant);
        CHECK(strlen(variant) + 1 < sizeof variant, ARGAND_ARGUMENT,
              "argand_fft_create: ARGAND_FFT_TUNING has \"%s...\"; a variant has fewer than %d characters",
              variant, (int)sizeof variant - 1);
        if (wrong) return refuse(wrong);
    }
    return ARGAND_OK;
}

void tuning_print(text *t)
{
    for (int i = 0; i < PARAMETERS; i++) {
        const parameter *p = &parameters[i];
        text_add(t, "%s (%d to %d, default %d): %s\n", p->name, p->least, p->most, p->default_value, p->help);
    }
}
