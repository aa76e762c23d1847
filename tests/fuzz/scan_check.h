/* SPDX-License-Identifier: BSD-3-Clause */
/* What must hold after reading any file: an error with words and nothing open, or a scan that keeps the
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

static inline void scan_promises(const argand_scan *scan)
{
    MUST(scan->encoding_count > 0 && scan->acquisition_count > 0);
    for (int64_t n = 0; n < scan->acquisition_count; n++) {
        const argand_acquisition *a = &scan->acquisitions[n];
        MUST(a->channels == scan->channels && a->samples > 0 && a->encoding < scan->encoding_count);
        for (int64_t i = 0; i < 2 * a->samples * a->channels; i++) MUST(isfinite(a->data[i]));
        for (int d = 0; d < 3; d++)
            for (int64_t i = 0; i < a->samples; i++)
                MUST(fabsf(a->k[d][i]) <= 0.526f * (float)scan->encodings[a->encoding].matrix[d]);
        for (int64_t i = 0; i < a->samples; i++) MUST(isfinite(a->t[i]));
    }
    for (int i = 0; i < scan->array_count; i++)
        MUST(scan->arrays[i].data && argand_scan_find(scan, scan->arrays[i].name));
}

/* Returns whether the file was read. */
static inline bool scan_try(const char *path, const char *again, const argand_scan_options *options)
{
    argand_scan *scan = NULL, *second = NULL;
    const argand_status status = argand_scan_read(&scan, path, options);
    MUST(status == ARGAND_OK ? scan != NULL : !scan && *argand_message());
    if (!scan) return false;
    scan_promises(scan);
    MUST(argand_scan_write(scan, again) == ARGAND_OK);
    MUST(argand_scan_read(&second, again, NULL) == ARGAND_OK);
    MUST(second->acquisition_count == scan->acquisition_count && second->array_count == scan->array_count);
    for (int64_t n = 0; n < scan->acquisition_count; n++) {
        const argand_acquisition *a = &scan->acquisitions[n], *b = &second->acquisitions[n];
        MUST(!memcmp(a->data, b->data, (size_t)(a->samples * a->channels) * 8));
        for (int d = 0; d < 3; d++) MUST(!memcmp(a->k[d], b->k[d], (size_t)a->samples * 4));
        MUST(!memcmp(a->t, b->t, (size_t)a->samples * 4));
    }
    argand_scan_destroy(second);
    argand_scan_destroy(scan);
    return true;
}

/* Nothing of this may stay open in HDF5. */
static inline void scan_nothing_open(void)
{
    MUST(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0);
}

#endif
