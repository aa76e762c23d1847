/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads fastMRI's HDF5 files (https://fastmri.med.nyu.edu; J. Zbontar et al., arXiv 1811.08839). `kspace`
 * is [slices, coils, height, width], or [slices, height, width] for one coil; readouts lie along height.
 * Test sets have a `mask` along width. `ismrmrd_header` is ISMRMRD's header. `reconstruction_rss` and
 * `reconstruction_esc` are reference images [slices, height, width]. Each line, one element of width,
 * becomes an acquisition. Lines of zeros and lines outside of the mask count as not measured. */
#include "io/scans/scans.h"

#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "io/hdf5/dataset.h"

enum { MOST_COILS = 1024, MOST_SIDE = 65535 };

/* The array {width, height, coils, slices} and its measured lines. */
typedef struct kspace {
    const argand_scan_array *array;
    int64_t width, height, coils, slices;
    bool *measured; /* {width, slices} */
    int64_t lines, zeros, masked, ignored;
} kspace;

bool scan_is_fastmri(const scan_reader *reader)
{
    const char *group = reader->options.group;
    return (!group || !strcmp(group, "dataset")) && H5Lexists(reader->file, "dataset", H5P_DEFAULT) <= 0 &&
           H5Lexists(reader->file, "kspace", H5P_DEFAULT) > 0;
}

static argand_scan_array *find(const scan_reader *reader, const char *name)
{
    scan_owner *owner = reader->owner;
    for (int i = 0; i < owner->scan.array_count; i++)
        if (!strcmp(owner->arrays[i].name, name)) return &owner->arrays[i];
    return NULL;
}

/* ---- the array */

static argand_status find_kspace(kspace *k, const scan_reader *reader)
{
    const argand_scan_array *a = find(reader, "kspace");
    CHECK(a && (a->rank == 3 || a->rank == 4) && (a->type == ARGAND_C32 || a->type == ARGAND_C64),
          ARGAND_FORMAT,
          "%s: \"kspace\" is no complex array [slices, coils, height, width] or [slices, height, width] as "
          "in fastMRI",
          reader->path);
    *k = (kspace){.array = a,
                  .width = a->dims[0],
                  .height = a->dims[1],
                  .coils = a->rank == 4 ? a->dims[2] : 1,
                  .slices = a->dims[a->rank - 1]};
    CHECK(k->coils <= MOST_COILS && k->width <= MOST_SIDE && k->height <= MOST_SIDE && k->slices <= MOST_SIDE,
          ARGAND_UNSUPPORTED,
          "%s: \"kspace\" has %lld slices, %lld coils, %lld x %lld samples: at most %d coils, and %d slices, "
          "rows and columns, are read",
          reader->path, (long long)k->slices, (long long)k->coils, (long long)k->height, (long long)k->width,
          MOST_COILS, MOST_SIDE);
    return ARGAND_OK;
}

static void sample_of(float to[2], const kspace *k, int64_t i)
{
    if (k->array->type == ARGAND_C64)
        for (int part = 0; part < 2; part++) to[part] = (float)((const double *)k->array->data)[2 * i + part];
    else
        memcpy(to, (const float *)k->array->data + 2 * i, 2 * sizeof *to);
}

/* Marks lines that contain anything but zeros. NaN counts as measured: a later check refuses it and names
 * its place. */
static void find_lines(kspace *k)
{
    const int64_t rows = k->coils * k->height;
    for (int64_t s = 0; s < k->slices; s++)
        for (int64_t row = 0; row < rows; row++)
            for (int64_t w = 0; w < k->width; w++) {
                float v[2];
                sample_of(v, k, w + k->width * (row + rows * s));
                k->measured[w + k->width * s] |= v[0] != 0 || v[1] != 0;
            }
}

static bool is_left_out(const argand_scan_array *mask, int64_t w)
{
    return mask->type == ARGAND_R64 ? ((const double *)mask->data)[w] == 0
                                    : ((const float *)mask->data)[w] == 0;
}

/* Removes lines that the mask excludes; the mask has one value per element of width. */
static argand_status apply_mask(kspace *k, const scan_reader *reader)
{
    const argand_scan_array *mask = find(reader, "mask");
    int64_t count = 1;
    if (!mask) return ARGAND_OK;
    for (int d = 0; d < mask->rank; d++) count *= mask->dims[d];
    CHECK(count == k->width && (mask->type == ARGAND_R32 || mask->type == ARGAND_R64), ARGAND_UNSUPPORTED,
          "%s: \"mask\" has %lld elements, but \"kspace\" is %lld wide: give a mask of whole lines, one "
          "element for each",
          reader->path, (long long)count, (long long)k->width);
    for (int64_t w = 0; w < k->width; w++) {
        if (!is_left_out(mask, w)) continue;
        k->masked++;
        for (int64_t s = 0; s < k->slices; s++) {
            k->ignored += k->measured[w + k->width * s];
            k->measured[w + k->width * s] = false;
        }
    }
    return ARGAND_OK;
}

static argand_status choose_lines(kspace *k, scan_reader *reader)
{
    TRY(NEW(k->measured, k->width * k->slices));
    find_lines(k);
    TRY(apply_mask(k, reader));
    for (int64_t i = 0; i < k->width * k->slices; i++) k->lines += k->measured[i];
    CHECK(k->lines, ARGAND_FORMAT, "%s: all of \"kspace\" is 0%s", reader->path,
          k->masked ? " or left out by \"mask\"" : "");
    scan_note(reader,
              "fastMRI's layout: %lld slices of %lld lines. Lines of zeros%s count as not measured; %.4g "
              "lines a slice were measured.",
              (long long)k->slices, (long long)k->width,
              k->masked ? " and those that the mask leaves out" : "", (double)k->lines / (double)k->slices);
    if (k->ignored)
        scan_note(reader, "The mask leaves out %lld lines that are not 0: these lines are not used.",
                  (long long)k->ignored);
    return ARGAND_OK;
}

/* ---- the header */

/* Makes a header with voxels of 1 mm for files without ismrmrd_header. */
static argand_status make_header(scan_reader *reader, const kspace *k)
{
    char space[400];
    snprintf(space, sizeof space,
             "<matrixSize><x>%lld</x><y>%lld</y><z>1</z></matrixSize>"
             "<fieldOfView_mm><x>%lld</x><y>%lld</y><z>1</z></fieldOfView_mm>",
             (long long)k->height, (long long)k->width, (long long)k->height, (long long)k->width);
    text_add(&reader->owner->header,
             "<?xml version=\"1.0\"?><ismrmrdHeader "
             "xmlns=\"http://www.ismrm.org/ISMRMRD\"><encoding><encodedSpace>%s"
             "</encodedSpace><reconSpace>%s</reconSpace><trajectory>cartesian</trajectory></encoding></"
             "ismrmrdHeader>",
             space, space);
    scan_note(reader, "The file has no ismrmrd_header: voxels of 1 mm are taken.");
    return reader->owner->header.status;
}

static argand_status read_header(scan_reader *reader, const kspace *k)
{
    hid_t dataset;
    TRY(hdf5_open_dataset(&dataset, reader->group, reader->path, "ismrmrd_header"));
    argand_status status = ARGAND_OK;
    if (dataset < 0) {
        TRY(make_header(reader, k));
        return scan_parse_header(reader);
    }
    status = scan_read_text(reader, dataset);
    H5Dclose(dataset);
    TRY(status);
    return scan_parse_header(reader);
}

/* Exchanges readout and phase encoding of the header: whoever wrote the file put phase encoding first. */
static void exchange(scan_reader *reader, argand_encoding *e)
{
    const argand_encoding was = *e;
    for (int d = 0; d < 2; d++) {
        e->matrix[d] = was.matrix[1 - d];
        e->field_of_view[d] = was.field_of_view[1 - d];
        e->recon_matrix[d] = was.recon_matrix[1 - d];
        e->recon_field_of_view[d] = was.recon_field_of_view[1 - d];
    }
    scan_note(reader,
              "k-space has the sizes of the header in the other order, %lld x %lld: its lines are taken as "
              "phase encoding along x and readout along y.",
              (long long)e->matrix[0], (long long)e->matrix[1]);
}

/* Takes the size of k-space from the array, with its centre at floor(n / 2), whatever the header says.
 * Keeps the header's field of view: it is the inverse of the distance between lines. */
static void fit_encoding(scan_reader *reader, const kspace *k)
{
    argand_encoding *e = &reader->owner->encodings[0];
    if (k->height != k->width && e->matrix[0] == k->width && e->matrix[1] == k->height) exchange(reader, e);
    if (e->matrix[0] != k->height || e->matrix[1] != k->width)
        scan_note(reader,
                  "The header's matrix is %lld x %lld, but k-space has %lld x %lld samples: the matrix is "
                  "that of k-space.",
                  (long long)e->matrix[0], (long long)e->matrix[1], (long long)k->height,
                  (long long)k->width);
    if (e->matrix[2] > 1) e->field_of_view[2] /= (double)e->matrix[2];
    if (e->recon_matrix[2] > 1) e->recon_field_of_view[2] /= (double)e->recon_matrix[2];
    e->matrix[0] = k->height;
    e->matrix[1] = k->width;
    e->matrix[2] = e->recon_matrix[2] = 1;
    e->bands = (argand_bands){.count = 1, .calibration_encoding = -1};
    e->step1_centre = (int)(k->width / 2);
    e->step2_centre = 0;
    e->limits.shot = (argand_limit){-1, -1, (int)(k->width / 2)};
    e->limits.partition = (argand_limit){0, 0, 0};
    e->limits.slice = (argand_limit){-1, -1, -1};
    snprintf(e->trajectory, sizeof e->trajectory, "cartesian");
}

/* ---- acquisitions */

static argand_status make_heads(scan_reader *reader, const kspace *k)
{
    TRY(NEW(reader->heads, k->lines));
    ismrmrd_head *head = reader->heads;
    for (int64_t s = 0; s < k->slices; s++)
        for (int64_t w = 0; w < k->width; w++) {
            if (!k->measured[w + k->width * s]) continue;
            *head = (ismrmrd_head){.version = 1,
                                   .number_of_samples = (uint16_t)k->height,
                                   .available_channels = (uint16_t)k->coils,
                                   .active_channels = (uint16_t)k->coils,
                                   .center_sample = (uint16_t)(k->height / 2)};
            head->idx.kspace_encode_step_1 = (uint16_t)w;
            head->idx.slice = (uint16_t)s;
            head++;
        }
    reader->row_count = (hsize_t)k->lines;
    reader->file_bytes = (hsize_t)k->lines * (hsize_t)(k->height * k->coils) * 2 * sizeof(float);
    return scan_choose_heads(reader);
}

/* Copies a line of all coils from the rows of width. */
static void gather(float *to, const kspace *k, const ismrmrd_head *head)
{
    const int64_t rows = k->coils * k->height;
    for (int64_t row = 0; row < rows; row++)
        sample_of(to + 2 * row, k,
                  head->idx.kspace_encode_step_1 + k->width * (row + rows * head->idx.slice));
}

static argand_status take_samples(scan_reader *reader, const kspace *k)
{
    const size_t floats = 2 * (size_t)(k->coils * k->height);
    float *line;
    argand_status status = ARGAND_OK;
    TRY(NEW(line, floats));
    for (scan_piece *p = reader->pieces; p < reader->pieces + reader->count && status == ARGAND_OK; p++) {
        const hvl_t stored = {floats, line}, none = {0, NULL};
        gather(line, k, scan_head(reader, p));
        status = scan_place_samples(reader, p, &stored, &none);
    }
    memory_free(line);
    return status;
}

/* ---- reference images */

/* Transposes {width, height, slices} to {height, width, 1, slices}, so that x is along the readout as in
 * images. */
static argand_status transpose(argand_scan_array *a)
{
    const size_t size = argand_type_size(a->type);
    const int64_t width = a->dims[0], height = a->dims[1], slices = a->dims[2];
    char *numbers;
    TRY(memory_new(&numbers, memory_product((size_t)(width * height), (size_t)slices), size));
    for (int64_t s = 0; s < slices; s++)
        for (int64_t w = 0; w < width; w++)
            for (int64_t h = 0; h < height; h++)
                memcpy(numbers + (size_t)(h + height * (w + width * s)) * size,
                       (const char *)a->data + (size_t)(w + width * (h + height * s)) * size, size);
    memory_free((void *)(uintptr_t)a->data);
    a->data = numbers;
    a->rank = 4;
    memcpy(a->dims, (int64_t[]){height, width, 1, slices}, 4 * sizeof *a->dims);
    return ARGAND_OK;
}

/* Removes k-space from the arrays, because it has become acquisitions. */
static argand_status finish_arrays(scan_reader *reader)
{
    scan_owner *owner = reader->owner;
    int kept = 0;
    for (int i = 0; i < owner->scan.array_count; i++) {
        argand_scan_array *a = &owner->arrays[i];
        if (!strcmp(a->name, "kspace")) {
            memory_free((void *)(uintptr_t)a->data);
            continue;
        }
        owner->arrays[kept++] = *a;
    }
    owner->scan.array_count = kept;
    for (int i = 0; i < kept; i++)
        if (!strncmp(owner->arrays[i].name, "reconstruction_", 15) && owner->arrays[i].rank == 3)
            TRY(transpose(&owner->arrays[i]));
    return ARGAND_OK;
}

static argand_status read_all(scan_reader *reader, kspace *k)
{
    reader->whole_arrays = true;
    TRY(scan_read_arrays(reader));
    TRY(find_kspace(k, reader));
    TRY(choose_lines(k, reader));
    TRY(read_header(reader, k));
    fit_encoding(reader, k);
    TRY(make_heads(reader, k));
    TRY(take_samples(reader, k));
    TRY(finish_arrays(reader));
    return scan_finish(reader);
}

argand_status scan_read_fastmri(scan_reader *reader)
{
    kspace k = {0};
    TRY(hdf5_open_group(&reader->group, reader->file, reader->path, "/"));
    const argand_status status = read_all(reader, &k);
    memory_free(k.measured);
    H5Gclose(reader->group);
    return status;
}
