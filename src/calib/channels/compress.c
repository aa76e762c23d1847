/* SPDX-License-Identifier: BSD-3-Clause */
/* Virtual coils: the eigenvectors of the coils' covariance with the largest eigenvalues (Buehrer et al.,
 * Magn. Reson. Med. 57:1131, 2007; Huang et al., Magn. Reson. Imaging 26:133, 2008). */
#include "calib/channels/compress.h"

#include <math.h>
#include "mri/host.h"

/* Returns the fraction of the energy that `made` virtual coils keep. */
static double kept(const compress_task *t, int64_t made)
{
    double some = 0, all = 0;
    for (int64_t p = 0; p < t->positions; p++)
        for (int64_t c = 0; c < t->coils; c++) {
            const double value = fmax(0, t->values[p * t->coils + c]);
            all += value;
            if (c < made) some += value;
        }
    return all > 0 ? some / all : 1;
}

static int64_t choose(const compress_task *t, const argand_compress_options *o)
{
    if (o->coils > 0) return o->coils;
    const double wanted = o->energy > 0 ? o->energy : 0.99;
    int64_t made = 1;
    while (made < t->coils && kept(t, made) < wanted) made++;
    return made;
}

/* Writes the matrix, whose element [v, c] is the conjugate of element c of vector v. */
static argand_status write_matrix(argand_array **matrix, const compress_task *t, int64_t made,
                                  argand_device *device)
{
    const int64_t dims[3] = {made, t->coils, t->positions};
    double *values;
    argand_status status;
    TRY(argand_array_create(matrix, device, ARGAND_C64, t->positions > 1 ? 3 : 2, dims));
    TRY_OR_DONE(NEW(values, 2 * made * t->coils * t->positions));
    for (int64_t p = 0; p < t->positions; p++)
        for (int64_t c = 0; c < t->coils; c++)
            for (int64_t v = 0; v < made; v++) {
                const int64_t from = (p * t->coils + v) * t->coils + c, to = (p * t->coils + c) * made + v;
                values[2 * to] = t->vectors.re[from];
                values[2 * to + 1] = -t->vectors.im[from];
            }
    status = host_write_complex(*matrix, values);
    memory_free(values);
done:
    if (status) {
        argand_array_destroy(*matrix);
        *matrix = NULL;
    }
    return status;
}

static argand_status check_options(const argand_compress_options *o, const argand_array *data, int64_t coils)
{
    CHECK(o->kind == ARGAND_COMPRESS_SVD || o->kind == ARGAND_COMPRESS_GCC, ARGAND_ARGUMENT,
          "coil compression: there is no kind %d", (int)o->kind);
    CHECK(o->coils >= 0 && o->coils <= coils, ARGAND_ARGUMENT,
          "coil compression: %d virtual coils of %lld; give 1 to %lld, or 0 to choose by energy", o->coils,
          (long long)coils, (long long)coils);
    CHECK(o->energy >= 0 && o->energy <= 1, ARGAND_ARGUMENT,
          "coil compression: an energy of %g; give a part of 1, or 0 for 0.99", o->energy);
    CHECK(o->kind == ARGAND_COMPRESS_SVD || argand_array_rank(data) >= 2, ARGAND_ARGUMENT,
          "coil compression: geometric compression needs data {readout, ..., coils}");
    return ARGAND_OK;
}

/* Returns how many neighbouring positions on each side the covariance must include. Few lines at one position
 * would not give it full rank. */
static int64_t window_of(int64_t lines, int64_t coils)
{
    const int64_t needed = (2 * coils + lines - 1) / lines;
    return needed > 1 ? needed / 2 : 0;
}

argand_status argand_coils_compress(argand_array **matrix, const argand_array *data,
                                    const argand_compress_options *options, argand_compress_report *report)
{
    const argand_compress_options o = options ? *options : (argand_compress_options){0};
    compress_task t = {0};
    host_view from = {0};
    argand_status status;
    CHECK(matrix, ARGAND_ARGUMENT, "coil compression: nowhere to put the matrix");
    *matrix = NULL;
    CHECK_ARRAY(data);
    TRY(calib_rows(data, "coil compression", &t.samples, &t.coils));
    TRY(check_options(&o, data, t.coils));
    TRY(calib_check_finite(data, "coil compression: the data"));
    t.is_double = type_is_double(argand_array_type(data));
    t.positions = o.kind == ARGAND_COMPRESS_GCC ? argand_array_dim(data, 0) : 1;
    t.window = t.positions > 1 ? window_of(t.samples / t.positions, t.coils) : 0;
    t.threads = argand_device_threads(argand_array_device(data));
    TRY_OR_DONE(host_open(&from, data));
    t.data = from.data;
    TRY_OR_DONE(NEW(t.values, t.coils * t.positions));
    TRY_OR_DONE(NEW(t.vectors.re, t.coils * t.coils * t.positions));
    TRY_OR_DONE(NEW(t.vectors.im, t.coils * t.coils * t.positions));
    TRY_OR_DONE(compress_decompose(&t));
    const int64_t made = choose(&t, &o);
    if (report) *report = (argand_compress_report){(int)made, kept(&t, made)};
    if (t.positions > 1) TRY_OR_DONE(compress_align(&t, made));
    status = write_matrix(matrix, &t, made, argand_array_device(data));
done:
    memory_free(t.vectors.im);
    memory_free(t.vectors.re);
    memory_free(t.values);
    host_close(&from);
    return status;
}
