/* SPDX-License-Identifier: BSD-3-Clause */
/* The temporal basis of repetitions that are solved together. */
#include "recon/solve/solve.h"

#include "array/array.h"
#include "base/memory.h"
#include "recon/maps/maps.h"

static int without_ones(const argand_array *a, int64_t dims[2])
{
    int rank = 0;
    dims[0] = dims[1] = 1;
    for (int axis = 0; axis < argand_array_rank(a); axis++) {
        if (argand_array_dim(a, axis) == 1) continue;
        if (rank < 2) dims[rank] = argand_array_dim(a, axis);
        rank++;
    }
    return rank;
}

/* Copies the basis to complex doubles. */
static argand_status read_basis(const argand_array *found, double **numbers)
{
    const int64_t count = argand_array_count(found);
    TRY(numbers_of_array(found, numbers));
    if (type_is_complex(argand_array_type(found))) return ARGAND_OK;
    double *wide;
    argand_status status = NEW(wide, 2 * count);
    for (int64_t i = 0; i < count && !status; i++) wide[2 * i] = (*numbers)[i];
    memory_free(*numbers);
    *numbers = status ? NULL : wide;
    return status;
}

argand_status basis_take(argand_sense *s, const char *what, const argand_array *found)
{
    int64_t dims[2];
    bool finite;
    double most;
    const int rank = without_ones(found, dims);
    const int64_t columns = s->options.rank ? s->options.rank : dims[1];
    CHECK(rank <= 2 && dims[1] <= dims[0], ARGAND_ARGUMENT,
          "%s: %s is %lldx%lld; it must have a row for each %s, and not more columns than rows",
          s->scan->path, what, (long long)dims[0], (long long)dims[1],
          s->options.coefficients ? "point in time" : "repetition");
    CHECK(columns <= dims[1], ARGAND_ARGUMENT, "%s: rank %lld: %s has %lld columns", s->scan->path,
          (long long)columns, what, (long long)dims[1]);
    TRY(argand_array_is_finite(&finite, found));
    CHECK(finite, ARGAND_ARGUMENT, "%s: %s holds numbers that are not finite (NaN or infinite)",
          s->scan->path, what);
    TRY(argand_array_max_abs(&most, found));
    CHECK(most > 0, ARGAND_ARGUMENT, "%s: %s is 0 everywhere", s->scan->path, what);
    TRY(read_basis(found, &s->basis));
    s->basis_rows = dims[0];
    s->basis_count = columns;
    if (!s->options.coefficients)
        text_add(&s->notes, "%lld image%s span%s %lld repetition%s.\n", (long long)columns, plural_s(columns),
                 columns == 1 ? "s" : "", (long long)dims[0], plural_s(dims[0]));
    return ARGAND_OK;
}

argand_status basis_find(argand_sense *s, const argand_sense_options *given)
{
    argand_array *found;
    map_title what;
    const map_request r = {"temporal basis", given->basis, given->basis_name, NULL};
    TRY(map_open(s, &r, &found, &what));
    if (!found) return ARGAND_OK;
    const argand_status status = basis_take(s, what.chars, found);
    argand_array_destroy(found);
    return status;
}
