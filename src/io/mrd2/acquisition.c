/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes acquisitions of MRD 2 as heads of ISMRMRD. Fields are found by their names: model 2.0 has the head's
 * fields in the acquisition itself, later ones in a record of their own, with times in nanoseconds in the
 * latest. */
#include <math.h>
#include <stddef.h>

#include "base/size.h"
#include "io/mrd2/mrd2.h"

typedef enum number_kind { U16, U32, I32, F32 } number_kind;

/* A field with numbers: where they lie in the head, and how many there may be. */
typedef struct field {
    const char *name;
    number_kind kind;
    int most;
    size_t at;
    double unit;
} field;

/* Ticks of ISMRMRD's time stamps, which are Siemens' by custom. */
#define TICK_NS 2.5e6
#define HEAD(member) offsetof(ismrmrd_head, member)
static const field fields[] = {
    {"measurementUid", U32, 1, HEAD(measurement_uid), 1},
    {"scanCounter", U32, 1, HEAD(scan_counter), 1},
    {"acquisitionTimeStamp", U32, 1, HEAD(acquisition_time_stamp), 1},
    {"acquisitionTimeStampNs", U32, 1, HEAD(acquisition_time_stamp), 1 / TICK_NS},
    {"physiologyTimeStamp", U32, 3, HEAD(physiology_time_stamp), 1},
    {"physiologyTimeStampNs", U32, 3, HEAD(physiology_time_stamp), 1 / TICK_NS},
    {"discardPre", U16, 1, HEAD(discard_pre), 1},
    {"discardPost", U16, 1, HEAD(discard_post), 1},
    {"centerSample", U16, 1, HEAD(center_sample), 1},
    {"encodingSpaceRef", U16, 1, HEAD(encoding_space_ref), 1},
    {"sampleTimeUs", F32, 1, HEAD(sample_time_us), 1},
    {"sampleTimeNs", F32, 1, HEAD(sample_time_us), 1e-3},
    {"position", F32, 3, HEAD(position), 1},
    {"readDir", F32, 3, HEAD(read_dir), 1},
    {"phaseDir", F32, 3, HEAD(phase_dir), 1},
    {"sliceDir", F32, 3, HEAD(slice_dir), 1},
    {"patientTablePosition", F32, 3, HEAD(patient_table_position), 1},
    {"userInt", I32, 8, HEAD(user_int), 1},
    {"userFloat", F32, 8, HEAD(user_float), 1},
    {"kspaceEncodeStep1", U16, 1, HEAD(idx.kspace_encode_step_1), 1},
    {"kspaceEncodeStep2", U16, 1, HEAD(idx.kspace_encode_step_2), 1},
    {"average", U16, 1, HEAD(idx.average), 1},
    {"slice", U16, 1, HEAD(idx.slice), 1},
    {"contrast", U16, 1, HEAD(idx.contrast), 1},
    {"phase", U16, 1, HEAD(idx.phase), 1},
    {"repetition", U16, 1, HEAD(idx.repetition), 1},
    {"set", U16, 1, HEAD(idx.set), 1},
    {"segment", U16, 1, HEAD(idx.segment), 1},
    {"user", U16, 8, HEAD(idx.user), 1},
};

/* An acquisition that is being taken. */
typedef struct taking {
    ismrmrd_head *head;
    uint64_t *places;
    bool has_centre, has_samples;
    uint64_t trajectory[2]; /* dimensions and samples */
} taking;

/* ---- numbers */

/* Stores one number of a field, after a check that ISMRMRD's head can hold it. */
static argand_status store(const mrd2_file *f, ismrmrd_head *head, const field *to, int i, double number)
{
    static const double low[] = {0, 0, INT32_MIN}, high[] = {UINT16_MAX, UINT32_MAX, INT32_MAX};
    char *at = (char *)head + to->at;
    if (to->kind != F32)
        CHECK(number >= low[to->kind] && number <= high[to->kind], ARGAND_UNSUPPORTED,
              "%s: acquisition %lld: %s is %.9g; values from %.0f to %.0f are read", f->path,
              (long long)f->count, to->name, number, low[to->kind], high[to->kind]);
    switch (to->kind) {
    case U16:
        ((uint16_t *)(void *)at)[i] = (uint16_t)number;
        return ARGAND_OK;
    case U32:
        ((uint32_t *)(void *)at)[i] = (uint32_t)number;
        return ARGAND_OK;
    case I32:
        ((int32_t *)(void *)at)[i] = (int32_t)number;
        return ARGAND_OK;
    default:
        ((float *)(void *)at)[i] = (float)fmin(fmax(number, -3.4e38), 3.4e38); /* NaN becomes a number */
        return ARGAND_OK;
    }
}

static argand_status take_numbers(mrd2_file *f, ismrmrd_head *head, const field *to, const mrd2_type *type)
{
    uint64_t count = 1;
    double number;
    const mrd2_type *item = type;
    if (type->kind == MRD2_VECTOR) TRY(mrd2_take_length(&count, f, type));
    if (type->kind == MRD2_ARRAY) {
        uint64_t dims[MRD2_MOST_RANK];
        int rank;
        TRY(mrd2_take_dims(dims, &rank, f, type));
        CHECK(rank == 1 && dims[0] <= f->size - f->at, ARGAND_UNSUPPORTED,
              "%s: acquisition %lld: %s is no list of numbers", f->path, (long long)f->count, to->name);
        count = dims[0];
    }
    if (type->kind == MRD2_VECTOR || type->kind == MRD2_ARRAY) item = type->item;
    for (uint64_t i = 0; i < count; i++) {
        TRY(mrd2_take_number(&number, f, item));
        if (i < (uint64_t)to->most) TRY(store(f, head, to, (int)i, number * to->unit));
    }
    f->extra |= count > (uint64_t)to->most;
    return ARGAND_OK;
}

/* ---- arrays */

static argand_status take_array(uint64_t dims[2], uint64_t *at, mrd2_file *f, const mrd2_type *type,
                                const char *item)
{
    uint64_t all[MRD2_MOST_RANK];
    int rank;
    size_t bytes;
    CHECK(type->kind == MRD2_ARRAY && !strcmp(type->item->name, item), ARGAND_UNSUPPORTED,
          "%s: its acquisitions have no arrays of %s, as MRD 2 has them", f->path, item);
    TRY(mrd2_take_dims(all, &rank, f, type));
    CHECK(rank == 2, ARGAND_UNSUPPORTED, "%s: acquisition %lld has an array of %d dimensions instead of two",
          f->path, (long long)f->count, rank);
    memcpy(dims, all, 2 * sizeof *dims);
    size_multiply(&bytes, (size_t)dims[0], (size_t)dims[1]);
    size_multiply(&bytes, bytes, (size_t)type->item->size);
    *at = f->at;
    return mrd2_take(f, NULL, bytes, "an acquisition's array");
}

static argand_status take_samples(taking *t, mrd2_file *f, const mrd2_type *type)
{
    uint64_t dims[2];
    TRY(take_array(dims, &t->places[0], f, type, "complexfloat32"));
    CHECK(dims[0] <= UINT16_MAX && dims[1] <= UINT16_MAX, ARGAND_UNSUPPORTED,
          "%s: acquisition %lld has %llu coils and %llu samples; at most 65535 are read", f->path,
          (long long)f->count, (unsigned long long)dims[0], (unsigned long long)dims[1]);
    t->head->active_channels = t->head->available_channels = (uint16_t)dims[0];
    t->head->number_of_samples = (uint16_t)dims[1];
    t->has_samples = true;
    return ARGAND_OK;
}

/* ---- fields */

static argand_status take_record(taking *t, mrd2_file *f, const mrd2_type *type, int depth);

static argand_status take_known(taking *t, mrd2_file *f, const mrd2_type *type, const char *name)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!strcmp(fields[i].name, name)) {
            t->has_centre |= fields[i].at == HEAD(center_sample);
            return take_numbers(f, t->head, &fields[i], type);
        }
    return mrd2_skip(f, type, 0);
}

static argand_status take_field(taking *t, mrd2_file *f, const mrd2_part *part, int depth)
{
    const mrd2_part *chosen;
    const mrd2_type *type = part->type;
    const uint64_t from = f->at;
    TRY(mrd2_take_case(&chosen, f, &type));
    if (!type) return ARGAND_OK; /* not stated */
    if (type->kind == MRD2_RECORD) return take_record(t, f, type, depth);
    if (!strcmp(part->name, "flags") && type->kind == MRD2_WHOLE) return mrd2_take_whole(&t->head->flags, f);
    if (!strcmp(part->name, "data")) return take_samples(t, f, type);
    if (!strcmp(part->name, "trajectory"))
        return take_array(t->trajectory, &t->places[1], f, type, "float32");
    if (strcmp(part->name, "phase") || type->kind != MRD2_ARRAY) return take_known(t, f, type, part->name);
    TRY(mrd2_skip(f, type, 0));
    f->offsets |= f->at > from + 1; /* an empty array has one byte */
    return ARGAND_OK;
}

static argand_status take_record(taking *t, mrd2_file *f, const mrd2_type *type, int depth)
{
    CHECK(depth < 4, ARGAND_FORMAT, "%s: its acquisitions are nested too deep", f->path);
    for (int i = 0; i < type->part_count; i++) TRY(take_field(t, f, &type->parts[i], depth + 1));
    return ARGAND_OK;
}

argand_status mrd2_take_acquisition(ismrmrd_head *head, uint64_t places[2], mrd2_file *f,
                                    const mrd2_type *type)
{
    *head = (ismrmrd_head){.version = 1};
    taking t = {.head = head, .places = places};
    TRY(take_record(&t, f, type, 0));
    CHECK(t.has_samples, ARGAND_UNSUPPORTED, "%s: its acquisitions have no field \"data\"", f->path);
    const uint64_t rows = t.trajectory[0], columns = t.trajectory[1];
    CHECK(!rows || !columns || (columns == head->number_of_samples && rows <= 4), ARGAND_FORMAT,
          "%s: acquisition %lld has %u samples, but a trajectory of %llu x %llu", f->path,
          (long long)f->count, head->number_of_samples, (unsigned long long)rows,
          (unsigned long long)columns);
    head->trajectory_dimensions = columns ? (uint16_t)rows : 0;
    if (!t.has_centre) head->center_sample = head->number_of_samples / 2;
    f->centred |= !t.has_centre;
    return ARGAND_OK;
}
