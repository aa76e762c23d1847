/* SPDX-License-Identifier: BSD-3-Clause */
/* What the format can hold, looked at before a file is begun: counts of 16 bits, names that HDF5 takes, no
 * pointer missing. */
#include <math.h>
#include <string.h>
#include "io/ismrmrd_write.h"

enum { LARGEST_COUNT = 65535, LARGEST_CHANNELS = 1024 };

static argand_status check_encoding(const argand_scan *scan, int i)
{
    const argand_encoding *e = &scan->encodings[i];
    for (int d = 0; d < 3; d++) {
        CHECK(e->matrix[d] >= 1 && e->matrix[d] <= LARGEST_COUNT && e->recon_matrix[d] >= 1 &&
                  e->recon_matrix[d] <= LARGEST_COUNT,
              ARGAND_ARGUMENT, "encoding %d: matrix sizes must lie between 1 and %d", i, LARGEST_COUNT);
        CHECK(isfinite(e->field_of_view[d]) && e->field_of_view[d] > 0 &&
                  isfinite(e->recon_field_of_view[d]) && e->recon_field_of_view[d] > 0,
              ARGAND_ARGUMENT, "encoding %d: fields of view must be positive (mm)", i);
    }
    CHECK(e->step1_centre <= LARGEST_COUNT && e->step2_centre <= LARGEST_COUNT, ARGAND_ARGUMENT,
          "encoding %d: centres must not be above %d", i, LARGEST_COUNT);
    return ARGAND_OK;
}

static argand_status check_acquisition(const argand_scan *scan, int64_t i)
{
    const argand_acquisition *a = &scan->acquisitions[i];
    const long long n = (long long)i;
    CHECK(a->samples >= 1 && a->samples <= LARGEST_COUNT, ARGAND_UNSUPPORTED,
          "acquisition %lld has %lld samples; ISMRMRD files hold 1 to %d. Divide longer readouts", n,
          (long long)a->samples, LARGEST_COUNT);
    CHECK(a->channels >= 1 && a->channels <= LARGEST_CHANNELS, ARGAND_UNSUPPORTED,
          "acquisition %lld has %d channels; ISMRMRD files hold 1 to %d", n, a->channels, LARGEST_CHANNELS);
    CHECK(a->channels == scan->acquisitions[0].channels, ARGAND_ARGUMENT,
          "acquisition %lld has %d channels, the first one has %d", n, a->channels,
          scan->acquisitions[0].channels);
    CHECK(a->encoding >= 0 && a->encoding < scan->encoding_count, ARGAND_ARGUMENT,
          "acquisition %lld refers to encoding %d of %d", n, a->encoding, scan->encoding_count);
    CHECK(a->data, ARGAND_ARGUMENT, "acquisition %lld has no data", n);
    CHECK(!a->k[0] == !a->k[1], ARGAND_ARGUMENT, "acquisition %lld needs both kx and ky, or neither", n);
    CHECK(isfinite(a->sample_time) && a->sample_time >= 0, ARGAND_ARGUMENT,
          "acquisition %lld: sample_time is %g s", n, a->sample_time);
    return ARGAND_OK;
}

static argand_status check_array(const argand_scan *scan, int i)
{
    const argand_scan_array *a = &scan->arrays[i];
    CHECK(memchr(a->name, 0, sizeof a->name) && a->name[0], ARGAND_ARGUMENT,
          "array %d needs a name of 1 to 63 letters", i);
    CHECK(!strchr(a->name, '/') && strcmp(a->name, ".") != 0 && strcmp(a->name, "xml") != 0 &&
              strcmp(a->name, "data") != 0,
          ARGAND_ARGUMENT, "an array cannot be named \"%s\"", a->name);
    CHECK(a->type >= ARGAND_R32 && a->type <= ARGAND_C64, ARGAND_ARGUMENT, "array %s has an unknown type",
          a->name);
    CHECK(a->rank >= 1 && a->rank <= ARGAND_MAX_RANK && a->data, ARGAND_ARGUMENT,
          "array %s needs data and 1 to %d dimensions", a->name, ARGAND_MAX_RANK);
    for (int d = 0; d < a->rank; d++)
        CHECK(a->dims[d] >= 1, ARGAND_ARGUMENT, "array %s: dimension %d is %lld", a->name, d,
              (long long)a->dims[d]);
    return ARGAND_OK;
}

argand_status scan_check_writable(const argand_scan *scan)
{
    CHECK(scan->encoding_count >= 1 && scan->encodings, ARGAND_ARGUMENT,
          "a scan needs an encoding to be written");
    CHECK(scan->acquisition_count >= 1 && scan->acquisitions, ARGAND_ARGUMENT,
          "a scan needs acquisitions to be written");
    CHECK(!scan->array_count || scan->arrays, ARGAND_ARGUMENT, "array_count is %d, but arrays is NULL",
          scan->array_count);
    CHECK(!scan->echo_count || scan->echo_times, ARGAND_ARGUMENT, "echo_count is %d, but echo_times is NULL",
          scan->echo_count);
    for (int i = 0; i < scan->encoding_count; i++) TRY(check_encoding(scan, i));
    for (int64_t i = 0; i < scan->acquisition_count; i++) TRY(check_acquisition(scan, i));
    for (int i = 0; i < scan->array_count; i++) TRY(check_array(scan, i));
    return ARGAND_OK;
}
