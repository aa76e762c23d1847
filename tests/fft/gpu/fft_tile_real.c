/* SPDX-License-Identifier: BSD-3-Clause */
/* Real transforms by the engine of our own kernels: lines longer than a tile, lines in three passes, in
 * place, views; against the sum in long double and, where that takes minutes, the host. */
#include "tile_check.h"

/* Real lines longer than a tile: as pairs in two passes, as complex lines where half the length has no two
 * even parts, as a convolution. */
static void long_real_lines(void **state)
{
    (void)state;
    static const shape few[] = {
        {1, {8400}, 5, ARGAND_R32, false},     {2, {8448, 3}, 1, ARGAND_R64, false},
        {1, {8450}, 3, ARGAND_R32, false},     {1, {5005}, 2, ARGAND_R32, false},
        {2, {4375, 2}, 2, ARGAND_R64, false},  {1, {4099}, 2, ARGAND_R32, false},
        {1, {26352}, 3, ARGAND_R32, false},    {1, {26354}, 2, ARGAND_R64, false},
        {2, {16106, 3}, 2, ARGAND_R32, false}, {1, {16385}, 2, ARGAND_R64, false},
    };
    static const shape large[] = {
        {1, {32768}, 3, ARGAND_R32, false},  {1, {65536}, 2, ARGAND_R32, false},
        {1, {30030}, 3, ARGAND_R32, false},  {1, {16385}, 3, ARGAND_R32, false},
        {1, {40040}, 2, ARGAND_R64, false},  {1, {33075}, 2, ARGAND_R64, false},
        {1, {65537}, 1, ARGAND_R32, false},  {2, {46080, 3}, 2, ARGAND_R32, false},
        {1, {20011}, 3, ARGAND_R32, false},  {1, {59049}, 3, ARGAND_R32, false},
        {1, {30375}, 3, ARGAND_R64, false},  {1, {88970}, 2, ARGAND_R32, false},
        {1, {82558}, 2, ARGAND_R32, false},  {1, {99997}, 2, ARGAND_R32, false},
        {1, {262142}, 2, ARGAND_R32, false},
    };
    if (!is_here()) skip();
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) one(&few[i]);
    if (!is_fast()) return;
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) one(&large[i]);
}

/* Half the spectrum of one line, by the host in double precision. */
static exact *half_by_host(const exact *line, int64_t n)
{
    argand_device *host;
    argand_fft *plan;
    argand_array *x, *y;
    const int64_t half = n / 2 + 1;
    double *reals = malloc((size_t)n * sizeof *reals);
    for (int64_t i = 0; i < n; i++) reals[i] = (double)creall(line[i]);
    unsetenv("ARGAND_FFT_ENGINE");
    OK(argand_device_open(&host, "cpu"));
    OK(argand_array_create(&x, host, ARGAND_R64, 1, &n));
    OK(argand_array_create(&y, host, ARGAND_C64, 1, &half));
    OK(argand_array_upload(x, reals));
    OK(argand_fft_create(&plan, host, &(argand_fft_options){.type = ARGAND_R64, .rank = 1, .n = {n}}));
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    exact *wanted = exact_of(y);
    argand_fft_destroy(plan);
    argand_array_destroy(y);
    argand_array_destroy(x);
    argand_device_close(host);
    free(reals);
    return wanted;
}

/* Three passes, where sums take too long. */
static void real_in_three(void **state)
{
    (void)state;
    if (!is_here()) skip();
    const shape s = {1, {531441}, 1, ARGAND_R32, false};
    const int64_t half = s.n[0] / 2 + 1;
    argand_fft *plan = plan_for(&s);
    argand_array *x = array_for(&s, s.type, s.n[0]), *y = array_for(&s, ARGAND_C32, half);
    randomise(x, 9, 0, 0);
    exact *before = exact_of(x), *wanted = half_by_host(before, s.n[0]);
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    check("a long real line", &s, distance(y, wanted, 1));
    OK(argand_fft_apply(plan, x, y, ARGAND_INVERSE));
    check("a long real line there and back", &s, distance(x, before, (long double)s.n[0]) / 2);
    free(before);
    free(wanted);
    argand_array_destroy(y);
    argand_array_destroy(x);
    argand_fft_destroy(plan);
}

/* The first numbers of the spectrum of each line. */
static exact *half_of(const exact *lines, const shape *s)
{
    const int64_t half = s->n[0] / 2 + 1;
    exact *all = malloc((size_t)(s->n[0] * s->batch) * sizeof *all),
          *wanted = malloc((size_t)(half * s->batch) * sizeof *wanted);
    memcpy(all, lines, (size_t)(s->n[0] * s->batch) * sizeof *all);
    exact_fft(all, s, -1);
    for (int64_t i = 0; i < half * s->batch; i++) wanted[i] = all[i / half * s->n[0] + i % half];
    free(all);
    return wanted;
}

/* Forward from one view to the other and back again. */
static void there_and_back(const shape *s, argand_array *reals, argand_array *half, uint64_t seed)
{
    argand_fft *plan = plan_for(s);
    argand_array *x = array_for(s, s->type, s->n[0]);
    randomise(x, seed, 0, 0);
    exact *before = exact_of(x), *wanted = half_of(before, s);
    OK(argand_array_copy(reals, x));
    OK(argand_fft_apply(plan, half, reals, ARGAND_FORWARD));
    check("real transform of a view", s, distance(half, wanted, 1));
    OK(argand_fft_apply(plan, reals, half, ARGAND_INVERSE));
    check("a view there and back", s, distance(reals, before, (long double)s->n[0]) / 2);
    free(before);
    free(wanted);
    argand_array_destroy(x);
    argand_fft_destroy(plan);
}

/* Reals in the memory of their half spectra, rows padded. */
static void real_in_place(const shape *s)
{
    const int64_t row = s->n[0] / 2 + 3;
    argand_array *all = new_array(complex_of(s->type), 2, (int64_t[]){row, s->batch}), *half, *both, *reals;
    OK(argand_array_view(&half, all, 2, (int64_t[]){s->n[0] / 2 + 1, s->batch}, (int64_t[]){1, row}, 0));
    OK(argand_array_view_as(&both, all, s->type));
    OK(argand_array_part(&reals, both, 0, 0, s->n[0]));
    there_and_back(s, reals, half, 21);
    argand_array_destroy(reals);
    argand_array_destroy(both);
    argand_array_destroy(half);
    argand_array_destroy(all);
}

/* Elements of a line at stride `stride`, lines at `row`, from element `start` on. */
static void real_apart(const shape *s, int64_t stride, int64_t row, int64_t start)
{
    const int64_t elements = start + stride * s->n[0] + row * s->batch;
    argand_array *x = new_array(s->type, 1, &elements), *y = new_array(complex_of(s->type), 1, &elements),
                 *reals, *half;
    OK(argand_array_view(&reals, x, 2, (int64_t[]){s->n[0], s->batch}, (int64_t[]){stride, row}, start));
    OK(argand_array_view(&half, y, 2, (int64_t[]){s->n[0] / 2 + 1, s->batch}, (int64_t[]){stride, row},
                         start));
    there_and_back(s, reals, half, 22);
    argand_array_destroy(half);
    argand_array_destroy(reals);
    argand_array_destroy(y);
    argand_array_destroy(x);
}

static void real_views(void **state)
{
    (void)state;
    static const shape lines[] = {{1, {120}, 3, ARGAND_R32, false}, {1, {8400}, 3, ARGAND_R32, false}};
    if (!is_here()) skip();
    for (int i = 0; i < 2; i++) {
        const int64_t n = lines[i].n[0];
        real_in_place(&lines[i]);
        real_apart(&lines[i], 1, n + 2, 1); /* pairs at odd places */
        real_apart(&lines[i], 1, n + 3, 0); /* and in every second line */
        real_apart(&lines[i], 3, 1, 0);     /* across */
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(long_real_lines), cmocka_unit_test(real_in_three),
                                          cmocka_unit_test(real_views)};
RUN_TESTS(tests)
