/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the boxes of slabs, pencils and other grids of ranks, and compares boxes. */
#include "dist/fft/box.h"

#include "base/size.h"

int64_t box_extent(const argand_box *box, int axis)
{
    return box->upper[axis] > box->lower[axis] ? box->upper[axis] - box->lower[axis] : 0;
}

int64_t argand_box_count(const argand_box *box, int rank)
{
    int64_t count = 1;
    if (!box || rank < 0 || rank > ARGAND_MAX_RANK) return 0;
    for (int d = 0; d < rank; d++) {
        int64_t extent;
        if (box->upper[d] <= box->lower[d]) return 0;
        if (__builtin_sub_overflow(box->upper[d], box->lower[d], &extent) ||
            __builtin_mul_overflow(count, extent, &count))
            return INT64_MAX;
    }
    return count;
}

void box_lay_out(argand_box *box, int rank)
{
    int64_t stride = 1;
    const bool is_empty = !argand_box_count(box, rank);
    for (int d = 0; d < rank; d++) {
        box->strides[d] = stride;
        stride *= is_empty ? 1 : box_extent(box, d);
    }
}

int64_t box_span(const argand_box *box, int rank)
{
    int64_t last = 0;
    if (!argand_box_count(box, rank)) return 0;
    for (int d = 0; d < rank; d++) last += (box_extent(box, d) - 1) * box->strides[d];
    return last + 1;
}

bool box_same_part(const argand_box *a, const argand_box *b, int rank)
{
    if (!argand_box_count(a, rank) && !argand_box_count(b, rank)) return true;
    for (int d = 0; d < rank; d++)
        if (a->lower[d] != b->lower[d] || a->upper[d] != b->upper[d]) return false;
    return true;
}

bool box_same_strides(const argand_box *a, const argand_box *b, int rank)
{
    for (int d = 0; d < rank; d++)
        if (box_extent(a, d) > 1 && a->strides[d] != b->strides[d]) return false;
    return true;
}

bool box_intersect(argand_box *both, const argand_box *a, const argand_box *b, int rank)
{
    *both = (argand_box){0};
    for (int d = 0; d < rank; d++) {
        both->lower[d] = a->lower[d] > b->lower[d] ? a->lower[d] : b->lower[d];
        both->upper[d] = a->upper[d] < b->upper[d] ? a->upper[d] : b->upper[d];
        if (both->upper[d] <= both->lower[d]) return false;
    }
    return true;
}

/* Makes strides of a caller's box, and checks the box. Drops what the caller left in axes beyond `rank`. */
argand_status box_take(argand_box *box, const argand_box *given, int rank, const int64_t *n, const char *what)
{
    bool has_strides = false;
    int64_t last = 0;
    *box = (argand_box){0};
    if (!argand_box_count(given, rank)) return ARGAND_OK;
    for (int d = 0; d < rank; d++) {
        box->lower[d] = given->lower[d];
        box->upper[d] = given->upper[d];
        box->strides[d] = given->strides[d];
        has_strides = has_strides || given->strides[d];
    }
    for (int d = 0; d < rank; d++) {
        CHECK(given->lower[d] >= 0 && (!n || given->upper[d] <= n[d]), ARGAND_ARGUMENT,
              "the %s box holds %lld to %lld of axis %d, outside the array's 0 to %lld", what,
              (long long)given->lower[d], (long long)given->upper[d] - 1, d,
              n ? (long long)n[d] - 1 : INT64_MAX);
        int64_t far;
        CHECK(!has_strides || box_extent(box, d) == 1 ||
                  (given->strides[d] > 0 &&
                   !__builtin_mul_overflow(given->strides[d], box_extent(box, d) - 1, &far) &&
                   !__builtin_add_overflow(last, far, &last) && last < (int64_t)1 << 58),
              ARGAND_ARGUMENT,
              "the %s box has stride %lld along axis %d; give positive strides, or none at all", what,
              (long long)given->strides[d], d);
    }
    CHECK(argand_box_count(given, rank) <= (int64_t)1 << 58, ARGAND_ARGUMENT, "the %s box is too large",
          what);
    if (!has_strides) box_lay_out(box, rank);
    return ARGAND_OK;
}

argand_status argand_box_grid(argand_box *box, int rank, const int64_t *n, const int *parts, int number)
{
    int64_t all = 1;
    CHECK(box && n && parts, ARGAND_ARGUMENT, "argand_box_grid: a pointer is NULL");
    CHECK(rank >= 1 && rank <= ARGAND_MAX_RANK, ARGAND_ARGUMENT, "argand_box_grid: rank is %d; give 1 to %d",
          rank, ARGAND_MAX_RANK);
    for (int d = 0; d < rank; d++)
        CHECK(n[d] >= 1 && parts[d] >= 1 && !__builtin_mul_overflow(all, (int64_t)parts[d], &all),
              ARGAND_ARGUMENT, "argand_box_grid: axis %d has %lld elements in %d parts", d, (long long)n[d],
              parts[d]);
    CHECK(number >= 0 && number < all, ARGAND_ARGUMENT,
          "argand_box_grid: there is no part %d, only 0 to %lld", number, (long long)all - 1);
    *box = (argand_box){0};
    for (int d = 0; d < rank; d++) {
        int64_t own;
        comm_share(n[d], parts[d], number % parts[d], &box->lower[d], &own);
        box->upper[d] = box->lower[d] + own;
        number /= parts[d];
    }
    box_lay_out(box, rank);
    return ARGAND_OK;
}

argand_status argand_box_slab(argand_box *box, int rank, const int64_t *n, int axis, int parts, int number)
{
    int each[ARGAND_MAX_RANK];
    CHECK(axis >= 0 && axis < rank && rank <= ARGAND_MAX_RANK, ARGAND_ARGUMENT,
          "argand_box_slab: there is no axis %d of %d", axis, rank);
    for (int d = 0; d < rank; d++) each[d] = d == axis ? parts : 1;
    return argand_box_grid(box, rank, n, each, number);
}

void box_even_grid(int grid[2], int parts)
{
    for (int first = 1; (int64_t)first * first <= parts; first++)
        if (parts % first == 0) grid[0] = first;
    grid[1] = parts / grid[0];
}

argand_status argand_box_pencil(argand_box *box, const int64_t n[3], int axis, int parts, int number)
{
    int grid[2], each[3], next = 0;
    CHECK(axis >= 0 && axis < 3, ARGAND_ARGUMENT, "argand_box_pencil: there is no axis %d of 3", axis);
    CHECK(parts >= 1, ARGAND_ARGUMENT, "argand_box_pencil: parts is %d; give 1 or more", parts);
    box_even_grid(grid, parts);
    for (int d = 0; d < 3; d++) each[d] = d == axis ? 1 : grid[next++];
    return argand_box_grid(box, 3, n, each, number);
}
