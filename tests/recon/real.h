/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests on real scans share: residual tables, reference images, sessions that record their
 * residuals. */
#ifndef TESTS_RECON_REAL_H
#define TESTS_RECON_REAL_H

#include "harness.h"

enum { MOST_ITERATIONS = 32 };

/* A column of a table "iteration,name,name,..."; numbers[1] is iteration 1. Returns the last iteration that
 * is there. */
static inline int read_column(const char *path, const char *column, double *numbers)
{
    char line[1024];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    int wanted = 0, found = -1, last = 0;
    for (char *name = strtok(line, ",\n"); name; name = strtok(NULL, ",\n"), wanted++)
        if (!strcmp(name, column)) found = wanted;
    assert_true(found > 0);
    while (fgets(line, sizeof line, file) && last + 1 < MOST_ITERATIONS) {
        char *at = line;
        for (int i = 0; i < found; i++) at = strchr(at, ',') + 1;
        numbers[++last] = strtod(at, NULL);
    }
    fclose(file);
    return last;
}

typedef struct record {
    double residual[MOST_ITERATIONS];
    int last;
    double seconds;
} record;

static inline bool keep_residual(void *context, const argand_progress *p)
{
    record *r = context;
    r->residual[p->iteration] = p->residual;
    r->last = p->iteration;
    r->seconds = p->seconds;
    return true;
}

/* Runs one volume; the image {nx, ny, nz} is the caller's. */
static inline void run_session(const argand_scan *scan, const argand_sense_options *options, record *r,
                               argand_array **image)
{
    argand_sense *session;
    int64_t n[3];
    OK(argand_sense_create(&session, device, scan, options));
    assert_int_equal(argand_sense_volumes(session), 1);
    argand_sense_grid(session, n);
    OK(argand_array_create(image, device, options->type, 3, n));
    OK(argand_sense_run(session, 0, *image, keep_residual, r));
    argand_sense_destroy(session);
}

/* |a - b| / |b| of an array and a file of equal element count */
static inline double distance_to_file(const argand_array *a, const char *path)
{
    argand_array *reference;
    OK(argand_array_read(&reference, path, device));
    assert_int_equal(argand_array_count(a), argand_array_count(reference));
    const bool is_complex = argand_array_type(a) == ARGAND_C32 || argand_array_type(a) == ARGAND_C64;
    double *x = as_doubles(a), *y = as_doubles(reference);
    const double error = relative_error(x, y, (size_t)argand_array_count(a) * (is_complex ? 2 : 1));
    free(x);
    free(y);
    argand_array_destroy(reference);
    return error;
}

/* Where the data are: false (and a printed line) where they are absent, which skips the test. */
static inline bool have_data(const char *name, char *path, size_t size)
{
    const char *found = test_data(name);
    if (found) snprintf(path, size, "%s", found);
    return found != NULL;
}

#define DATA_OR_SKIP(name, path) \
    char path[4096];             \
    if (!have_data(name, path, sizeof path)) skip()

#endif
