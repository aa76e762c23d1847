/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads all arrays of a file but the acquisitions: field map, coil maps, masks and others. In HDF5 the
 * slowest dimension comes first, and ISMRMRD puts a dimension for appended copies before it. Here the
 * fastest dimension comes first, and only the first copy is read. */
#include "io/ismrmrd/scan.h"

#include <string.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/observe.h"
#include "base/size.h"
#include "io/hdf5/dataset.h"

typedef struct stored_array { /* open while one array is read */
    const char *name;
    hid_t dataset, type, space, memory_type;
    argand_type kind;
    int rank;
    hsize_t dims[H5S_MAX_RANK];
} stored_array;

static bool is_number(hid_t type)
{
    const H5T_class_t class = H5Tget_class(type);
    return class == H5T_FLOAT || class == H5T_INTEGER ||
           class == H5T_ENUM; /* h5py stores bool as an enumeration */
}

/* Returns true if the numbers need doubles: float holds every integer of 16 bits, double every practical
 * one. */
static bool needs_double(hid_t type)
{
    return H5Tget_size(type) > (H5Tget_class(type) == H5T_FLOAT ? 4 : 2);
}

static hid_t pair_type(hid_t part, const char *real, const char *imaginary)
{
    const size_t size = H5Tget_size(part);
    const hid_t type = H5Tcreate(H5T_COMPOUND, 2 * size);
    H5Tinsert(type, real, 0, part);
    H5Tinsert(type, imaginary, size, part);
    return type;
}

/* Recognises complex numbers: {real, imag} as in ISMRMRD, or {r, i} as h5py writes them. */
static bool understand_pair(stored_array *a)
{
    static const char *const names[2][2] = {{"real", "imag"}, {"r", "i"}};
    for (int n = 0; n < 2; n++) {
        const int first = H5Tget_member_index(a->type, names[n][0]),
                  second = H5Tget_member_index(a->type, names[n][1]);
        if (first < 0 || second < 0 || H5Tget_nmembers(a->type) != 2) continue;
        const hid_t part = H5Tget_member_type(a->type, (unsigned)first);
        const hid_t other = H5Tget_member_type(a->type, (unsigned)second);
        const bool good = is_number(part) && is_number(other),
                   wide = needs_double(part) || needs_double(other);
        H5Tclose(other);
        H5Tclose(part);
        if (!good) return false;
        a->kind = wide ? ARGAND_C64 : ARGAND_C32;
        a->memory_type = pair_type(wide ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT, names[n][0], names[n][1]);
        return a->memory_type >= 0;
    }
    return false;
}

static bool understand_type(stored_array *a)
{
    if (H5Tget_class(a->type) == H5T_COMPOUND) return understand_pair(a);
    if (!is_number(a->type)) return false;
    a->kind = needs_double(a->type) ? ARGAND_R64 : ARGAND_R32;
    a->memory_type = H5Tcopy(a->kind == ARGAND_R64 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT);
    return a->memory_type >= 0;
}

/* Reverses the dimensions and removes that of copies, which arrays of rank 1 do not have. */
static bool understand_shape(argand_scan_array *out, const stored_array *a, bool whole)
{
    const int extra = a->rank > 1 && !whole ? 1 : 0;
    out->rank = a->rank - extra;
    if (out->rank < 1 || out->rank > ARGAND_MAX_RANK) return false;
    for (int d = 0; d < a->rank; d++)
        if (!a->dims[d]) return false;
    for (int d = 0; d < out->rank; d++) out->dims[d] = (int64_t)a->dims[a->rank - 1 - d];
    return true;
}

/* Returns the memory of the machine; no limit if it is unknown. */
static size_t machine_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? memory_product((size_t)pages, (size_t)page) : SIZE_MAX;
}

/* Checks the claimed size of all copies together, because HDF5 multiplies their dimensions unchecked. */
static argand_status check_promise(const scan_reader *reader, const stored_array *a)
{
    int64_t dims[H5S_MAX_RANK], count;
    double promised = 1;
    for (int d = 0; d < a->rank; d++) {
        dims[d] = a->dims[d] <= INT64_MAX ? (int64_t)a->dims[d] : 0;
        promised *= (double)a->dims[d]; /* for the message alone */
    }
    size_t bytes;
    const bool fits = size_of_shape(&count, dims, a->rank) &&
                      size_multiply(&bytes, (size_t)count, H5Tget_size(a->type)) &&
                      hdf5_can_hold(a->dataset, reader->file_bytes, bytes);
    CHECK(fits, ARGAND_FORMAT,
          "%s: the array %s promises %.6g elements, but %.6g MB are stored. The file is damaged",
          reader->path, a->name, promised, (double)H5Dget_storage_size(a->dataset) / 1e6);
    CHECK(bytes <= machine_memory(), ARGAND_MEMORY,
          "%s: the array %s has %.6g MB, unpacked from %.6g MB: more than this machine's %.6g MB of memory",
          reader->path, a->name, (double)bytes / 1e6, (double)H5Dget_storage_size(a->dataset) / 1e6,
          (double)machine_memory() / 1e6);
    return ARGAND_OK;
}

/* Returns the number of rows of the slowest axis to read at once: whole chunks, so that none is unpacked
 * twice. */
static hsize_t rows_at_once(const stored_array *a, int axis, const hsize_t count[])
{
    enum { PIECE = 1 << 24 };
    hsize_t chunk[H5S_MAX_RANK];
    size_t row = argand_type_size(a->kind);
    for (int d = axis + 1; d < a->rank; d++) size_multiply(&row, row, (size_t)count[d]);
    const hsize_t rows = row < PIECE ? PIECE / row : 1;
    const hid_t creation = H5Dget_create_plist(a->dataset);
    const bool is_chunked =
        H5Pget_layout(creation) == H5D_CHUNKED && H5Pget_chunk(creation, a->rank, chunk) > 0;
    H5Pclose(creation);
    return is_chunked && chunk[axis] > 0 ? (rows + chunk[axis] - 1) / chunk[axis] * chunk[axis] : rows;
}

/* Reads piece by piece, so that memory is only touched as far as the file has data. */
static argand_status read_in_pieces(const scan_reader *reader, const stored_array *a, char *numbers)
{
    hsize_t start[H5S_MAX_RANK] = {0}, count[H5S_MAX_RANK];
    memcpy(count, a->dims, sizeof count);
    if (a->rank > 1 && !reader->whole_arrays) count[0] = 1;
    int axis = 0;
    while (axis + 1 < a->rank && count[axis] == 1) axis++;
    const hsize_t all = count[axis], rows = rows_at_once(a, axis, count);
    size_t row = argand_type_size(a->kind);
    for (int d = axis + 1; d < a->rank; d++) row *= (size_t)count[d]; /* a part of what was checked */
    for (start[axis] = 0; start[axis] < all; start[axis] += count[axis]) {
        TRY(observe("reading arrays", (double)start[axis] / (double)all));
        count[axis] = all - start[axis] < rows ? all - start[axis] : rows;
        const hid_t memory = H5Screate_simple(a->rank, count, NULL);
        H5Sselect_hyperslab(a->space, H5S_SELECT_SET, start, NULL, count, NULL);
        const herr_t result = H5Dread(a->dataset, a->memory_type, memory, a->space, H5P_DEFAULT,
                                      numbers + row * (size_t)start[axis]);
        const char *reason = result < 0 ? hdf5_reason() : "";
        H5Sclose(memory);
        CHECK(result >= 0, ARGAND_FORMAT, "%s: the array %s cannot be read (%s). The file is damaged",
              reader->path, a->name, reason);
    }
    return ARGAND_OK;
}

static argand_status read_numbers(scan_reader *reader, const stored_array *a, argand_scan_array *out)
{
    int64_t elements;
    void *numbers;
    TRY(check_promise(reader, a));
    CHECK(size_of_shape(&elements, out->dims, out->rank), ARGAND_FORMAT,
          "%s: the dimensions of the array %s make no sense", reader->path, a->name);
    TRY(memory_take(&numbers, memory_product((size_t)elements, argand_type_size(out->type))));
    out->data = numbers;
    TRY(read_in_pieces(reader, a, numbers));
    if (a->rank > 1 && a->dims[0] > 1 && !reader->whole_arrays)
        scan_note(reader, "%s holds %llu copies: the first is used.", a->name,
                  (unsigned long long)a->dims[0]);
    return ARGAND_OK;
}

static argand_status read_open(scan_reader *reader, stored_array *a)
{
    scan_owner *owner = reader->owner;
    CHECK(hdf5_type_is_sound(a->type), ARGAND_FORMAT,
          "%s: the type of the array %s makes no sense. The file is damaged", reader->path, a->name);
    argand_scan_array *out = &owner->arrays[owner->scan.array_count];
    a->rank = H5Sget_simple_extent_ndims(a->space);
    H5Sget_simple_extent_dims(a->space, a->dims, NULL);
    if (!understand_type(a) || !understand_shape(out, a, reader->whole_arrays)) {
        scan_note(reader, "%s is left out: it is no array of numbers with at most %d dimensions.", a->name,
                  ARGAND_MAX_RANK);
        return ARGAND_OK;
    }
    strncpy(out->name, a->name, sizeof out->name - 1);
    out->type = a->kind;
    owner->scan.array_count++; /* from here on, destroy frees out->data */
    TRY(read_numbers(reader, a, out));
    return reader->whole_arrays ? ARGAND_OK : scan_arrange_array(reader, out);
}

static argand_status read_dataset(scan_reader *reader, const char *name, hid_t dataset)
{
    stored_array a = {.name = name, .memory_type = -1, .dataset = dataset};
    a.type = H5Dget_type(dataset);
    a.space = H5Dget_space(dataset);
    const argand_status status = read_open(reader, &a);
    if (a.memory_type >= 0) H5Tclose(a.memory_type);
    H5Sclose(a.space);
    H5Tclose(a.type);
    return status;
}

/* Returns true if a name can be printed and requested. A slash would make it a path. */
static bool is_name(const char *name)
{
    for (const char *c = name; *c; c++)
        if (*c == '/' || (unsigned char)*c < ' ' || *c == 0x7f) return false;
    return true;
}

/* Returns true for a data set with a valid name and link. */
static bool is_own_dataset(hid_t group, const char *name)
{
    H5L_info_t link;
    H5O_info_t object;
    return is_name(name) && H5Lget_info(group, name, &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD &&
           H5Oget_info_by_name(group, name, &object, H5P_DEFAULT) >= 0 && object.type == H5O_TYPE_DATASET;
}

static argand_status reserve(scan_owner *owner)
{
    const int count = owner->scan.array_count;
    argand_scan_array *list;
    if (count & (count - 1)) return ARGAND_OK; /* there is space up to the next power of two */
    TRY(NEW(list, count ? 2 * count : 1));
    if (count) memcpy(list, owner->arrays, (size_t)count * sizeof *list);
    memory_free(owner->arrays);
    owner->scan.arrays = owner->arrays = list;
    return ARGAND_OK;
}

/* Reads an array. One that cannot be read because it lies elsewhere is left out. */
static argand_status read_named(scan_reader *reader, const char *name)
{
    hid_t dataset;
    if (!strcmp(name, "xml") || !strcmp(name, "data") || !strcmp(name, "ismrmrd_header")) return ARGAND_OK;
    if (strlen(name) >= sizeof reader->owner->arrays->name || !is_own_dataset(reader->group, name)) {
        scan_note(reader,
                  "%.255s is left out: it is a group, a link, or has a name of more than 63 letters or with "
                  "controls.",
                  name);
        return ARGAND_OK;
    }
    TRY(reserve(reader->owner));
    const argand_status opened = hdf5_open_dataset(&dataset, reader->group, reader->path, name);
    if (opened == ARGAND_UNSUPPORTED) {
        scan_note(reader,
                  "%s is left out: its numbers lie in other files. Only data inside the file are read.",
                  name);
        return ARGAND_OK;
    }
    TRY(opened);
    CHECK(dataset >= 0, ARGAND_FORMAT, "%s: the array %s cannot be found again. The file is damaged",
          reader->path, name);
    const argand_status status = read_dataset(reader, name, dataset);
    H5Dclose(dataset);
    return status;
}

typedef struct visit {
    scan_reader *reader;
    argand_status status;
} visit;

static herr_t visit_member(hid_t group, const char *name, const H5L_info_t *link, void *data)
{
    (void)group, (void)link;
    visit *v = data;
    v->status = read_named(v->reader, name);
    return v->status == ARGAND_OK ? 0 : 1;
}

argand_status scan_read_arrays(scan_reader *reader)
{
    visit v = {reader, ARGAND_OK};
    const herr_t result = H5Literate(reader->group, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_member, &v);
    CHECK(result >= 0, ARGAND_FORMAT, "%s: the group's members cannot be listed (%s). The file is damaged",
          reader->path, hdf5_reason());
    return v.status;
}
