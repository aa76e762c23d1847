/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces coils by linear combinations of them. */
#include "calib/calib.h"

#include <string.h>
#include "mri/host.h"

enum { BLOCK = 256 };

/* Samples to mix: sample i of coil c is data[c * samples + i] and uses matrix i % positions. */
typedef struct mixing {
    const double *matrix; /* {virtual, coils, positions} */
    int64_t made, coils, positions, samples;
    const void *data;
    void *mixed;
    bool is_double;
} mixing;

static void load(const mixing *m, int64_t at, int64_t count, double *values)
{
    for (int64_t i = 0; i < 2 * count; i++)
        values[i] = m->is_double ? ((const double *)m->data)[2 * at + i]
                                 : (double)((const float *)m->data)[2 * at + i];
}

static void store(const mixing *m, int64_t at, int64_t count, const double *values)
{
    for (int64_t i = 0; i < 2 * count; i++) {
        if (m->is_double)
            ((double *)m->mixed)[2 * at + i] = values[i];
        else
            ((float *)m->mixed)[2 * at + i] = (float)values[i];
    }
}

/* Computes sums += M[v, c] x over a block that starts at sample `start`. */
static void add(const mixing *m, int64_t v, int64_t c, int64_t start, int64_t count, const double *x,
                double *sums)
{
    for (int64_t i = 0; i < count; i++) {
        const int64_t position = m->positions > 1 ? (start + i) % m->positions : 0;
        const double *factor = m->matrix + 2 * ((position * m->coils + c) * m->made + v);
        sums[2 * i] += factor[0] * x[2 * i] - factor[1] * x[2 * i + 1];
        sums[2 * i + 1] += factor[0] * x[2 * i + 1] + factor[1] * x[2 * i];
    }
}

static void mix_block(const mixing *m, int64_t start)
{
    const int64_t count = m->samples - start < BLOCK ? m->samples - start : BLOCK;
    double x[2 * BLOCK], sums[2 * BLOCK];
    for (int64_t v = 0; v < m->made; v++) {
        memset(sums, 0, sizeof sums);
        for (int64_t c = 0; c < m->coils; c++) {
            load(m, c * m->samples + start, count, x);
            add(m, v, c, start, count, x, sums);
        }
        store(m, v * m->samples + start, count, sums);
    }
}

static argand_status check_matrix(const argand_array *matrix, const argand_array *data, int64_t coils)
{
    const int rank = argand_array_rank(matrix);
    CHECK((rank == 2 || rank == 3) && type_is_complex(argand_array_type(matrix)), ARGAND_ARGUMENT,
          "mixing coils: a matrix of rank %d, %s; it must be complex {virtual coils, coils[, positions]}",
          rank, argand_type_name(argand_array_type(matrix)));
    CHECK(argand_array_dim(matrix, 1) == coils, ARGAND_ARGUMENT,
          "mixing coils: the matrix is for %lld coils, the data have %lld",
          (long long)argand_array_dim(matrix, 1), (long long)coils);
    CHECK(argand_array_dim(matrix, 2) == 1 || argand_array_dim(matrix, 2) == argand_array_dim(data, 0),
          ARGAND_ARGUMENT,
          "mixing coils: the matrix is for %lld positions along the readout, the data have %lld",
          (long long)argand_array_dim(matrix, 2), (long long)argand_array_dim(data, 0));
    return ARGAND_OK;
}

static argand_status check_mixed(const argand_array *mixed, const argand_array *matrix,
                                 const argand_array *data)
{
    const int rank = argand_array_rank(data);
    CHECK(argand_array_type(mixed) == argand_array_type(data) && argand_array_rank(mixed) == rank,
          ARGAND_ARGUMENT, "mixing coils: the result must have the data's type and rank");
    for (int axis = 0; axis < rank; axis++) {
        const int64_t n = argand_array_dim(axis == rank - 1 ? matrix : data, axis == rank - 1 ? 0 : axis);
        CHECK(argand_array_dim(mixed, axis) == n, ARGAND_ARGUMENT,
              "mixing coils: dimension %d of the result is %lld and must be %lld", axis,
              (long long)argand_array_dim(mixed, axis), (long long)n);
    }
    return ARGAND_OK;
}

argand_status argand_coils_mix(argand_array *mixed, const argand_array *matrix, const argand_array *data)
{
    host_view from = {0}, to = {0};
    double *factors = NULL;
    mixing m = {0};
    argand_status status;
    CHECK_ARRAY(mixed);
    CHECK_ARRAY(matrix);
    CHECK_ARRAY(data);
    TRY(calib_rows(data, "mixing coils", &m.samples, &m.coils));
    TRY(check_matrix(matrix, data, m.coils));
    TRY(check_mixed(mixed, matrix, data));
    CHECK(mixed != data && (!argand_array_data(data) || argand_array_data(mixed) != argand_array_data(data)),
          ARGAND_ARGUMENT, "mixing coils: the result cannot be the data's own array");
    TRY_OR_DONE(host_read(&factors, matrix));
    TRY_OR_DONE(host_open(&from, data));
    TRY_OR_DONE(host_open_new(&to, mixed));
    m.matrix = factors;
    m.made = argand_array_dim(matrix, 0);
    m.positions = argand_array_dim(matrix, 2);
    m.data = from.data;
    m.mixed = to.data;
    m.is_double = type_is_double(argand_array_type(data));
#pragma omp parallel for schedule(static) num_threads(argand_device_threads(argand_array_device(data)))
    for (int64_t start = 0; start < m.samples; start += BLOCK) mix_block(&m, start);
    status = host_put(&to, mixed);
done:
    host_close(&to);
    host_close(&from);
    memory_free(factors);
    return status;
}
