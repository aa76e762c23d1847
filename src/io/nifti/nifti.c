/* SPDX-License-Identifier: BSD-3-Clause */
/* NIfTI-1 files. The header is written here and not by a library: docs/internals/io.md says why. */
#include "io/nifti/nifti.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "io/arrays/sink.h"
#include "io/arrays/transfer.h"

/* Writes the data. Refuses big-endian machines, because the header is always little-endian. */
static argand_status write_numbers(sink *out, const argand_array *image)
{
    void *numbers = NULL;
    argand_status status = transfer_out(&numbers, image);
    TRY_OR_DONE(status);
    CHECK_OR_DONE(numbers_host_is_little(), ARGAND_UNSUPPORTED,
                  "NIfTI is not written on big-endian machines");
    TRY_OR_DONE(sink_write_floats(out, numbers, transfer_is_double(image), transfer_parts(image)));
done:
    memory_free(numbers);
    return status;
}

static argand_status describe(nifti_header *header, const char *path, const argand_array *image)
{
    const int rank = argand_array_rank(image);
    CHECK(rank <= NIFTI_MAX_RANK, ARGAND_ARGUMENT, "%s: NIfTI holds 7 dimensions at most, the image has %d",
          path, rank);
    *header = (nifti_header){.rank = rank < 3 ? 3 : rank,
                             .format = {transfer_is_complex(image) ? 'c' : 'f', 0, false}};
    for (int i = 0; i < NIFTI_MAX_RANK; i++) {
        header->dims[i] = argand_array_dim(image, i);
        CHECK(header->dims[i] <= INT16_MAX, ARGAND_ARGUMENT,
              "%s: NIfTI-1 holds up to 32767 voxels a side, the image has %lld", path,
              (long long)header->dims[i]);
    }
    return ARGAND_OK;
}

argand_status argand_nifti_write(const char *path, const argand_array *image, const argand_geometry *geometry,
                                 double repetition_time)
{
    CHECK(path && image, ARGAND_ARGUMENT, "NIfTI: %s",
          path ? "no image to write" : "no file name to write to");
    unsigned char bytes[NIFTI_DATA];
    nifti_header header;
    sink out = {0};
    TRY(describe(&header, path, image));
    header.pose = nifti_pose_make(geometry, header.dims);
    header.repetition_time = repetition_time > 0 && isfinite(repetition_time) ? repetition_time : 0;
    nifti_header_compose(bytes, &header);
    argand_status status = sink_open(&out, path, file_ends_with(path, ".gz"));
    TRY_OR_DONE(status);
    TRY_OR_DONE(sink_write(&out, bytes, sizeof bytes));
    TRY_OR_DONE(write_numbers(&out, image));
    return sink_finish(&out);
done:
    sink_abandon(&out);
    return status;
}

argand_status argand_nifti_read(argand_array **image, const char *path, argand_device *device,
                                argand_geometry *geometry)
{
    if (image) *image = NULL;
    CHECK(image && device, ARGAND_ARGUMENT, "NIfTI: %s", image ? "no device" : "nowhere to put the image");
    unsigned char bytes[540];
    nifti_header header;
    source in;
    size_t got;
    argand_status status = source_open(&in, path, true);
    TRY_OR_DONE(status);
    TRY_OR_DONE(source_read(&in, bytes, sizeof bytes, &got));
    CHECK_OR_DONE(got >= NIFTI_HEADER, ARGAND_FORMAT,
                  "%s: truncated: header of 348 bytes expected, %zu found", path, got);
    TRY_OR_DONE(nifti_header_parse(&header, bytes, got, path));
    source_close(&in); /* reopen at the start: the data may begin within the bytes already read */
    TRY_OR_DONE(source_open(&in, path, true));
    TRY_OR_DONE(source_skip(&in, header.data_at, "voxels"));
    const file_array voxels = {header.format, header.rank, header.dims, header.slope, header.intercept};
    TRY_OR_DONE(transfer_in(image, &in, device, &voxels));
    if (geometry) nifti_pose_geometry(&header.pose, header.dims, geometry);
    if (geometry) geometry->time_step = header.repetition_time;
done:
    source_close(&in);
    return status;
}
