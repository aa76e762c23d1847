/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes images: all slices into one file, or a folder with a file for each. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/files/file.h"
#include "base/memory.h"
#include "io/dicom/dicom.h"

static argand_status check(const char *path, const argand_array *image, const argand_geometry *geometry,
                           const argand_dicom_about *about)
{
    CHECK(path && image && geometry && about, ARGAND_ARGUMENT, "DICOM: %s",
          !path       ? "no file name to write to"
          : !image    ? "no image to write"
          : !geometry ? "no geometry"
                      : "nothing says what the image is");
    CHECK(about->part >= 0 && about->part <= ARGAND_IMAGE_IMAGINARY, ARGAND_ARGUMENT,
          "%s: part %d of an image: DICOM holds 1 (magnitude) to 4 (imaginary)", path, (int)about->part);
    CHECK(geometry->valid, ARGAND_ARGUMENT,
          "%s: a DICOM image states its position and orientation, and the scan has none (its directions are "
          "0): write .nii.gz, or give the scan its directions",
          path);
    for (int i = 0; i < 3; i++)
        CHECK(geometry->voxel[i] > 0 && isfinite(geometry->voxel[i]), ARGAND_ARGUMENT,
              "%s: a DICOM image states its pixel size, and that of axis %d is %g mm", path, i,
              geometry->voxel[i]);
    return ARGAND_OK;
}

argand_status argand_dicom_write(const char *path, const argand_array *image, const argand_geometry *geometry,
                                 const argand_dicom_about *about)
{
    TRY(check(path, image, geometry, about));
    const double most = 4294967294.0, size = 2.0 * (double)argand_array_count(image);
    CHECK(size <= most, ARGAND_UNSUPPORTED,
          "%s: a DICOM file holds 4 GB of pixels, the image has %.3g GB: write slices "
          "(argand_dicom_write_slices, "
          "--dicom classic)",
          path, size / 1e9);
    dicom_series series = {.about = about, .geometry = *geometry};
    file_draft draft = {0};
    text bytes = {0};
    argand_status status = dicom_pixels_make(&series.pixels, path, image);
    TRY_OR_DONE(status);
    TRY_OR_DONE(dicom_enhanced(&bytes, &series));
    TRY_OR_DONE(file_begin(&draft, path));
    TRY_OR_DONE(file_write(&draft, text_chars(&bytes), bytes.length));
    TRY_OR_DONE(file_write(&draft, series.pixels.bytes, 2 * (size_t)argand_array_count(image)));
    status = file_finish(&draft);
done:
    file_abandon(&draft);
    text_free(&bytes);
    dicom_pixels_free(&series.pixels);
    return status;
}

static argand_status write_slice(file_draft *folder, dicom_series *s, int64_t frame)
{
    char name[32];
    text head = {0};
    const size_t size = (size_t)(2 * s->pixels.columns * s->pixels.rows);
    argand_status status = dicom_classic(&head, s, frame);
    const void *const pieces[2] = {text_chars(&head), s->pixels.bytes + size * (size_t)frame};
    const size_t sizes[2] = {head.length, size};
    snprintf(name, sizeof name, "%05lld.dcm", (long long)frame + 1);
    if (!status) status = file_add(folder, name, pieces, sizes, 2);
    text_free(&head);
    return status;
}

argand_status argand_dicom_write_slices(const char *folder, const argand_array *image,
                                        const argand_geometry *geometry, const argand_dicom_about *about)
{
    TRY(check(folder, image, geometry, about));
    dicom_series series = {.about = about, .geometry = *geometry};
    file_draft draft = {0};
    argand_status status = dicom_pixels_make(&series.pixels, folder, image);
    TRY_OR_DONE(status);
    TRY_OR_DONE(file_begin_folder(&draft, folder));
    for (int64_t i = 0; i < series.pixels.slices * series.pixels.volumes; i++)
        TRY_OR_DONE(write_slice(&draft, &series, i));
    status = file_finish(&draft);
done:
    file_abandon(&draft);
    dicom_pixels_free(&series.pixels);
    return status;
}
