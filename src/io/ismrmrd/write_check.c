/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks before a file is begun that the format can hold the scan: 16-bit counts, names that HDF5 accepts,
 * no missing pointer. */
#include <math.h>
#include <string.h>
#include "io/ismrmrd/write.h"

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
    CHECK(e->bands.count >= 0 && e->bands.count <= 64 && isfinite(e->bands.spacing) && e->bands.spacing >= 0,
          ARGAND_ARGUMENT, "encoding %d: %d simultaneous slices, %g mm apart, make no sense", i,
          e->bands.count, e->bands.spacing);
    CHECK(memchr(e->calibration_mode, 0, sizeof e->calibration_mode), ARGAND_ARGUMENT,
          "encoding %d: calibration_mode is not a text", i);
    return ARGAND_OK;
}

/* Names an acquisition in messages: "acquisition 7", "noise acquisition 0". */
#define WRITTEN_FORMAT "%s %lld"
#define WRITTEN(w) (w).name, (w).number

static int channels_of(const argand_scan *scan)
{
    const int64_t count = scan_written_count(scan);
    return scan->acquisition_count ? scan->acquisitions[0].channels
                                   : scan_written_at(scan, count - 1).acquisition->channels;
}

static argand_status check_acquisition(const argand_scan *scan, const scan_written w)
{
    const argand_acquisition *a = w.acquisition;
    CHECK(a->samples >= 1 && a->samples <= LARGEST_COUNT, ARGAND_UNSUPPORTED,
          WRITTEN_FORMAT " has %lld samples; ISMRMRD files hold 1 to %d. Divide longer readouts", WRITTEN(w),
          (long long)a->samples, LARGEST_COUNT);
    CHECK(a->channels >= 1 && a->channels <= LARGEST_CHANNELS, ARGAND_UNSUPPORTED,
          WRITTEN_FORMAT " has %d channels; ISMRMRD files hold 1 to %d", WRITTEN(w), a->channels,
          LARGEST_CHANNELS);
    CHECK(a->channels == channels_of(scan), ARGAND_ARGUMENT,
          WRITTEN_FORMAT " has %d channels, the first one has %d", WRITTEN(w), a->channels,
          channels_of(scan));
    CHECK(a->encoding >= 0 && a->encoding < scan->encoding_count, ARGAND_ARGUMENT,
          WRITTEN_FORMAT " refers to encoding %d of %d", WRITTEN(w), a->encoding, scan->encoding_count);
    CHECK(a->data, ARGAND_ARGUMENT, WRITTEN_FORMAT " has no data", WRITTEN(w));
    CHECK(!a->k[0] == !a->k[1], ARGAND_ARGUMENT, WRITTEN_FORMAT " needs both kx and ky, or neither",
          WRITTEN(w));
    CHECK(isfinite(a->sample_time) && a->sample_time >= 0, ARGAND_ARGUMENT,
          WRITTEN_FORMAT ": sample_time is %g s", WRITTEN(w), a->sample_time);
    return ARGAND_OK;
}

/* Refuses image data with flags that make readers take it for calibration, noise or the like. */
static argand_status check_image(const argand_scan *scan, int64_t i)
{
    const uint64_t flags = scan->acquisitions[i].flags,
                   aside = ARGAND_FLAG_NOISE | ARGAND_FLAG_NAVIGATION | ARGAND_FLAG_PHASE_CORRECTION;
    const bool only_calibration =
        (flags & ARGAND_FLAG_CALIBRATION) && !(flags & ARGAND_FLAG_CALIBRATION_AND_IMAGING);
    CHECK(!(flags & aside) && !only_calibration, ARGAND_ARGUMENT,
          "acquisition %lld is among the image data, but has the flag of noise, navigation, phase correction "
          "or "
          "calibration alone. Move it to its own list",
          (long long)i);
    return ARGAND_OK;
}

static argand_status check_parameter(const argand_scan *scan, int i)
{
    const argand_parameter *p = &scan->parameters[i];
    CHECK(p->kind >= ARGAND_PARAMETER_LONG && p->kind <= ARGAND_PARAMETER_BASE64, ARGAND_ARGUMENT,
          "user parameter %d has an unknown kind (%d)", i, (int)p->kind);
    CHECK(p->name && *p->name && p->value, ARGAND_ARGUMENT, "user parameter %d needs a name and a value", i);
    return ARGAND_OK;
}

static argand_status check_lists(const argand_scan *scan)
{
    const struct {
        const argand_acquisition *list;
        int64_t count;
        const char *name;
    } lists[] = {{scan->noise, scan->noise_count, "noise"},
                 {scan->navigators, scan->navigator_count, "navigators"},
                 {scan->calibrations, scan->calibration_count, "calibrations"},
                 {scan->corrections, scan->correction_count, "corrections"},
                 {scan->acquisitions, scan->acquisition_count, "acquisitions"}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        CHECK(lists[i].count >= 0 && (lists[i].list || !lists[i].count), ARGAND_ARGUMENT,
              "%s is NULL, but there are to be %lld", lists[i].name, (long long)lists[i].count);
    CHECK(scan_written_count(scan) >= 1, ARGAND_ARGUMENT, "a scan needs acquisitions to be written");
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
    TRY(check_lists(scan));
    CHECK(!scan->parameter_count || scan->parameters, ARGAND_ARGUMENT,
          "parameter_count is %d, but parameters is NULL", scan->parameter_count);
    CHECK(!scan->array_count || scan->arrays, ARGAND_ARGUMENT, "array_count is %d, but arrays is NULL",
          scan->array_count);
    CHECK(!scan->echo_count || scan->echo_times, ARGAND_ARGUMENT, "echo_count is %d, but echo_times is NULL",
          scan->echo_count);
    for (int i = 0; i < scan->encoding_count; i++) TRY(check_encoding(scan, i));
    for (int64_t i = 0; i < scan_written_count(scan); i++)
        TRY(check_acquisition(scan, scan_written_at(scan, i)));
    for (int64_t i = 0; i < scan->acquisition_count; i++) TRY(check_image(scan, i));
    for (int i = 0; i < scan->parameter_count; i++) TRY(check_parameter(scan, i));
    for (int i = 0; i < scan->array_count; i++) TRY(check_array(scan, i));
    return ARGAND_OK;
}
