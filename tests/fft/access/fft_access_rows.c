/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines on processors with accessors: rotated by whole numbers, against plain transforms, and rows of reals
 * that are multiplied on their way in and out, against the sums as they are written and products made
 * separately.
 */
#include "access_reference.h"

static argand_array *random_array(argand_type type, int rank, const int64_t *dims, uint64_t seed)
{
    argand_array *a = new_array(type, rank, dims);
    randomise(a, seed, 0, 0);
    return a;
}

/* ---- shifts ---- */

/* Every element of `shifted` is that of `plain` whose place along each axis is so many less. */
static void check_moved(const argand_array *shifted, const argand_array *plain, const int64_t *n,
                        const int64_t *by, double bound)
{
    const int64_t count = n[0] * n[1] * n[2];
    double *s = as_doubles(shifted), *p = as_doubles(plain), worst = 0, most = 0;
    for (int64_t i = 0; i < count; i++) {
        const int64_t x = (i % n[0] + by[0]) % n[0], y = (i / n[0] % n[1] + by[1]) % n[1],
                      from = x + n[0] * (y + n[1] * (i / n[0] / n[1]));
        const double error = hypot(s[2 * i] - p[2 * from], s[2 * i + 1] - p[2 * from + 1]);
        worst = error > worst ? error : worst;
        most = fmax(most, hypot(p[2 * i], p[2 * i + 1]));
    }
    CHECK_BELOW(worst, bound * most);
    free(s);
    free(p);
}

/* Results rotated by whole numbers, there (or back) and the other way from where they are, in place, against
 * what a plain plan makes: n[2] lines of n[0] points, or planes of n[0] x n[1]. */
static void check_shifts(argand_type type, argand_direction direction, const int64_t *n, const int64_t *by)
{
    const argand_direction other = direction == ARGAND_FORWARD ? ARGAND_INVERSE : ARGAND_FORWARD;
    const double bound = type == ARGAND_C64 ? 1e-13 : 2e-5;
    const int64_t lines[2] = {n[0], n[2]}, nowhere[2] = {0, 0};
    argand_fft_options o = {.type = type, .rank = n[1] > 1 ? 2 : 1, .n = {n[0], n[1]}, .batch = n[2]};
    const int64_t *dims = o.rank == 2 ? n : lines;
    argand_array *x = random_array(type, o.rank + 1, dims, 21), *y = new_array(type, o.rank + 1, dims),
                 *z = new_array(type, o.rank + 1, dims);
    argand_fft *plain = new_plan(&o), *shifted, *back;
    for (int d = 0; d < o.rank; d++) o.output.window[d].first = by[d];
    shifted = new_plan(&o);
    for (int d = 0; d < o.rank; d++) o.output.window[d].first = 0;
    for (int d = 0; d < o.rank; d++) o.input.window[d].first = by[d];
    back = new_plan(&o);
    OK(argand_fft_apply(plain, y, x, direction));
    OK(argand_fft_apply(shifted, z, x, direction));
    check_moved(z, y, n, by, bound);
    OK(argand_fft_apply(plain, y, y, other));
    OK(argand_fft_apply(back, z, z, other));
    check_moved(z, y, n, nowhere, bound);
    argand_fft *const plans[] = {plain, shifted, back};
    for (int i = 0; i < 3; i++) argand_fft_destroy(plans[i]);
    argand_array *const all[] = {x, y, z};
    for (int i = 0; i < 3; i++) argand_array_destroy(all[i]);
}

/* Lines by every way: at once, in vectors, as matrices of even and odd radices, of fewer rows or columns than
 * lanes, of several vectors at a time, with prime factors, across, in slabs; shifts to either side of every
 * border between vectors, and random ones. */
static void shifts(void **state)
{
    (void)state;
    static const int64_t sizes[][3] = {
        {8, 1, 5},    {13, 1, 5},   {20, 1, 9},    {48, 1, 7},     {32, 1, 3},    {64, 1, 3},
        {128, 1, 3},  {256, 1, 40}, {24, 1, 2},    {36, 1, 2},     {225, 1, 3},   {360, 1, 2},
        {539, 1, 2},  {1000, 1, 2}, {1024, 1, 30}, {2187, 1, 2},   {34, 1, 20},   {100, 60, 2},
        {128, 96, 2}, {600, 9, 2},  {15, 1024, 2}, {150000, 2, 1}, {262144, 2, 1}};
    uint64_t seed = 12345;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int round = 0; round < (sizes[i][0] < 1500 ? 12 : 3); round++) {
            const int64_t *n = sizes[i];
            int64_t by[2];
            for (int d = 0; d < 2; d++) {
                seed = seed * 6364136223846793005U + 1442695040888963407U;
                by[d] = round < 2 ? (round ? n[d] - 1 : 1) % n[d] : (int64_t)(seed >> 33) % n[d];
            }
            check_shifts(round % 2 && precisions() > 1 ? ARGAND_C64 : ARGAND_C32,
                         round % 4 < 2 ? ARGAND_FORWARD : ARGAND_INVERSE, n, by);
        }
}

/* ---- rows of reals ---- */

typedef struct real_case {
    int rank;
    int64_t n[3]; /* the batch behind the axes */
} real_case;

/* An array of these sizes along the dimensions of `along`, the same along the others; `apart`: its elements
 * along axis 0 are not neighbours. */
static argand_array *array_along(argand_type type, int dims, const int64_t *n, unsigned along, bool apart,
                                 uint64_t seed)
{
    int64_t sizes[3], strides[3], count = apart ? 2 : 1;
    for (int d = 0; d < dims; d++) {
        sizes[d] = along >> d & 1 ? n[d] : 1;
        strides[d] = count;
        count *= sizes[d];
    }
    argand_array *all = random_array(type, 1, &count, seed), *view;
    OK(argand_array_view(&view, all, dims, sizes, strides, 0));
    argand_array_destroy(all);
    return view;
}

/* Half a spectrum from reals, arrays at both ends; variants: what the arrays differ along, precision,
 * conjugate, a scalar behind the array, elements that are not neighbours. */
static void check_forward(const real_case *c, int variant)
{
    const bool is_double = variant % 2 && precisions() > 1, apart = variant == 4;
    const argand_type reals = is_double ? ARGAND_R64 : ARGAND_R32,
                      whole = is_double ? ARGAND_C64 : ARGAND_C32;
    const unsigned axes = (1U << c->rank) - 1,
                   at_load = (const unsigned[]){axes, 1, 2 * axes + 1, 2, axes}[variant],
                   at_store = (const unsigned[]){1, axes, axes, 2 * axes + 1, axes}[variant];
    const int dims = c->rank + 1;
    const int64_t half[3] = {c->n[0] / 2 + 1, c->n[1], c->n[2]};
    argand_array *window = array_along(reals, dims, c->n, at_load, apart, 31),
                 *map = array_along(whole, dims, half, at_store, apart, 32);
    argand_fft_options o = {
        .type = reals, .rank = c->rank, .batch = c->n[c->rank], .scale = ARGAND_SCALE_UNITARY};
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = window};
    o.access.store[0] =
        (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = map, .conjugate = variant == 2};
    if (variant == 3)
        o.access.store[1] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {-0.5, 0.75}};
    memcpy(o.n, c->n, (size_t)c->rank * sizeof *o.n);
    argand_array *x = random_array(reals, dims, c->n, 33), *y = new_array(whole, dims, half);
    const double points = (double)c->n[0] * (c->rank == 2 ? (double)c->n[1] : 1);
    CHECK_BELOW(access_error(&o, y, x, ARGAND_FORWARD), 4 * fft_tolerance(reals, points));
    argand_array *const made[] = {window, map, x, y};
    for (int i = 0; i < 4; i++) argand_array_destroy(made[i]);
}

/* Reals from half a spectrum, a map before and a window behind, as large as the arrays. */
static void check_back(const real_case *c, bool is_double)
{
    const argand_type reals = is_double ? ARGAND_R64 : ARGAND_R32,
                      whole = is_double ? ARGAND_C64 : ARGAND_C32;
    const int dims = c->rank + 1;
    const int64_t half[3] = {c->n[0] / 2 + 1, c->n[1], c->n[2]};
    argand_array *window = random_array(reals, dims, c->n, 41), *map = random_array(whole, dims, half, 42),
                 *x = random_array(whole, dims, half, 43), *y = new_array(whole, dims, half),
                 *got = new_array(reals, dims, c->n), *wanted = new_array(reals, dims, c->n);
    argand_fft_options o = {
        .type = reals, .rank = c->rank, .batch = c->n[c->rank], .scale = ARGAND_SCALE_INVERSE};
    memcpy(o.n, c->n, (size_t)c->rank * sizeof *o.n);
    argand_fft *plain = new_plan(&o);
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = map};
    o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = window};
    argand_fft *fused = new_plan(&o);
    OK(argand_fft_apply(fused, got, x, ARGAND_INVERSE));
    OK(argand_array_multiply(y, x, map, 0));
    OK(argand_fft_apply(plain, wanted, y, ARGAND_INVERSE));
    OK(argand_array_multiply(wanted, wanted, window, 0));
    double *a = as_doubles(got), *b = as_doubles(wanted);
    CHECK_BELOW(relative_error(a, b, (size_t)argand_array_count(got)),
                4 * fft_tolerance(reals, (double)c->n[0] * (c->rank == 2 ? (double)c->n[1] : 1)));
    free(a);
    free(b);
    argand_fft_destroy(plain);
    argand_fft_destroy(fused);
    argand_array *const made[] = {window, map, x, y, got, wanted};
    for (int i = 0; i < 6; i++) argand_array_destroy(made[i]);
}

/* One line at a time (even and odd), several at a time, blocks that are not full, planes. */
static void real_rows(void **state)
{
    (void)state;
    static const real_case cases[] = {{1, {1024, 11, 1}}, {1, {15, 37, 1}},  {1, {64, 40, 1}},
                                      {1, {539, 3, 1}},   {1, {100, 21, 1}}, {2, {128, 20, 3}},
                                      {2, {9, 256, 2}},   {2, {30, 14, 5}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int variant = 0; variant < 5; variant++) check_forward(&cases[i], variant);
        for (int t = 0; t < precisions(); t++) check_back(&cases[i], t);
    }
}

/* An impulse's transform is 1, so that results are what they are multiplied by: the numbers that were there.
 */
static void array_in_the_output(void **state)
{
    (void)state;
    enum { B = 3 };
    for (int64_t n = 16; n <= 4096; n *= 16)
        for (int real = 0; real < 2; real++) {
            const int64_t line = real ? n / 2 + 1 : n, from[2] = {line, B}, to[2] = {n, B};
            argand_array *in = new_array(ARGAND_C32, 2, from),
                         *out = random_array(real ? ARGAND_R32 : ARGAND_C32, 2, to, 51);
            float *numbers = calloc((size_t)(2 * line * B), sizeof *numbers);
            for (int b = 0; b < B; b++) numbers[2 * line * b] = 1;
            OK(argand_array_upload(in, numbers));
            double *before = as_doubles(out);
            argand_fft_options o = {.type = real ? ARGAND_R32 : ARGAND_C32, .rank = 1, .n = {n}, .batch = B};
            o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = out};
            argand_fft *plan = new_plan(&o);
            OK(argand_fft_apply(plan, out, in, ARGAND_INVERSE));
            double *after = as_doubles(out);
            CHECK_BELOW(relative_error(after, before, (size_t)((real ? 1 : 2) * n * B)),
                        4 * fft_tolerance(ARGAND_C32, (double)n));
            argand_fft_destroy(plan);
            free(before);
            free(after);
            free(numbers);
            argand_array_destroy(in);
            argand_array_destroy(out);
        }
}

/* ---- forward and inverse, with nothing but scalars in between ---- */

typedef struct scaled_case {
    int rank;
    int64_t n[3], batch, apart; /* apart: columns of a one-dimensional transform, with this stride */
} scaled_case;

/* Results are the input times the scalars and the number of points. */
static void check_scaled(const scaled_case *c, argand_type type, int scalars)
{
    argand_fft_options o = {.type = type, .rank = c->rank, .batch = c->batch};
    int64_t dims[4], points = 1;
    for (int d = 0; d < c->rank; points *= c->n[d++]) dims[d] = o.n[d] = c->n[d];
    dims[c->rank] = c->batch;
    if (c->apart) {
        o.axes_given = true;
        o.axes[0] = (argand_axis){c->n[0], c->apart, c->apart};
        o.loops = 1;
        o.loop[0] = (argand_axis){c->batch, 1, 1};
        dims[0] = c->apart;
        dims[1] = c->n[0];
    }
    const bool real = type == ARGAND_R32 || type == ARGAND_R64;
    const exact first = 0.5L - (real ? 0 : 2 * I), second = -0.75L;
    const argand_accessor scale[2] = {
        {.kind = ARGAND_ACCESS_SCALE, .scalar = {(double)creall(first), (double)cimagl(first)}},
        {.kind = ARGAND_ACCESS_SCALE, .scalar = {(double)creall(second), 0}}};
    for (int i = 0; i < scalars; i++) o.access.spectrum[i] = scale[i];
    argand_array *in = random_array(type, c->rank + 1, dims, 61), *out = new_array(type, c->rank + 1, dims);
    argand_fft *plan = new_plan(&o);
    exact *expected = exact_of(in);
    for (int64_t i = 0; i < argand_array_count(in); i++)
        expected[i] *= first * (scalars > 1 ? second : 1) * points;
    OK(argand_fft_apply(plan, out, in, ARGAND_FORWARD));
    CHECK_BELOW(distance(out, expected, 1), 4 * fft_tolerance(type, (double)points));
    free(expected);
    argand_fft_destroy(plan);
    argand_array_destroy(in);
    argand_array_destroy(out);
}

/* Rows, columns and slabs, from caches and from memory, blocks that are not full. */
static void scalars_at_the_spectrum(void **state)
{
    (void)state;
    static const scaled_case cases[] = {
        {1, {64}, 5, 0},      {1, {100}, 37, 0},       {1, {96}, 48, 48},       {1, {60}, 33, 33},
        {1, {4621}, 2, 0},    {1, {512}, 64, 64},      {2, {64, 48}, 1, 0},     {2, {48, 64}, 1, 0},
        {2, {64, 64}, 3, 0},  {2, {100, 100}, 1, 0},   {2, {37, 23}, 2, 0},     {2, {256, 256}, 1, 0},
        {2, {12, 509}, 1, 0}, {2, {1024, 1024}, 1, 0}, {3, {16, 20, 24}, 1, 0}, {3, {9, 7, 16}, 2, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int scalars = 1; scalars <= 2; scalars++)
            for (argand_type type = ARGAND_R32; type <= ARGAND_C64; type++)
                check_scaled(&cases[i], type, scalars);
}

/* ---- weights of lines in any layout ---- */

typedef struct layout {
    int64_t n, lines, point, line; /* of memory */
    bool by_points;                /* the array's neighbours are points of a line; else lines */
} layout;

/* At load or store, a real or a complex array, single or double; against the plain plan and products. */
static void check_weights(const layout *l, int kind)
{
    const bool at_store = kind & 1, real = kind & 2;
    const argand_type type = kind & 4 ? ARGAND_C32 : ARGAND_C64;
    const int64_t all = l->n * l->lines, reach = l->n * l->point + l->lines * l->line,
                  shape[2] = {l->n, l->lines}, steps[2] = {l->point, l->line},
                  array_steps[2] = {l->by_points ? 1 : l->lines, l->by_points ? l->n : 1};
    argand_fft_options o = {.type = type,
                            .rank = 1,
                            .axes_given = true,
                            .axes = {{l->n, l->point, l->point}},
                            .loops = 1,
                            .loop = {{l->lines, l->line, l->line}}};
    argand_array *numbers = random_array(real ? type - 2 : type, 1, &all, 31), *array,
                 *x = random_array(type, 1, &reach, 32), *y = new_array(type, 1, &reach), *in, *out,
                 *got = new_array(type, 2, shape), *by = new_array(type, 2, shape);
    argand_fft *plain = new_plan(&o), *plan;
    OK(argand_array_view(&array, numbers, 2, shape, array_steps, 0));
    OK(argand_array_view(&in, x, 2, shape, steps, 0));
    OK(argand_array_view(&out, y, 2, shape, steps, 0));
    (at_store ? o.access.store : o.access.load)[0] =
        (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = array};
    plan = new_plan(&o);
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    OK(argand_array_copy(got, out));
    OK(argand_array_copy(by, array));
    if (!at_store) OK(argand_array_multiply(in, by, in, ARGAND_PRODUCT));
    OK(argand_fft_apply(plain, y, x, ARGAND_FORWARD));
    if (at_store) OK(argand_array_multiply(out, by, out, ARGAND_PRODUCT));
    OK(argand_array_copy(by, out));
    exact *expected = exact_of(by);
    CHECK_BELOW(distance(got, expected, 1), 2 * fft_tolerance(type, (double)l->n));
    free(expected);
    argand_fft_destroy(plan);
    argand_fft_destroy(plain);
    argand_array *const arrays[] = {in, out, array, numbers, x, y, got, by};
    for (int i = 0; i < 8; i++) argand_array_destroy(arrays[i]);
}

/* Columns that do not touch each other, whose weights do; a few lines that touch each other point by point,
 * whose weights do not; and the usual. */
static void weights_in_any_layout(void **state)
{
    (void)state;
    static const layout layouts[] = {{10, 24, 130, 5, false}, {10, 24, 130, 5, true}, {18, 3, 3, 1, true},
                                     {18, 3, 3, 1, false},    {18, 24, 24, 1, true},  {18, 24, 1, 18, false},
                                     {18, 3, 7, 2, true},     {18, 3, 2, 40, false}};
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        for (int kind = 0; kind < 8; kind++) check_weights(&layouts[i], kind);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(scalars_at_the_spectrum),
                                          cmocka_unit_test(weights_in_any_layout), cmocka_unit_test(shifts),
                                          cmocka_unit_test(real_rows), cmocka_unit_test(array_in_the_output)};
RUN_TESTS(tests)
