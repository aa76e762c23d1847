/* SPDX-License-Identifier: BSD-3-Clause */
#include "files/shape.h"
#include "common/path.h"

#include <stdio.h>
#include <string.h>

bool shape_is_slowest_first(const char *path)
{
    if (path_is_array(path)) return has_ending(path, ".npy");
    return path_is_scan(path) || path_scan_array(path);
}

/* Writes the numbers between two marks. */
static void write_list(char *text, size_t size, const char *between, bool reversed, int rank,
                       const int64_t *dims)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < rank && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%lld", i ? between : "",
                                 (long long)dims[reversed ? rank - 1 - i : i]);
}

const char *shape_text(char *text, size_t size, const char *path, int rank, const int64_t *dims)
{
    char list[256];
    const bool reversed = shape_is_slowest_first(path);
    write_list(list, sizeof list, ", ", reversed, rank, dims);
    snprintf(text, size, reversed ? "(%s%s)" : "{%s%s}", list, reversed && rank == 1 ? "," : "");
    return text;
}

static int dims_of(int64_t *dims, const argand_array *array)
{
    const int rank = argand_array_rank(array);
    for (int axis = 0; axis < rank; axis++) dims[axis] = argand_array_dim(array, axis);
    return rank;
}

const char *shape_of_array(char *text, size_t size, const char *path, const argand_array *array)
{
    int64_t dims[ARGAND_MAX_RANK];
    const int rank = dims_of(dims, array);
    return shape_text(text, size, path, rank, dims);
}

const char *shape_order(const char *path, int rank)
{
    if (rank < 2) return "";
    return shape_is_slowest_first(path) ? ", the last one fastest" : ", the first one fastest";
}

const char *shape_orders_differ(const char *path, const char *other)
{
    if (shape_is_slowest_first(path) == shape_is_slowest_first(other)) return "";
    return " ((...) ends with the fastest axis, {...} begins with it)";
}

const char *shape_json(char *text, size_t size, const char *path, const argand_array *array)
{
    int64_t dims[ARGAND_MAX_RANK];
    const int rank = dims_of(dims, array);
    char forward[256], own[256];
    write_list(forward, sizeof forward, ",", false, rank, dims);
    write_list(own, sizeof own, ",", shape_is_slowest_first(path), rank, dims);
    snprintf(text, size, "\"dims\":[%s],\"shape\":[%s]", forward, own);
    return text;
}
