/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates the HDF5 types of the rows of an ISMRMRD file. */
#include "io/ismrmrd/types.h"

#include <stddef.h>

typedef enum member_kind { U16, U32, U64, I32, F32 } member_kind;

typedef struct member {
    const char *name;
    size_t offset;
    member_kind kind;
    hsize_t count; /* 1: a scalar */
} member;

#define HEAD(field, kind, count)                           \
    {                                                      \
#field, offsetof(ismrmrd_head, field), kind, count \
    }
static const member head_members[] = {
    HEAD(version, U16, 1),
    HEAD(flags, U64, 1),
    HEAD(measurement_uid, U32, 1),
    HEAD(scan_counter, U32, 1),
    HEAD(acquisition_time_stamp, U32, 1),
    HEAD(physiology_time_stamp, U32, 3),
    HEAD(number_of_samples, U16, 1),
    HEAD(available_channels, U16, 1),
    HEAD(active_channels, U16, 1),
    HEAD(channel_mask, U64, 16),
    HEAD(discard_pre, U16, 1),
    HEAD(discard_post, U16, 1),
    HEAD(center_sample, U16, 1),
    HEAD(encoding_space_ref, U16, 1),
    HEAD(trajectory_dimensions, U16, 1),
    HEAD(sample_time_us, F32, 1),
    HEAD(position, F32, 3),
    HEAD(read_dir, F32, 3),
    HEAD(phase_dir, F32, 3),
    HEAD(slice_dir, F32, 3),
    HEAD(patient_table_position, F32, 3),
    HEAD(user_int, I32, 8),
    HEAD(user_float, F32, 8),
};

#define COUNTER(field, count)                                 \
    {                                                         \
#field, offsetof(ismrmrd_counters, field), U16, count \
    }
static const member counter_members[] = {
    COUNTER(kspace_encode_step_1, 1),
    COUNTER(kspace_encode_step_2, 1),
    COUNTER(average, 1),
    COUNTER(slice, 1),
    COUNTER(contrast, 1),
    COUNTER(phase, 1),
    COUNTER(repetition, 1),
    COUNTER(set, 1),
    COUNTER(segment, 1),
    COUNTER(user, 8),
};

static hid_t number_type(member_kind kind)
{
    switch (kind) {
    case U16:
        return H5T_NATIVE_UINT16;
    case U32:
        return H5T_NATIVE_UINT32;
    case U64:
        return H5T_NATIVE_UINT64;
    case I32:
        return H5T_NATIVE_INT32;
    case F32:
        break;
    }
    return H5T_NATIVE_FLOAT;
}

static herr_t insert_member(hid_t type, const member *m)
{
    if (m->count == 1) return H5Tinsert(type, m->name, m->offset, number_type(m->kind));
    const hid_t several = H5Tarray_create2(number_type(m->kind), 1, &m->count);
    const herr_t result = H5Tinsert(type, m->name, m->offset, several);
    H5Tclose(several);
    return result;
}

/* Closes the type if filling it failed, so that callers test one value. */
static hid_t whole_or_none(hid_t type, herr_t result)
{
    if (result >= 0) return type;
    H5Tclose(type);
    return -1;
}

static hid_t compound(size_t size, const member *members, size_t count)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, size);
    herr_t result = 0;
    for (size_t i = 0; i < count && result >= 0; i++) result = insert_member(type, &members[i]);
    return whole_or_none(type, result);
}

static hid_t head_type(void)
{
    const hid_t counters =
        compound(sizeof(ismrmrd_counters), counter_members, sizeof counter_members / sizeof *counter_members);
    const hid_t type =
        compound(sizeof(ismrmrd_head), head_members, sizeof head_members / sizeof *head_members);
    const herr_t result = H5Tinsert(type, "idx", offsetof(ismrmrd_head, idx), counters);
    H5Tclose(counters);
    return whole_or_none(type, result);
}

hid_t ismrmrd_type_heads(void)
{
    const hid_t head = head_type(), type = H5Tcreate(H5T_COMPOUND, sizeof(ismrmrd_head));
    const herr_t result = H5Tinsert(type, "head", 0, head);
    H5Tclose(head);
    return whole_or_none(type, result);
}

static herr_t insert_samples(hid_t type, size_t traj, size_t data)
{
    const hid_t floats = H5Tvlen_create(H5T_NATIVE_FLOAT);
    herr_t result = H5Tinsert(type, "traj", traj, floats);
    if (result >= 0) result = H5Tinsert(type, "data", data, floats);
    H5Tclose(floats);
    return result;
}

hid_t ismrmrd_type_samples(void)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(ismrmrd_samples));
    return whole_or_none(
        type, insert_samples(type, offsetof(ismrmrd_samples, traj), offsetof(ismrmrd_samples, data)));
}

hid_t ismrmrd_type_rows(void)
{
    const hid_t head = head_type(), type = H5Tcreate(H5T_COMPOUND, sizeof(ismrmrd_row));
    herr_t result = H5Tinsert(type, "head", offsetof(ismrmrd_row, head), head);
    if (result >= 0) result = insert_samples(type, offsetof(ismrmrd_row, traj), offsetof(ismrmrd_row, data));
    H5Tclose(head);
    return whole_or_none(type, result);
}

hid_t ismrmrd_type_complex(hid_t part)
{
    const size_t size = H5Tget_size(part);
    const hid_t type = H5Tcreate(H5T_COMPOUND, 2 * size);
    herr_t result = H5Tinsert(type, "real", 0, part);
    if (result >= 0) result = H5Tinsert(type, "imag", size, part);
    return whole_or_none(type, result);
}
