/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks rows of varying length against HDF5's global heap before HDF5 reads them (HDF5 File Format
 * Specification 3.0, III.E, VIII.B). */
#include "io/hdf5/heap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"

typedef struct heap {
    const char *path;
    int descriptor;
    uint64_t base, file_bytes; /* addresses count from base, after the user block */
    size_t address_bytes, size_bytes;
    uint64_t address; /* address of the loaded collection */
    size_t size;      /* bytes of the collection */
    size_t at, held;  /* the part of the collection in `bytes` */
    uint64_t steps;   /* number of objects that may still be visited */
    uint8_t bytes[16384];
} heap;

/* Writers put a few hundred small objects into a collection and refer to them in order, which takes less
 * than one step per byte. If every row refers to another large collection, the number of steps would have
 * no limit. */
enum { STEPS_A_BYTE = 4, LEAST_STEPS = 1 << 20 };

enum {
    COLLECTION_HEAD = 8,
    OBJECT_HEAD = 8
}; /* without the size that follows; with the size a multiple of 8 */

static uint64_t decode(const uint8_t *bytes, size_t count)
{
    uint64_t value = 0;
    for (size_t i = count; i-- > 0;) value = value << 8 | bytes[i];
    return value;
}

static bool read_at(const heap *h, void *to, size_t count, uint64_t address)
{
    return address <= h->file_bytes && count <= h->file_bytes - address &&
           pread(h->descriptor, to, count, (off_t)(address + h->base)) == (ssize_t)count;
}

/* Returns the size that a collection claims; 0: there is no collection. */
static size_t claimed_size(const heap *h, uint64_t address)
{
    uint8_t head[COLLECTION_HEAD + 8];
    if (!read_at(h, head, COLLECTION_HEAD + h->size_bytes, address)) return 0;
    if (memcmp(head, "GCOL", 4) != 0 || head[4] != 1) return 0;
    const uint64_t size = decode(head + COLLECTION_HEAD, h->size_bytes);
    return size <= h->file_bytes - address ? (size_t)size : 0;
}

/* Loads a collection. Small objects share a collection; a large object has its own, of which the first
 * bytes are enough. */
static bool load(heap *h, uint64_t address)
{
    if (h->size && h->address == address) return true;
    const size_t size = claimed_size(h, address);
    h->size = h->held = 0;
    if (size <= COLLECTION_HEAD + h->size_bytes) return false;
    h->address = address;
    h->size = size;
    return true;
}

/* Reads the head of the object at this position of the collection; its size is in [count, h->size - at]. */
static bool object_head(heap *h, size_t at, uint64_t *index, uint64_t *stored)
{
    const size_t count = OBJECT_HEAD + h->size_bytes;
    if (at < h->at || at + count > h->at + h->held) {
        h->at = at;
        h->held = h->size - at < sizeof h->bytes ? h->size - at : sizeof h->bytes;
        if (!read_at(h, h->bytes, h->held, h->address + at)) h->held = 0;
        if (h->held < count) return false;
    }
    const uint8_t *head = h->bytes + (at - h->at);
    *index = decode(head, 2);
    *stored = decode(head + OBJECT_HEAD, h->size_bytes);
    return true;
}

/* Visits the whole collection, as HDF5 will; returns true if it is valid and has this object with this
 * size. */
static bool holds(heap *h, uint64_t number, uint64_t size)
{
    const size_t head = OBJECT_HEAD + h->size_bytes;
    bool found = false;
    size_t at = COLLECTION_HEAD + h->size_bytes;
    while (h->size - at >= head) {
        uint64_t index, stored;
        if (!h->steps) return false;
        h->steps--;
        if (!object_head(h, at, &index, &stored)) return false;
        const size_t left = h->size - at - (index ? head : 0);
        if (stored > left || (index == 0 && stored < head)) return false;
        const size_t padded = ((size_t)stored + 7) / 8 * 8;
        if (padded > left) return false;
        if (index == number) found = stored == size;
        at += index ? head + padded : (size_t)stored;
    }
    return found;
}

static argand_status check_member(heap *h, const uint8_t *row, const hdf5_varying *member, hsize_t number)
{
    const uint8_t *reference = row + member->offset;
    const uint64_t length = decode(reference, 4), address = decode(reference + 4, h->address_bytes);
    const uint64_t object = decode(reference + 4 + h->address_bytes, 4);
    if (!length) return ARGAND_OK;
    const bool sound = object && load(h, address) && holds(h, object, length * member->unit);
    CHECK(sound, ARGAND_FORMAT,
          "%s: row %llu: the place and length of \"%s\" make no sense. The file is damaged", h->path,
          (unsigned long long)number, member->name);
    return ARGAND_OK;
}

typedef struct rows { /* rows of the dataset, in portions */
    hid_t dataset;
    size_t bytes; /* bytes of a row */
    hsize_t count, portion;
    haddr_t address; /* address of contiguous rows; HADDR_UNDEF for chunks */
} rows;

/* Large enough for few system calls; chunks are read whole. */
enum { PORTION_BYTES = 1 << 20 };

static hsize_t chunk_rows(hid_t creation)
{
    hsize_t chunk = 0;
    const bool plain = H5Pget_layout(creation) == H5D_CHUNKED && H5Pget_nfilters(creation) == 0;
    return plain && H5Pget_chunk(creation, 1, &chunk) == 1 ? chunk : 0;
}

/* Finds the rows; returns false if rows of this layout cannot be examined. */
static bool find_rows(rows *r, hid_t dataset, size_t row_bytes)
{
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset),
                creation = H5Dget_create_plist(dataset);
    *r = (rows){.dataset = dataset, .bytes = row_bytes, .address = H5Dget_offset(dataset)};
    r->count = (hsize_t)H5Sget_simple_extent_npoints(space);
    r->portion = chunk_rows(creation);
    const bool contiguous = H5Pget_layout(creation) == H5D_CONTIGUOUS && !H5Pget_external_count(creation);
    if (contiguous) r->portion = r->bytes < PORTION_BYTES ? PORTION_BYTES / r->bytes : 1;
    if (!contiguous) r->address = HADDR_UNDEF;
    H5Pclose(creation);
    H5Sclose(space);
    H5Tclose(type);
    return r->bytes && r->portion && r->portion <= SIZE_MAX / r->bytes &&
           (!contiguous || r->address != HADDR_UNDEF);
}

/* Reads the rows from `first` on, a multiple of the portion. */
static bool read_portion(const rows *r, const heap *h, uint8_t *to, hsize_t first, hsize_t count)
{
    if (r->address != HADDR_UNDEF)
        return read_at(h, to, (size_t)count * r->bytes, r->address - h->base + first * r->bytes);
    uint32_t filters = 0;
    hsize_t stored = 0;
    return H5Dget_chunk_storage_size(r->dataset, &first, &stored) >= 0 && stored == r->portion * r->bytes &&
           H5Dread_chunk(r->dataset, H5P_DEFAULT, &first, &filters, to) >= 0;
}

static argand_status check_rows(heap *h, const rows *r, const hdf5_varying *members, int count)
{
    argand_status status = ARGAND_OK;
    uint8_t *bytes;
    CHECK(r->portion <= h->file_bytes / r->bytes + PORTION_BYTES, ARGAND_FORMAT,
          "%s: a table in chunks of %llu rows makes no sense. The file is damaged", h->path,
          (unsigned long long)r->portion);
    TRY(memory_new(&bytes, (size_t)r->portion, r->bytes));
    for (hsize_t first = 0; first < r->count; first += r->portion) {
        const hsize_t left = r->count - first, now = left < r->portion ? left : r->portion;
        CHECK_OR_DONE(read_portion(r, h, bytes, first, now), ARGAND_FORMAT,
                      "%s: rows %llu to %llu cannot be read. The file is damaged", h->path,
                      (unsigned long long)first, (unsigned long long)(first + now - 1));
        for (hsize_t i = 0; i < now; i++)
            for (int m = 0; m < count; m++)
                TRY_OR_DONE(check_member(h, bytes + i * r->bytes, &members[m], first + i));
    }
done:
    memory_free(bytes);
    return status;
}

static bool open_heap(heap *h, const char *path, hid_t dataset)
{
    struct stat found;
    hsize_t base = 0;
    const hid_t file = H5Iget_file_id(dataset), creation = H5Fget_create_plist(file);
    *h = (heap){.path = path, .descriptor = open(path, O_RDONLY | O_CLOEXEC)};
    const bool good = h->descriptor >= 0 && !fstat(h->descriptor, &found) &&
                      H5Pget_userblock(creation, &base) >= 0 &&
                      H5Pget_sizes(creation, &h->address_bytes, &h->size_bytes) >= 0 &&
                      h->address_bytes <= 8 && h->size_bytes <= 8 && base <= (hsize_t)found.st_size;
    if (good) {
        h->base = base;
        h->file_bytes = (uint64_t)found.st_size - base;
        h->steps = LEAST_STEPS + STEPS_A_BYTE * h->file_bytes;
    }
    H5Pclose(creation);
    H5Fclose(file);
    return good;
}

argand_status hdf5_check_varying(const char *path, hid_t dataset, size_t row_bytes,
                                 const hdf5_varying *members, int count)
{
    argand_status status = ARGAND_OK;
    heap h;
    rows r;
    const bool opened = open_heap(&h, path, dataset);
    CHECK_OR_DONE(opened, ARGAND_FILE, "%s: cannot be read: %s", path, strerror(errno));
    if (find_rows(&r, dataset, row_bytes ? row_bytes : 8 + h.address_bytes)) {
        for (int m = 0; m < count; m++)
            CHECK_OR_DONE(members[m].offset + 8 + h.address_bytes <= r.bytes, ARGAND_FORMAT,
                          "%s: the type of \"%s\" makes no sense. The file is damaged", path,
                          members[m].name);
        status = check_rows(&h, &r, members, count);
    }
done:
    if (h.descriptor >= 0) close(h.descriptor);
    return status;
}
