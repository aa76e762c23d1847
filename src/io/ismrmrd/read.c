/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads an ISMRMRD file completely into memory. The format: https://ismrmrd.github.io; S. J. Inati et al.,
 * Magnetic Resonance in Medicine 77 (2017). HDF5 is used directly: libismrmrd copies what heads claim
 * without comparing it with what is stored, and reads one acquisition per call. */
#include "io/ismrmrd/scan.h"

argand_status scan_finish(scan_reader *reader)
{
    scan_adapt_siemens(reader);
    TRY(scan_finish_trajectory(reader));
    scan_finish_lists(reader);
    scan_finish_limits(reader);
    scan_note_parameters(reader);
    return reader->owner->notes.status;
}

argand_status scan_read_ismrmrd(scan_reader *reader)
{
    const char *name = reader->options.group ? reader->options.group : "dataset";
    TRY(hdf5_open_group(&reader->group, reader->file, reader->path, name));
    argand_status status;
    TRY_OR_DONE(scan_read_header(reader));
    TRY_OR_DONE(scan_read_heads(reader));
    TRY_OR_DONE(scan_read_samples(reader));
    TRY_OR_DONE(scan_finish(reader));
    TRY_OR_DONE(scan_read_arrays(reader));
    status = reader->owner->notes.status;
done:
    H5Gclose(reader->group);
    return status;
}

argand_status scan_check_options(const argand_scan_options *options)
{
    CHECK(!options || (options->k_unit >= ARGAND_K_AUTO && options->k_unit <= ARGAND_K_RADIANS_PER_M),
          ARGAND_ARGUMENT, "unknown unit of k (%d)", options ? (int)options->k_unit : 0);
    CHECK(!options || (options->bands >= 0 && options->bands <= 64), ARGAND_ARGUMENT,
          "%d simultaneous slices: give 1 to 64, or 0 for what the header says",
          options ? options->bands : 0);
    CHECK(!options || (options->blips >= -64 && options->blips <= 64), ARGAND_ARGUMENT,
          "blips %d: give -64 to 64, or 0 for the file's kz", options ? options->blips : 0);
    return ARGAND_OK;
}
