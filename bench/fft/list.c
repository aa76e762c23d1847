/* SPDX-License-Identifier: BSD-3-Clause */
/* The sizes of `argand bench fft`, in families. */
#include "fft/fft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct family {
    const char *name;
    argand_type type;
    int rank;
    bool single;  /* one transform at a time */
    bool further; /* true: not part of "all" */
    int64_t n[64][3];
} family;

#define CUBE(n) \
    {           \
        n, n, n \
    }
#define SQUARE(n) \
    {             \
        n, n      \
    }

static const family families[] = {
    {"c2c1d", ARGAND_C32, 1, false, false, {{8},       {16},      {32},      {64},      {128},     {256},
                                            {512},     {1024},    {2048},    {4096},    {8192},    {16384},
                                            {32768},   {65536},   {131072},  {262144},  {524288},  {1 << 20},
                                            {1 << 21}, {1 << 22}, {1 << 23}, {1 << 24}, {1 << 25}, {1 << 26},
                                            {6},       {10},      {12},      {15},      {100},     {105},
                                            {243},     {360},     {1000},    {1001},    {1536},    {2187},
                                            {2310},    {2401},    {3125},    {6561},    {10000},   {14641},
                                            {28561},   {30030},   {46656},   {100000},  {177147},  {1000000},
                                            {10077696}}},
    {"prime1d",
     ARGAND_C32,
     1,
     false,
     false,
     {{17}, {127}, {521}, {1009}, {2053}, {4099}, {10007}, {65537}, {1000003}}},
    {"c2c2d",
     ARGAND_C32,
     2,
     false,
     false,
     {SQUARE(256), SQUARE(320), SQUARE(384), SQUARE(512), SQUARE(640), SQUARE(1000), SQUARE(1024),
      SQUARE(2048), SQUARE(4096), SQUARE(8192)}},
    {"c2c3d",
     ARGAND_C32,
     3,
     true,
     false,
     {CUBE(32), CUBE(64), CUBE(96), CUBE(100), CUBE(128), CUBE(160), CUBE(192), CUBE(200), CUBE(256),
      CUBE(320), CUBE(384), CUBE(400), CUBE(512), CUBE(640), CUBE(800), CUBE(1024)}},
    {"c2c3dB", ARGAND_C32, 3, false, false, {CUBE(64), CUBE(128), CUBE(256)}},
    {"r2c1d", ARGAND_R32, 1, false, false, {{256}, {1000}, {1024}, {4096}, {65536}, {1 << 20}}},
    {"z2z1d", ARGAND_C64, 1, false, false, {{256}, {1024}, {4096}, {65536}, {1 << 20}}},
    {"z2z3d", ARGAND_C64, 3, true, false, {CUBE(128), CUBE(256), CUBE(512)}},
    /* families that are not part of "all" */
    {"odd1d",
     ARGAND_C32,
     1,
     false,
     true,
     {{31},
      {61},
      {96},
      {131},
      {257},
      {509},
      {625},
      {729},
      {1331},
      {2197},
      {4093},
      {15625},
      {16807},
      {131071}}},
    {"d2z1d", ARGAND_R64, 1, false, true, {{256}, {1000}, {1024}, {4096}, {65536}, {1 << 20}}},
    {"c2r1d", ARGAND_R32, 1, false, true, {{256}, {1000}, {1024}, {4096}, {65536}, {1 << 20}}},
    {"c2r2d",
     ARGAND_R32,
     2,
     false,
     true,
     {SQUARE(256), SQUARE(512), SQUARE(1000), SQUARE(1024), SQUARE(4096)}},
    {"z2d1d", ARGAND_R64, 1, false, true, {{256}, {1000}, {1024}, {4096}, {65536}, {1 << 20}}},
    {"r2c2d",
     ARGAND_R32,
     2,
     false,
     true,
     {SQUARE(256), SQUARE(512), SQUARE(1000), SQUARE(1024), SQUARE(4096)}},
    {"r2c3d", ARGAND_R32, 3, true, true, {CUBE(64), CUBE(128), CUBE(200), CUBE(256), CUBE(400), CUBE(512)}},
    {"mri2d",
     ARGAND_C32,
     2,
     false,
     true,
     {SQUARE(64), SQUARE(128), {240, 256}, {243, 250}, {1920, 1080}, {3840, 2160}}},
    {"mri3d", ARGAND_C32, 3, true, true, {{320, 256, 240}, {256, 192, 120}, CUBE(384), CUBE(500)}},
};
enum { FAMILIES = sizeof families / sizeof *families };

/* A few cases of each kind, which take a processor one minute. */
static const fft_case brief[] = {{"short", ARGAND_C32, 1, {256}, 4096, 0, false},
                                 {"short", ARGAND_C32, 1, {4096}, 256, 0, false},
                                 {"short", ARGAND_C32, 1, {1000}, 1000, 0, false},
                                 {"short", ARGAND_C32, 1, {1009}, 500, 0, false},
                                 {"short", ARGAND_C32, 1, {65536}, 1, 0, false},
                                 {"short", ARGAND_C32, 1, {1048576}, 1, 0, false},
                                 {"short", ARGAND_C32, 2, {64, 64}, 64, 0, false},
                                 {"short", ARGAND_C32, 2, {256, 256}, 1, 0, false},
                                 {"short", ARGAND_C32, 2, {256, 256}, 16, 0, false},
                                 {"short", ARGAND_C32, 2, {243, 250}, 16, 0, false},
                                 {"short", ARGAND_C32, 2, {512, 512}, 1, 0, false},
                                 {"short", ARGAND_C32, 2, {1024, 1024}, 1, 0, false},
                                 {"short", ARGAND_C32, 3, {64, 64, 64}, 1, 0, false},
                                 {"short", ARGAND_C32, 3, {128, 128, 128}, 1, 0, false}};
enum { BRIEF = sizeof brief / sizeof *brief };

const char *fft_family_names(void)
{
    static char names[300];
    size_t used = (size_t)snprintf(names, sizeof names, "all, short");
    for (int i = 0; i < FAMILIES; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, ", %s", families[i].name);
    return names;
}

static bool is_double(argand_type type)
{
    return type == ARGAND_R64 || type == ARGAND_C64;
}

static int64_t product(const fft_case *c)
{
    int64_t points = 1;
    for (int axis = 0; axis < c->rank; axis++) points *= c->n[axis];
    return points;
}

/* Returns true if an entry of the list begins the family's name. */
static bool is_named(const char *list, const family *f)
{
    for (const char *word = list; *word; word += *word == ',') {
        const size_t length = strcspn(word, ",");
        if (length == 3 && !strncmp(word, "all", 3) && !f->further) return true;
        if (length && !strncmp(word, f->name, length)) return true;
        word += length;
    }
    return false;
}

static bool names_short(const char *list)
{
    return !strcmp(list, "short");
}

/* Returns true for complex to real, by the family's name. */
static bool is_back(const family *f)
{
    return !strncmp(f->name, "c2r", 3) || !strncmp(f->name, "z2d", 3);
}

static int add_family(fft_case *cases, int count, const family *f, int64_t points, bool large)
{
    if (is_double(f->type)) points /= 2;
    for (int i = 0; f->n[i][0]; i++) {
        fft_case c = {.family = f->name, .type = f->type, .rank = f->rank, .batch = 1, .back = is_back(f)};
        memcpy(c.n, f->n[i], sizeof c.n);
        c.points = product(&c);
        if (c.points > points && !(large && f->single)) continue;
        if (!f->single) c.batch = points / c.points;
        cases[count++] = c;
    }
    return count;
}

fft_case *fft_cases(const char *list, int64_t points, bool large, int *count)
{
    fft_case *cases = calloc(BRIEF + 64 * FAMILIES, sizeof *cases);
    bool known = names_short(list);
    *count = 0;
    if (!cases) return NULL;
    if (known) {
        memcpy(cases, brief, sizeof brief);
        for (*count = 0; *count < BRIEF; ++*count) cases[*count].points = product(&cases[*count]);
    }
    for (int i = 0; i < FAMILIES; i++) {
        if (!is_named(list, &families[i])) continue;
        known = true;
        *count = add_family(cases, *count, &families[i], points, large);
    }
    if (known) return cases;
    free(cases);
    return NULL;
}

const char *fft_case_size(char *text, size_t size, const fft_case *c)
{
    size_t used = 0;
    for (int axis = 0; axis < c->rank; axis++)
        used += (size_t)snprintf(text + used, size - used, "%s%lld", axis ? "x" : "", (long long)c->n[axis]);
    return text;
}

int64_t fft_case_bytes(const fft_case *c, bool output)
{
    const int64_t elements =
        (fft_case_has_half(c, output) ? c->points / c->n[0] * (c->n[0] / 2 + 1) : c->points) * c->batch;
    return elements * (is_double(c->type) ? 8 : 4) * (fft_case_has_reals(c, output) ? 1 : 2);
}

/* ---- random sizes ---- */

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

/* Draws a length, uniform in the logarithm, until its prime factors are at most 7. */
static int64_t draw_length(uint64_t *state, double least, double most)
{
    for (;;) {
        const int64_t n = (int64_t)(least * exp(uniform(state) * log(most / least)) + 0.5);
        int64_t rest = n;
        for (int factor = 2; factor <= 7; factor++)
            while (rest % factor == 0) rest /= factor;
        if (rest == 1) return n;
    }
}

fft_case *fft_random_cases(const fft_case *like, int count, int seed)
{
    static const double most[] = {16384, 700, 200};
    fft_case *cases = calloc((size_t)count, sizeof *cases);
    uint64_t state = (uint64_t)seed * 1000003;
    for (int i = 0; cases && i < count; i++) {
        fft_case *c = &cases[i];
        *c = *like;
        for (int axis = 0; axis < c->rank; axis++) c->n[axis] = draw_length(&state, 20, most[c->rank - 1]);
        c->batch = 1;
        c->points = product(c);
        const double bytes = 1e6 * exp(uniform(&state) * log(64));
        c->batch = (int64_t)(bytes / (double)fft_case_bytes(c, false));
        if (c->batch < 1) c->batch = 1;
    }
    return cases;
}
