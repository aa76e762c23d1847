/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of GPUs: one row per measured chip, one per generation, and one for unknown GPUs. A new chip
 * needs a row here and no other change. */
#include "device/drivers/chips.h"

#include <math.h>
#include <string.h>

/* Properties of a generation of chips, in the order of compute capability. Limits and abilities come from
 * the CUDA programming guide, table "Technical specifications per compute capability". */
typedef struct generation {
    int from;                 /* first capability, valid up to the next row's */
    size_t most_group_memory; /* bytes of shared memory that were tested; 0: no limit but the driver's */
    int cluster;
    bool progresses, overlaps, bulk_copies;
    device_matrix matrix;
    double rate;        /* bytes/s: memory bandwidth of common cards as specified, less 10 % */
    double doubles;     /* operations/s of a multiprocessor */
    bool fft_leads;     /* docs/performance/fft-h200.md, "Sizes drawn at random" */
    const char *wisdom; /* see device_traits; for chips of at least wisdom_units */
    int wisdom_units;
} generation;

enum { KIB = 1024, CLUSTER = 16 };
static const double FAST_DOUBLES = 1e11, SLOW_DOUBLES = 3e9;

/* Chip whose measured FFT plans serve chips with equal multiprocessors and other memory: their best plans
 * are nearly the same (docs/internals/fft-plan.md). */
static const char measured[] = "NVIDIA H200";

static const generation generations[] = {
    {0, 0, 0, false, false, false, DEVICE_MATRIX_NONE, 4e11, SLOW_DOUBLES, false, NULL,
     0}, /* not from NVIDIA */
    {1, 48 * KIB, 0, false, false, false, DEVICE_MATRIX_NONE, 4e11, SLOW_DOUBLES, false, NULL, 0},
    {70, 48 * KIB, 0, true, false, false, DEVICE_MATRIX_NONE, 4e11, SLOW_DOUBLES, false, NULL, 0},
    {75, 0, 0, true, false, false, DEVICE_MATRIX_NONE, 4e11, SLOW_DOUBLES, false, NULL, 0},
    {80, 0, 0, true, false, false, DEVICE_MATRIX_WAVE, 1.4e12, FAST_DOUBLES, false, NULL, 0},
    {86, 0, 0, true, false, false, DEVICE_MATRIX_WAVE, 6e11, SLOW_DOUBLES, false, NULL, 0},
    {90, 0, CLUSTER, true, true, true, DEVICE_MATRIX_WAVES, 3.0e12, FAST_DOUBLES, true, measured, 100},
    {100, 0, CLUSTER, true, true, true, DEVICE_MATRIX_WAVE, 6.5e12, FAST_DOUBLES, false, NULL, 0},
    {120, 0, 0, true, true, false, DEVICE_MATRIX_WAVE, 6.5e12, FAST_DOUBLES, false, NULL, 0},
};

/* AMD's chips, by the beginning of the name that compilers use. They have no measured rates yet: those here
 * come from their data sheets (bandwidth less 10 %), doubles of a compute unit as of NVIDIA's chips. */
static const struct {
    const char *chip;
    generation of;
} amd[] = {
    {"gfx90a", {.rate = 1.4e12, .doubles = 1e11}}, /* MI210, one half of an MI250 */
    {"gfx942", {.rate = 4.7e12, .doubles = 1e11}}, /* MI300A, MI300X */
    {"gfx11", {.rate = 8.6e11, .doubles = 3e9}},   /* RX 7900 */
    {"gfx", {.rate = 4e11, .doubles = 3e9}},
};

/* Rates of measured chips, by the name that the driver reports (docs/performance.md). */
static const struct {
    const char *name;
    device_rates rates;
} measured_chips[] = {
    {measured,
     {.far_rate = 4.265e12,
      .near_rate = 4.9e12,
      .near_bytes = 40e6,
      .launch = 4e-6,
      .operations = 3e13,
      .doubles = 1.5e13}},
};

static const device_chip absent[] = {
    {"h200", measured, 90, 132, 150000000000, 227 * KIB},
    {"h100", "NVIDIA H100 80GB HBM3", 90, 132, 85000000000, 227 * KIB},
    {"a100", "NVIDIA A100-SXM4-80GB", 80, 108, 85000000000, 163 * KIB},
    {"b200", "NVIDIA B200", 100, 148, 192000000000, 227 * KIB},
    {"rtx5090", "NVIDIA GeForce RTX 5090", 120, 170, 34000000000, 99 * KIB},
};

const device_chip *chips_absent(int index)
{
    return index >= 0 && index < (int)(sizeof absent / sizeof *absent) ? &absent[index] : NULL;
}

static const generation *generation_of(int capability)
{
    const generation *found = generations;
    for (size_t i = 0; i < sizeof generations / sizeof *generations; i++)
        if (generations[i].from <= capability) found = &generations[i];
    return found;
}

/* Returns the measured rates of a chip, or an estimate from its generation and number of multiprocessors. */
static device_rates rates_of(const char *name, const generation *g, int units)
{
    enum { UNKNOWN_UNITS = 64 };
    const double all = units > 0 ? units : UNKNOWN_UNITS;
    for (size_t i = 0; i < sizeof measured_chips / sizeof *measured_chips; i++)
        if (!strcmp(name, measured_chips[i].name)) return measured_chips[i].rates;
    return (device_rates){.far_rate = g->rate,
                          .near_rate = 1.3 * g->rate,
                          .near_bytes = 2.5e5 * all,
                          .launch = 4e-6,
                          .operations = 2e11 * all,
                          .doubles = g->doubles * all};
}

static void describe(device_traits *traits, const char *name, const generation *g)
{
    if (g->most_group_memory && traits->group_memory > g->most_group_memory)
        traits->group_memory = g->most_group_memory;
    traits->cluster = g->cluster;
    traits->progresses = g->progresses;
    traits->overlaps = g->overlaps;
    traits->bulk_copies = g->bulk_copies;
    traits->matrix = g->matrix;
    traits->rates = rates_of(name, g, traits->units);
    traits->fft_leads = g->fft_leads;
    const bool alike = g->wisdom && traits->units >= g->wisdom_units && strcmp(name, g->wisdom) != 0;
    traits->wisdom = alike ? g->wisdom : NULL;
}

static double size_of(int units)
{
    static const double LEAST_SIZE = 0.05;
    return fmax(LEAST_SIZE, (double)units / CHIP_UNITS);
}

void chips_describe(device_traits *traits, const char *name, int capability)
{
    static const double OTHER_SIZE = 0.02;
    describe(traits, name, generation_of(capability));
    traits->size = capability ? size_of(traits->units) : OTHER_SIZE;
    traits->fft_tuned = capability > 0;
}

void chips_describe_amd(device_traits *traits, const char *name, const char *chip)
{
    const generation *found = &generations[0];
    for (size_t i = sizeof amd / sizeof *amd; i-- > 0;)
        if (!strncmp(chip, amd[i].chip, strlen(amd[i].chip))) found = &amd[i].of;
    describe(traits, name, found);
    traits->size = size_of(traits->units);
}
