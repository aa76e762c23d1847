/* SPDX-License-Identifier: BSD-3-Clause */
/* Where points lie on the grid (kernels/nufft/position.h), as kernels in double and the host find it, against
 * long double: near borders of cells, where the period ends, at huge and at tiny positions. */
#include "harness.h"

#include <float.h>
#include "kernels/nufft/position.h"

/* The sum (over + rest grid) / n - width / 2 of first_cell has parts below 2^5 for windows of up to 16 cells
 * and grids of up to 16 times the image, and five roundings of half a unit in the last place of each. */
static const double LIMIT = 0x1p-48;

/* How far from where a window of `width` cells at k begins is the place that was found, in cells. Products of
 * whole numbers are exact, as they are below 2^58. */
static double distance(double k, int64_t n, int64_t grid, int width, int64_t cell, double u)
{
    const long double within = fmodl(k, (long double)n), whole = rintl(within), rest = within - whole;
    const int64_t period = n * grid;
    int64_t over = ((int64_t)whole * grid - cell * n) % period;
    if (over > period / 2) over -= period;
    if (over < -period / 2) over += period;
    const long double apart = fabsl(((long double)over + rest * (long double)grid) / (long double)n -
                                    0.5L * width + ((long double)u + 1) / 2);
    return (double)fminl(fmodl(apart, (long double)grid),
                         fabsl(fmodl(apart, (long double)grid) - (long double)grid));
}

static double worst;

static void check_cell(double k, int64_t n, int64_t grid, int width)
{
    double u;
    const int64_t cell = first_cell(k, n, grid, width, &u);
    assert_true(cell >= 0 && cell < grid);
    assert_true(u >= -1 && u <= 1);
    const double apart = distance(k, n, grid, width, cell, u);
    worst = fmax(worst, apart);
    if (!(apart <= LIMIT))
        fail_msg("k %a, n %lld, grid %lld: %g cells away", k, (long long)n, (long long)grid, apart);
}

/* The neighbours of k among doubles, and the same a period away on both sides */
static void check_around(double k, int64_t n, int64_t grid, int width)
{
    double below = k, above = k;
    for (int step = 0; step < 4; step++) {
        check_cell(below, n, grid, width);
        check_cell(above, n, grid, width);
        check_cell(-above, n, grid, width);
        check_cell(above + (double)n, n, grid, width);
        check_cell(below - (double)n, n, grid, width);
        below = nextafter(below, -INFINITY);
        above = nextafter(above, INFINITY);
    }
}

static const int64_t sizes[][2] = {{1, 16},      {9, 18},          {24, 36},
                                   {31, 54},     {200, 256},       {255, 384},
                                   {4096, 8192}, {100003, 131072}, {(1 << 28) - 1, 1 << 29}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void near_borders_of_cells(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES; i++)
        for (int width = 2; width <= 16; width++)
            for (int64_t j = 0; j < 40; j++) {
                const int64_t n = sizes[i][0], grid = sizes[i][1], cell = j < 20 ? j : grid - j;
                check_around(((double)cell + 0.5 * width) * (double)n / (double)grid, n, grid, width);
            }
}

static void at_the_ends_of_the_period(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES; i++)
        for (int width = 2; width <= 16; width++)
            for (int half = -6; half <= 6; half++)
                check_around(0.5 * half * (double)sizes[i][0], sizes[i][0], sizes[i][1], width);
}

static void of_any_size(void **state)
{
    (void)state;
    static const double large[] = {0x1p29,   0x1p30,      0x1p31,  0x1p52, 0x1p53, 1e15,    1e22,
                                   0x1p1000, DBL_MAX / 2, DBL_MIN, 4e-320, 1e-17,  0x1p-53, 1e-5};
    for (int i = 0; i < SIZES; i++)
        for (size_t j = 0; j < sizeof large / sizeof *large; j++)
            for (int width = 3; width <= 16; width += 13)
                check_around(large[j], sizes[i][0], sizes[i][1], width);
    random_state r = {3};
    for (int j = 0; j < 100000; j++) {
        const int64_t *size = sizes[j % SIZES];
        const double k = (random_uniform(&r) - 0.5) * exp2(60 * random_uniform(&r) - 10);
        check_cell(k, size[0], size[1], 2 + j % 15);
    }
    if (getenv("VERBOSE")) printf("    at most %g cells\n", worst);
}

/* Keys count tile by tile, and within a tile x fastest: from one, the cells on all axes. */
static void cells_of_key(int64_t cell[3], int64_t key, int rank, const struct nufft_params *p)
{
    const int shift[3] = {NUFFT_TILE_X, NUFFT_TILE_Y(rank), NUFFT_TILE_Z(rank)};
    int64_t inside = key & ((1 << (shift[0] + shift[1] + shift[2])) - 1),
            tile = key >> (shift[0] + shift[1] + shift[2]);
    for (int axis = 0; axis < rank; axis++) {
        const int64_t t = tile % p->tiles[axis];
        cell[axis] = (axis ? t << shift[axis] : tile_start(t, p)) + (inside & ((1 << shift[axis]) - 1));
        tile /= p->tiles[axis];
        inside >>= shift[axis];
    }
    assert_int_equal(tile, 0);
}

/* Of points on all axes; of half a grid (full cells a row), points that are folded lie at -k. */
static void check_place(const double k[3], int rank, int width, const struct nufft_params *p)
{
    const struct nufft_place place = place_of_point(k, rank, width, p);
    int64_t cell[3];
    assert_false(place.is_bad);
    cells_of_key(cell, place.key, rank, p);
    for (int axis = 0; axis < rank; axis++) {
        const int64_t grid = axis == 0 && p->full ? p->full : p->grid[axis];
        assert_true(cell[axis] >= 0 && cell[axis] < p->grid[axis]);
        const int64_t on_row = cell[axis] > grid / 2 + width ? cell[axis] - p->grid[axis] : cell[axis];
        CHECK_BELOW(distance(place.is_folded ? -k[axis] : k[axis], p->n[axis], grid, width,
                             p->full && axis == 0 ? on_row : cell[axis], place.u[axis]),
                    LIMIT);
    }
}

static void on_all_axes(void **state)
{
    (void)state;
    enum { WIDTH = 6, N = 30, GRID = 45 };
    random_state r = {5};
    for (int rank = 1; rank <= 3; rank++)
        for (int half = 0; half < 2; half++) {
            const int64_t row = half ? (GRID / 2 + WIDTH + 8) / 8 * 8 : GRID;
            struct nufft_params p = {.full = half ? GRID : 0};
            for (int axis = 0; axis < 3; axis++) {
                const int shift = axis == 0   ? NUFFT_TILE_X
                                  : axis == 1 ? NUFFT_TILE_Y(rank)
                                              : NUFFT_TILE_Z(rank);
                p.n[axis] = axis < rank ? N : 1;
                p.grid[axis] = axis == 0 ? row : axis < rank ? GRID : 1;
                p.tiles[axis] = (p.grid[axis] + (1 << shift) - 1) >> shift;
            }
            for (int j = 0; j < 20000; j++) {
                double k[3];
                for (int axis = 0; axis < 3; axis++) k[axis] = 200 * (random_uniform(&r) - 0.5);
                if (j % 4 == 0) k[0] = 0.5 * (double)(j / 4 % 200 - 100); /* whole and half cycles */
                check_place(k, rank, WIDTH, &p);
            }
        }
}

static void what_is_not_finite_is_told(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    const struct nufft_params p = {.n = {8, 8, 8}, .grid = {16, 16, 16}, .tiles = {2, 2, 2}};
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 3; i++) {
            double k[3] = {0, 0, 0};
            k[axis] = bad[i];
            assert_true(place_of_point(k, 3, 4, &p).is_bad);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(near_borders_of_cells),
    cmocka_unit_test(at_the_ends_of_the_period),
    cmocka_unit_test(of_any_size),
    cmocka_unit_test(on_all_axes),
    cmocka_unit_test(what_is_not_finite_is_told),
};
RUN_TESTS(tests)
