/* SPDX-License-Identifier: BSD-3-Clause */
/* One row of "data" in an ISMRMRD file, and its HDF5 types. HDF5 converts by the names of members, so that
 * order and packing may differ from the file: libismrmrd (2-byte packing), h5py and older versions of the
 * format (missing members are 0) can all be read. */
#ifndef IO_ISMRMRD_TYPES_H
#define IO_ISMRMRD_TYPES_H

#include <hdf5.h>
#include <stdint.h>
#include "base/status.h"

typedef struct ismrmrd_counters {
    uint16_t kspace_encode_step_1, kspace_encode_step_2, average, slice, contrast, phase, repetition, set,
        segment, user[8];
} ismrmrd_counters;

typedef struct ismrmrd_head {
    uint16_t version;
    uint64_t flags;
    uint32_t measurement_uid, scan_counter, acquisition_time_stamp, physiology_time_stamp[3];
    uint16_t number_of_samples, available_channels, active_channels;
    uint64_t channel_mask[16];
    uint16_t discard_pre, discard_post, center_sample, encoding_space_ref, trajectory_dimensions;
    float sample_time_us, position[3], read_dir[3], phase_dir[3], slice_dir[3], patient_table_position[3];
    ismrmrd_counters idx;
    int32_t user_int[8];
    float user_float[8];
} ismrmrd_head;

typedef struct ismrmrd_samples { /* vlen is {len, p} */
    hvl_t traj, data;
} ismrmrd_samples;

typedef struct ismrmrd_row {
    ismrmrd_head head;
    hvl_t traj, data;
} ismrmrd_row;

/* Flags count from 1, as in the description of the format. */
enum {
    ISMRMRD_FIRST_IN_SLICE = 7,
    ISMRMRD_LAST_IN_SLICE = 8,
    ISMRMRD_LAST_IN_REPETITION = 14,
    ISMRMRD_NOISE = 19,
    ISMRMRD_CALIBRATION = 20,
    ISMRMRD_CALIBRATION_AND_IMAGING = 21,
    ISMRMRD_REVERSE = 22,
    ISMRMRD_NAVIGATION = 23,
    ISMRMRD_PHASE_CORRECTION = 24,
    ISMRMRD_LAST_IN_MEASUREMENT = 25,
    ISMRMRD_HP_FEEDBACK = 26,
    ISMRMRD_DUMMY = 27,
    ISMRMRD_RT_FEEDBACK = 28,
    ISMRMRD_SURFACE_COIL = 29,
    ISMRMRD_PHASE_STABILIZATION_REFERENCE = 30,
    ISMRMRD_PHASE_STABILIZATION = 31,
    ISMRMRD_COMPRESSED_FIRST = 53,
    ISMRMRD_COMPRESSED_LAST = 56
};

static inline uint64_t ismrmrd_flag(int number)
{
    return UINT64_C(1) << (number - 1);
}

/* Create types in memory; negative: HDF5 has no memory. The caller closes them. */
hid_t ismrmrd_type_heads(void);   /* {head} alone, for rows of ismrmrd_head: reads no samples */
hid_t ismrmrd_type_samples(void); /* {traj, data}, for rows of ismrmrd_samples */
hid_t ismrmrd_type_rows(void);    /* {head, traj, data}, for rows of ismrmrd_row; also used for writing */
hid_t ismrmrd_type_complex(hid_t part); /* {real, imag} */
hid_t ismrmrd_type_images(
    void); /* heads of ARGAND_SCAN_IMAGE_HEAD bytes, as argand_scan_image_head packs them */

#endif
