/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles that move by themselves. Passes by persistent blocks, whose next tile is fetched while they work on
 * one (fft/persistent/blocks.krn), against passes by groups of one tile each: few groups that take many
 * rounds, and as many as the device holds; out of place and in place, both directions, arrays that begin in
 * the middle of what is fetched at a time; repeated, as a race shows itself only now and then. */
#include "../../harness.h"

typedef struct kind {
    const char *name, *parameters; /* words: the tuning of both plans (tuning.c) */
    argand_fft_options options;
    int64_t few; /* the batch for few groups */
} kind;

static const kind kinds[] = {
    {"rows, the rest of which comes late",
     "points_per_thread 32 twiddle_products 1",
     {.type = ARGAND_C32, .rank = 1, .n = {16384}, .batch = 300},
     9},
    {"rows, parts of numbers in turn",
     "points_per_thread 32 exchange_mode 1",
     {.type = ARGAND_C32, .rank = 1, .n = {16384}, .batch = 301},
     9},
    {"centred rows",
     "points_per_thread 32 twiddle_products 1",
     {.type = ARGAND_C32, .rank = 1, .n = {16384}, .batch = 301, .centred = true},
     9},
    {"odd rows", "prefetch_distance 0", {.type = ARGAND_C32, .rank = 1, .n = {6561}, .batch = 701}, 9},
    {"odd rows, the rest of which comes late",
     "prefetch_distance 0",
     {.type = ARGAND_C32, .rank = 1, .n = {14641}, .batch = 401},
     9},
    {"boxes of rows, the last of them not full",
     "prefetch_distance 0",
     {.type = ARGAND_C32, .rank = 1, .n = {375}, .batch = 10003},
     107},
    {"planes", "prefetch_distance 0", {.type = ARGAND_C32, .rank = 2, .n = {128, 128}, .batch = 301}, 9},
    {"odd planes", "prefetch_distance 0", {.type = ARGAND_C32, .rank = 2, .n = {81, 99}, .batch = 401}, 9},
    {"rows of which columns are stored",
     "points_per_thread 32 first_part 1024",
     {.type = ARGAND_C32, .rank = 1, .n = {2097152}, .batch = 3},
     1},
    {"rows with gaps between them",
     "split_second 4 radices 323204",
     {.type = ARGAND_C32, .rank = 2, .n = {4096, 128}, .batch = 12},
     2},
    {"pairs of reals",
     "points_per_thread 32",
     {.type = ARGAND_R32, .rank = 1, .n = {32768}, .batch = 301},
     9},
    {"double", "prefetch_distance 0", {.type = ARGAND_C64, .rank = 1, .n = {8192}, .batch = 301}, 9}};
enum { KINDS = sizeof kinds / sizeof *kinds, REPEATS = 3 };

/* Contiguous, from element `offset` of its memory on. */
static argand_array *make_array(const kind *k, argand_type type, bool half, int64_t offset)
{
    argand_array *flat, *array;
    int64_t dims[4], strides[4], count = 1;
    for (int d = 0; d <= k->options.rank; d++) {
        dims[d] = d == k->options.rank ? k->options.batch
                  : half && !d         ? k->options.n[0] / 2 + 1
                                       : k->options.n[d];
        strides[d] = count;
        count *= dims[d];
    }
    const int64_t all = count + offset;
    OK(argand_array_create(&flat, device, type, 1, &all));
    OK(argand_array_view(&array, flat, k->options.rank + 1, dims, strides, offset));
    argand_array_destroy(flat);
    return array;
}

static argand_fft *make_plan(const kind *k, const char *stream, char *way, size_t size)
{
    argand_fft *plan;
    char parameters[256];
    snprintf(parameters, sizeof parameters, "no_cluster 1 chunk_kib 0 %s%s", k->parameters, stream);
    setenv("ARGAND_FFT_ENGINE", "native", 1);
    setenv("ARGAND_FFT_TUNING", parameters, 1);
    OK(argand_fft_create(&plan, device, &k->options));
    argand_fft_print(plan, way, size);
    return plan;
}

static double *transform(const argand_fft *plan, const kind *k, argand_direction direction, bool in_place,
                         int64_t offset)
{
    const bool real = k->options.type == ARGAND_R32;
    argand_array *in = make_array(k, k->options.type, false, offset),
                 *out = in_place ? in : make_array(k, real ? ARGAND_C32 : k->options.type, real, 1 - offset);
    randomise(in, 7, -0.5, 0.5);
    OK(argand_fft_apply(plan, out, in, direction));
    double *numbers = as_doubles(out);
    if (out != in) argand_array_destroy(out);
    argand_array_destroy(in);
    return numbers;
}

static void compare(const kind *k, const argand_fft *alone, const argand_fft *stay, size_t count, int way)
{
    const argand_direction direction = way & 1 ? ARGAND_INVERSE : ARGAND_FORWARD;
    const bool in_place = way & 2;
    const int64_t offset = way >> 2;
    double *expected = transform(alone, k, direction, in_place, offset);
    double *first = transform(stay, k, direction, in_place, offset);
    const double error = relative_error(first, expected, count);
    if (!(error <= (k->options.type == ARGAND_C64 ? 1e-15 : 5e-7)))
        fail_msg("%s, way %d: relative error %g", k->name, way, error);
    for (int again = 0; again < (few() ? 1 : REPEATS); again++) {
        double *next = transform(stay, k, direction, in_place, offset);
        if (memcmp(next, first, count * sizeof *next))
            fail_msg("%s, way %d: other bits at repeat %d", k->name, way, again);
        free(next);
    }
    free(expected);
    free(first);
}

/* Ways are numbers: 1 the inverse, 2 in place, 4 arrays that begin one number later. */
static bool is_wanted(const kind *k, int way, bool few_groups)
{
    if (k->options.type == ARGAND_R32 && way & 3) return false;
    return few_groups || way == 0 || way == 3;
}

/* false: the device has none. */
static bool check(const kind *k, bool few_groups)
{
    char way[512];
    const bool real = k->options.type == ARGAND_R32;
    argand_fft *alone = make_plan(k, " persistent_blocks 0", way, sizeof way);
    if (strstr(way, "persistent blocks")) fail_msg("%s: %s", k->name, way);
    argand_fft *stay =
        make_plan(k, few_groups ? " persistent_blocks 2" : " persistent_blocks 1", way, sizeof way);
    const bool stays = strstr(way, "persistent blocks");
    size_t count = 2 * (size_t)k->options.batch;
    for (int d = 0; d < k->options.rank; d++)
        count *= (size_t)(real && !d ? k->options.n[0] / 2 + 1 : k->options.n[d]);
    for (int w = 0; w < 8 && stays; w++)
        if (is_wanted(k, w, few_groups)) compare(k, alone, stay, count, w);
    argand_fft_destroy(alone);
    argand_fft_destroy(stay);
    if (!stays) print_message("%s: no persistent blocks: %s\n", k->name, way);
    return stays;
}

static void groups_that_stay_are_right(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        if (!in_part(i)) continue;
        kind k = kinds[i];
        bool stays = check(&k, false);
        k.options.batch = k.few;
        if (!stays || !check(&k, true)) skip(); /* they are from capability 9.0 on */
    }
}

/* Tiles that bulk copies move, to shared memory, from there, or both, against items that do. */
static void boxes_moved_whole_are_right(void **state)
{
    (void)state;
    static const kind whole[] = {
        {"odd lines", "prefetch_distance 0", {.type = ARGAND_C32, .rank = 1, .n = {2401}, .batch = 137}, 0},
        {"boxes of odd lines, the last one not full",
         "prefetch_distance 0",
         {.type = ARGAND_C32, .rank = 1, .n = {1001}, .batch = 1003},
         0},
        {"parts of numbers in turn",
         "exchange_mode 1 row_lines 3 row_threads 96",
         {.type = ARGAND_C32, .rank = 1, .n = {375}, .batch = 1001},
         0},
        {"odd planes",
         "prefetch_distance 0",
         {.type = ARGAND_C32, .rank = 2, .n = {81, 99}, .batch = 101},
         0},
        {"double", "prefetch_distance 0", {.type = ARGAND_C64, .rank = 1, .n = {1001}, .batch = 301}, 0},
        {"centred lines, the last box not full",
         "row_lines 3 row_threads 96",
         {.type = ARGAND_C32, .rank = 1, .n = {375}, .batch = 1001, .centred = true},
         0},
        {"short centred lines",
         "threads 128",
         {.type = ARGAND_C32, .rank = 1, .n = {100}, .batch = 1003, .centred = true},
         0},
        {"centred planes",
         "prefetch_distance 0",
         {.type = ARGAND_C32, .rank = 2, .n = {81, 99}, .batch = 101, .centred = true},
         0},
        {"centred, double",
         "prefetch_distance 0",
         {.type = ARGAND_C64, .rank = 1, .n = {1001}, .batch = 301, .centred = true},
         0},
        {"half spectra",
         "prefetch_distance 0",
         {.type = ARGAND_R32, .rank = 1, .n = {1024}, .batch = 301},
         0}};
    static const char *const parameters[] = {" bulk_copy 1", " bulk_copy 2", " bulk_copy 3"};
    for (int i = 0; i < (int)(sizeof whole / sizeof *whole); i++)
        for (int b = 0; b < 3; b++) {
            if (!in_part(3 * i + b)) continue;
            char way[512];
            size_t count = 2 * (size_t)whole[i].options.batch;
            for (int d = 0; d < whole[i].options.rank; d++)
                count *= (size_t)(whole[i].options.type == ARGAND_R32 && !d ? whole[i].options.n[0] / 2 + 1
                                                                            : whole[i].options.n[d]);
            argand_fft *alone = make_plan(&whole[i], " bulk_copy 0", way, sizeof way);
            argand_fft *moved = make_plan(&whole[i], parameters[b], way, sizeof way);
            const bool is = strstr(way, " whole ");
            for (int w = 0; w < 8 && is; w++)
                if (is_wanted(&whole[i], w, true)) compare(&whole[i], alone, moved, count, w);
            argand_fft_destroy(alone);
            argand_fft_destroy(moved);
            if (whole[i].options.type == ARGAND_R32) continue; /* has a side for each direction */
            if (!is) print_message("%s: not moved whole: %s\n", whole[i].name, way);
            if (!is) skip(); /* they are from capability 9.0 on */
        }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(groups_that_stay_are_right),
                                          cmocka_unit_test(boxes_moved_whole_are_right)};
RUN_TESTS(tests)
