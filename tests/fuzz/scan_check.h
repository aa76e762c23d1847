/* SPDX-License-Identifier: BSD-3-Clause */
/* What must hold after reading any file: an error with a message and nothing open, or a scan that keeps the
 * reader's promises and can be written and read again. */
#ifndef TESTS_FUZZ_SCAN_CHECK_H
#define TESTS_FUZZ_SCAN_CHECK_H

#include <argand/argand.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef MUST_FAIL
#define MUST_FAIL abort() /* a fuzzer's report */
#endif

#define MUST(condition)                                                                      \
    do {                                                                                     \
        if (!(condition)) {                                                                  \
            fprintf(stderr, "%s:%d: %s does not hold: %s\n", __FILE__, __LINE__, #condition, \
                    argand_message());                                                       \
            MUST_FAIL;                                                                       \
        }                                                                                    \
    } while (0)

static inline void acquisition_promises(const argand_scan *scan, const argand_acquisition *a, bool has_k)
{
    MUST(a->channels == scan->channels && a->samples > 0 && a->encoding < scan->encoding_count);
    MUST(!has_k || a->k[0]);
    const argand_encoding *e = &scan->encodings[a->encoding];
    for (int64_t i = 0; i < 2 * a->samples * a->channels; i++) MUST(isfinite(a->data[i]));
    for (int d = 0; d < 3 && a->k[0]; d++) {
        const int64_t n = d == 2 && e->bands.count > e->matrix[2] ? e->bands.count : e->matrix[d];
        for (int64_t i = 0; i < a->samples; i++) MUST(fabsf(a->k[d][i]) <= 0.526f * (float)n);
    }
    for (int64_t i = 0; i < a->samples; i++) MUST(isfinite(a->t[i]));
}

enum { SCAN_LISTS = 5 };

static inline const argand_acquisition *scan_list(const argand_scan *scan, int list, int64_t *count)
{
    const argand_acquisition *const lists[SCAN_LISTS] = {scan->acquisitions, scan->noise, scan->navigators,
                                                         scan->calibrations, scan->corrections};
    const int64_t counts[SCAN_LISTS] = {scan->acquisition_count, scan->noise_count, scan->navigator_count,
                                        scan->calibration_count, scan->correction_count};
    *count = counts[list];
    return lists[list];
}

static inline int64_t scan_all(const argand_scan *scan)
{
    int64_t all = 0, count;
    for (int list = 0; list < SCAN_LISTS; list++) {
        (void)scan_list(scan, list, &count);
        all += count;
    }
    return all;
}

static inline void scan_promises(const argand_scan *scan, bool images)
{
    MUST(scan->encoding_count > 0 && (!images || scan->acquisition_count > 0));
    for (int list = 0; list < SCAN_LISTS; list++) {
        int64_t count;
        const argand_acquisition *first = scan_list(scan, list, &count);
        for (int64_t n = 0; n < count; n++) acquisition_promises(scan, &first[n], list == 0);
    }
    for (int i = 0; i < scan->array_count; i++)
        MUST(scan->arrays[i].data && argand_scan_find(scan, scan->arrays[i].name));
    for (int i = 0; i < scan->parameter_count; i++)
        MUST(scan->parameters[i].name && scan->parameters[i].value);
    for (int i = 0; i < scan->encoding_count; i++) {
        argand_coverage c;
        argand_scan_cover(scan, i, &c);
        MUST(scan->encodings[i].bands.count >= 1 && scan->encodings[i].bands.count <= 64);
        for (int d = 0; d < 3; d++) MUST(c.partial[d] > 0 && c.partial[d] <= 1 && c.low[d] <= c.high[d]);
    }
}

static inline void same_acquisition_bytes(const argand_acquisition *a, const argand_acquisition *b)
{
    MUST(a->samples == b->samples && !a->k[0] == !b->k[0]);
    MUST(!memcmp(a->data, b->data, (size_t)(a->samples * a->channels) * 8));
    for (int d = 0; d < 3 && a->k[0]; d++) MUST(!memcmp(a->k[d], b->k[d], (size_t)a->samples * 4));
    if (a->k[0]) MUST(!memcmp(a->t, b->t, (size_t)a->samples * 4));
}

/* Returns whether the file was read. */
static inline bool scan_try(const char *path, const char *again, const argand_scan_options *options)
{
    argand_scan *scan = NULL, *second = NULL;
    const bool images = !options || !options->no_images;
    const argand_status status = argand_scan_read(&scan, path, options);
    MUST(status == ARGAND_OK ? scan != NULL : !scan && *argand_message());
    if (!scan) return false;
    scan_promises(scan, images);
    if (scan_all(scan)) { /* all that a file without images has may be unusable */
        MUST(argand_scan_write(scan, again) == ARGAND_OK);
        MUST(argand_scan_read(&second, again, &(argand_scan_options){.no_images = true}) == ARGAND_OK);
        MUST(second->array_count == scan->array_count);
        for (int list = 0; list < SCAN_LISTS; list++) {
            int64_t count, count_again;
            const argand_acquisition *a = scan_list(scan, list, &count),
                                     *b = scan_list(second, list, &count_again);
            MUST(count == count_again);
            for (int64_t n = 0; n < count; n++) same_acquisition_bytes(&a[n], &b[n]);
        }
        argand_scan_destroy(second);
    }
    argand_scan_destroy(scan);
    return true;
}

/* Nothing of this may be left open in HDF5. */
static inline void scan_nothing_open(void)
{
    MUST(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0);
}

#endif
