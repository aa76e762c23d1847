/* SPDX-License-Identifier: BSD-3-Clause */
/* A diagonal preconditioner, 1 / diagonal, prepared on the host. */
#include <math.h>
#include "array/copy.h"
#include "base/memory.h"
#include "solve/smooth.h"

static double value_at(const void *host, bool is_double, int64_t i)
{
    return is_double ? ((const double *)host)[i] : (double)((const float *)host)[i];
}

static argand_status largest_of(const void *host, bool is_double, int64_t count, double *most)
{
    *most = 0;
    for (int64_t i = 0; i < count; i++) {
        const double v = value_at(host, is_double, i);
        CHECK(isfinite(v) && v >= 0, ARGAND_ARGUMENT,
              "argand_preconditioner_diagonal: element %lld is %g; it must be finite and not negative",
              (long long)i, v);
        *most = fmax(*most, v);
    }
    CHECK(*most > 0, ARGAND_ARGUMENT, "argand_preconditioner_diagonal: all elements are 0");
    return ARGAND_OK;
}

static void invert(void *host, bool is_double, int64_t count, double least)
{
    for (int64_t i = 0; i < count; i++) {
        const double v = 1 / fmax(least, value_at(host, is_double, i));
        if (is_double)
            ((double *)host)[i] = v;
        else
            ((float *)host)[i] = (float)v;
    }
}

argand_status argand_preconditioner_diagonal(argand_op **op, const argand_array *d, double floor)
{
    if (op) *op = NULL;
    CHECK(op && d, ARGAND_ARGUMENT, "argand_preconditioner_diagonal: a pointer is NULL");
    CHECK(!type_is_complex(d->type), ARGAND_ARGUMENT,
          "argand_preconditioner_diagonal: the diagonal is %s; give a real one", argand_type_name(d->type));
    CHECK(floor >= 0 && floor <= 1, ARGAND_ARGUMENT, "argand_preconditioner_diagonal: floor %g; give 0 to 1",
          floor);
    const bool is_double = type_is_double(d->type);
    void *host;
    argand_array *inverse = NULL;
    argand_status status;
    double most;
    TRY(memory_new(&host, (size_t)d->count, argand_type_size(d->type)));
    TRY_OR_DONE(argand_array_download(d, host));
    TRY_OR_DONE(largest_of(host, is_double, d->count, &most));
    invert(host, is_double, d->count, most * (floor > 0 ? floor : 0.01));
    TRY_OR_DONE(argand_array_create(&inverse, argand_array_device(d), d->type, d->rank, d->dims));
    TRY_OR_DONE(argand_array_upload(inverse, host));
    status = argand_op_diagonal(op, inverse);
done:
    argand_array_destroy(inverse);
    memory_free(host);
    return status;
}
