/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads single kernels of an archive, packs a folder's kernel files into one, and describes the folder. */
#include "device/kernel_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include "base/files/file.h"
#include "base/memory.h"
#include "base/size.h"

#define MAGIC "argand archive 1\n"
enum {
    MAGIC_BYTES = sizeof MAGIC - 1,
    HEAD_BYTES = MAGIC_BYTES + 8,
    NUMBER_BYTES = 8,
    ENTRY_BYTES = HASH_BYTES + 3 * NUMBER_BYTES,
    PATH = KERNEL_FILE_PATH
};

typedef struct entry {
    kernel_id id;
    uint64_t at, packed, bytes; /* position and size in the file, size of the kernel */
    unsigned char *contents;    /* packed; only while an archive is made */
    bool is_earlier;            /* from the archive that is replaced; only while an archive is made */
} entry;

static void put_number(unsigned char *to, uint64_t number)
{
    for (int i = 0; i < NUMBER_BYTES; i++) to[i] = (unsigned char)(number >> (8 * i));
}

static uint64_t get_number(const unsigned char *from)
{
    uint64_t number = 0;
    for (int i = NUMBER_BYTES; i-- > 0;) number = number << 8 | from[i];
    return number;
}

/* ---- reading ---- */

/* An open archive: its descriptor (-1: none), its size and the number of its kernels. */
typedef struct archive {
    int file;
    size_t size;
    uint64_t count;
} archive;

static bool read_at(const archive *a, uint64_t at, unsigned char *bytes, size_t count)
{
    while (count) {
        const ssize_t got = pread(a->file, bytes, count, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        bytes += got;
        at += (uint64_t)got;
        count -= (size_t)got;
    }
    return true;
}

/* Opens the archive of a folder. Returns false if there is none, or none of this format. */
static bool open_archive(archive *a, const char *folder, uid_t owner)
{
    unsigned char head[HEAD_BYTES];
    char path[PATH];
    if (snprintf(path, sizeof path, "%s/" KERNEL_ARCHIVE_NAME, folder) >= PATH) return false;
    a->file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (a->file < 0) return false;
    if (kernel_file_is_trusted(a->file, owner, &a->size) && a->size >= HEAD_BYTES &&
        read_at(a, 0, head, sizeof head) && !memcmp(head, MAGIC, MAGIC_BYTES)) {
        a->count = get_number(head + MAGIC_BYTES);
        if (a->count <= (a->size - HEAD_BYTES) / ENTRY_BYTES) return true;
    }
    close(a->file);
    return false;
}

static bool read_entry(const archive *a, uint64_t index, entry *e)
{
    unsigned char bytes[ENTRY_BYTES];
    if (!read_at(a, HEAD_BYTES + index * ENTRY_BYTES, bytes, sizeof bytes)) return false;
    memcpy(e->id.hash, bytes, HASH_BYTES);
    e->at = get_number(bytes + HASH_BYTES);
    e->packed = get_number(bytes + HASH_BYTES + NUMBER_BYTES);
    e->bytes = get_number(bytes + HASH_BYTES + 2 * NUMBER_BYTES);
    return true;
}

static bool find_entry(const archive *a, const kernel_id *id, entry *e)
{
    uint64_t low = 0, high = a->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (!read_entry(a, middle, e)) return false;
        const int order = memcmp(id->hash, e->id.hash, HASH_BYTES);
        if (!order) return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

/* Returns false for sizes that the file cannot have. */
static bool can_be(const archive *a, const entry *e)
{
    return e->at <= a->size && e->packed <= a->size - e->at && e->bytes && e->bytes <= KERNEL_FILE_MOST;
}

/* Reads the packed bytes of a kernel (memory_free). */
static bool read_packed(const archive *a, const entry *e, unsigned char **packed)
{
    *packed = NULL;
    return can_be(a, e) && memory_take(packed, (size_t)e->packed) == ARGAND_OK &&
           read_at(a, e->at, *packed, (size_t)e->packed);
}

/* Unpacks a kernel. Damaged bytes count as a missing kernel: the binary is empty. */
static argand_status unpack(const entry *e, const unsigned char *packed, kernel_binary *binary)
{
    uLongf count = (uLongf)e->bytes;
    TRY(memory_take(&binary->bytes, (size_t)e->bytes));
    if (uncompress(binary->bytes, &count, packed, (uLong)e->packed) == Z_OK && count == e->bytes) {
        binary->count = (size_t)e->bytes;
    } else {
        memory_free(binary->bytes);
        binary->bytes = NULL;
    }
    return ARGAND_OK;
}

static void read_kernel(const archive *a, const entry *e, kernel_binary *binary)
{
    unsigned char *packed;
    *binary = (kernel_binary){0};
    if (read_packed(a, e, &packed) && unpack(e, packed, binary) != ARGAND_OK) *binary = (kernel_binary){0};
    memory_free(packed);
}

void kernel_archive_read(const char *folder, const kernel_id *id, uid_t owner, kernel_binary *binary)
{
    archive a;
    entry e;
    *binary = (kernel_binary){0};
    if (!open_archive(&a, folder, owner)) return;
    if (find_entry(&a, id, &e)) read_kernel(&a, &e, binary);
    close(a.file);
}

static void count_archive(argand_cache_info *info, const char *folder)
{
    archive a;
    struct stat found;
    if (stat(folder, &found) || !open_archive(&a, folder, found.st_uid)) return;
    info->files += (int64_t)a.count;
    info->bytes += (int64_t)a.size;
    close(a.file);
}

/* ---- packing ---- */

/* The kernels of a folder. */
typedef struct packing {
    entry *entries;
    size_t count, capacity;
    uid_t owner;
} packing;

static argand_status add_capacity(packing *p)
{
    entry *more;
    size_t capacity;
    if (p->count < p->capacity) return ARGAND_OK;
    size_multiply(&capacity, p->capacity ? p->capacity : 64, 2);
    TRY(memory_new(&more, capacity, sizeof *more));
    if (p->count) memcpy(more, p->entries, p->count * sizeof *more);
    memory_free(p->entries);
    p->entries = more;
    p->capacity = capacity;
    return ARGAND_OK;
}

static argand_status add_packed(packing *p, const kernel_id *id, const kernel_binary *binary)
{
    uLongf packed = compressBound((uLong)binary->count);
    entry e = {.id = *id, .bytes = binary->count};
    TRY(add_capacity(p));
    TRY(memory_take(&e.contents, packed));
    if (compress2(e.contents, &packed, binary->bytes, (uLong)binary->count, Z_BEST_COMPRESSION) != Z_OK) {
        memory_free(e.contents);
        return status_set(ARGAND_MEMORY, "no memory to compress a kernel");
    }
    e.packed = packed;
    p->entries[p->count++] = e;
    return ARGAND_OK;
}

/* Sets the hash that a file's name says. Returns false for other files. */
static bool id_of_name(kernel_id *id, const char *name)
{
    char again[HASH_HEX];
    if (strlen(name) != HASH_HEX - 1 + strlen(KERNEL_FILE_ENDING) ||
        strcmp(name + HASH_HEX - 1, KERNEL_FILE_ENDING) != 0)
        return false;
    for (int i = 0; i < HASH_BYTES; i++) {
        const char digits[3] = {name[2 * i], name[2 * i + 1], 0};
        id->hash[i] = (unsigned char)strtoul(digits, NULL, 16);
    }
    hash_print(again, id->hash);
    return !strncmp(again, name, HASH_HEX - 1);
}

/* Adds a file's kernel. A damaged file is left out. */
static argand_status add_file(packing *p, const char *folder, const char *name)
{
    kernel_id id;
    kernel_binary binary;
    char path[PATH];
    if (!id_of_name(&id, name) || !kernel_file_name(path, folder, &id)) return ARGAND_OK;
    kernel_file_read(path, &id, p->owner, &binary);
    if (!binary.bytes) return ARGAND_OK;
    const argand_status status = add_packed(p, &id, &binary);
    memory_free(binary.bytes);
    return status;
}

static argand_status add_files(packing *p, const char *folder, DIR *opened)
{
    argand_status status = ARGAND_OK;
    for (struct dirent *e = readdir(opened); e && status == ARGAND_OK; e = readdir(opened))
        status = add_file(p, folder, e->d_name);
    return status;
}

/* Adds a kernel of the earlier archive as it is packed there. A damaged one is left out; without memory
 * for one nothing is packed. */
static argand_status add_earlier(packing *p, const archive *a, entry *e)
{
    kernel_binary unpacked = {0};
    TRY(add_capacity(p));
    TRY(memory_take(&e->contents, (size_t)e->packed));
    argand_status status = ARGAND_OK;
    if (read_at(a, e->at, e->contents, (size_t)e->packed)) status = unpack(e, e->contents, &unpacked);
    if (unpacked.bytes) {
        e->is_earlier = true;
        p->entries[p->count++] = *e;
    } else {
        memory_free(e->contents);
    }
    memory_free(unpacked.bytes);
    return status;
}

/* Adds the kernels of the folder's archive. One that plans would not read has none, and so have entries
 * that together are larger than the file: no more memory than its size is taken. */
static argand_status add_archive(packing *p, const char *folder)
{
    archive a;
    argand_status status = ARGAND_OK;
    if (!open_archive(&a, folder, p->owner)) return ARGAND_OK;
    uint64_t left = a.size;
    for (uint64_t i = 0; i < a.count && status == ARGAND_OK; i++) {
        entry e = {0};
        if (!read_entry(&a, i, &e) || !can_be(&a, &e) || e.packed > left) continue;
        left -= e.packed;
        status = add_earlier(p, &a, &e);
    }
    close(a.file);
    return status;
}

static int by_hash(const void *a, const void *b)
{
    return memcmp(((const entry *)a)->id.hash, ((const entry *)b)->id.hash, HASH_BYTES);
}

/* Orders the kernels of one chip and key one after the other, those of files first. */
static int by_slot(const void *a, const void *b)
{
    const entry *one = a, *other = b;
    const int order = memcmp(one->id.hash, other->id.hash, KERNEL_SLOT_BYTES);
    return order ? order : one->is_earlier - other->is_earlier;
}

/* Removes earlier kernels of a chip and key for which there is a file: a kernel of the same text, or one
 * whose text has changed since. Then orders all by their hashes. */
static void replace_earlier(packing *p)
{
    size_t kept = 0;
    if (p->count) qsort(p->entries, p->count, sizeof *p->entries, by_slot);
    for (size_t i = 0; i < p->count; i++) {
        const entry *last = kept ? &p->entries[kept - 1] : NULL, *e = &p->entries[i];
        const bool is_replaced = last && e->is_earlier && !last->is_earlier &&
                                 !memcmp(last->id.hash, e->id.hash, KERNEL_SLOT_BYTES);
        if (is_replaced)
            memory_free(e->contents);
        else
            p->entries[kept++] = *e;
    }
    p->count = kept;
    if (kept) qsort(p->entries, kept, sizeof *p->entries, by_hash);
}

static argand_status write_entries(file_draft *draft, packing *p)
{
    unsigned char head[HEAD_BYTES], bytes[ENTRY_BYTES];
    uint64_t at = HEAD_BYTES + p->count * ENTRY_BYTES;
    memcpy(head, MAGIC, MAGIC_BYTES);
    put_number(head + MAGIC_BYTES, p->count);
    TRY(file_write(draft, head, sizeof head));
    for (size_t i = 0; i < p->count; i++) {
        const entry *e = &p->entries[i];
        memcpy(bytes, e->id.hash, HASH_BYTES);
        put_number(bytes + HASH_BYTES, at);
        put_number(bytes + HASH_BYTES + NUMBER_BYTES, e->packed);
        put_number(bytes + HASH_BYTES + 2 * NUMBER_BYTES, e->bytes);
        TRY(file_write(draft, bytes, sizeof bytes));
        at += e->packed;
    }
    for (size_t i = 0; i < p->count; i++)
        TRY(file_write(draft, p->entries[i].contents, (size_t)p->entries[i].packed));
    return ARGAND_OK;
}

static argand_status write_archive(packing *p, const char *folder)
{
    file_draft draft;
    char path[PATH];
    CHECK(snprintf(path, sizeof path, "%s/" KERNEL_ARCHIVE_NAME, folder) < PATH, ARGAND_ARGUMENT,
          "%.64s...: the folder's name is too long", folder);
    replace_earlier(p);
    TRY(file_begin(&draft, path));
    argand_status status = write_entries(&draft, p);
    if (status == ARGAND_OK) status = file_finish_alone(&draft);
    file_abandon(&draft);
    TRY(status);
    /* whoever else may write the file makes it one that no plan reads */
    CHECK(!chmod(path, 0644), ARGAND_FILE, "%s: its permissions cannot be set: %s", path, strerror(errno));
    return ARGAND_OK;
}

static void remove_files(const packing *p, const char *folder)
{
    char path[PATH];
    for (size_t i = 0; i < p->count; i++)
        if (!p->entries[i].is_earlier && kernel_file_name(path, folder, &p->entries[i].id)) unlink(path);
}

/* Packs an open, locked folder. */
static argand_status pack_folder(packing *p, const char *folder, DIR *opened)
{
    TRY(add_files(p, folder, opened));
    if (!p->count) return ARGAND_OK; /* the earlier archive stays */
    TRY(add_archive(p, folder));
    TRY(write_archive(p, folder));
    remove_files(p, folder);
    return ARGAND_OK;
}

argand_status kernel_archive_pack(const char *folder)
{
    struct stat found;
    packing p = {0};
    DIR *opened = opendir(folder);
    CHECK(opened, ARGAND_FILE, "%s: cannot be read: %s", folder, strerror(errno));
    argand_status status = ARGAND_OK;
    if (fstat(dirfd(opened), &found))
        status = status_set(ARGAND_FILE, "%s: cannot be read: %s", folder, strerror(errno));
    p.owner = found.st_uid;
    if (status == ARGAND_OK && !file_lock_folder(dirfd(opened)))
        status = status_set(ARGAND_FILE,
                            "%s: another program has kept it locked for half a minute; try again", folder);
    if (status == ARGAND_OK) status = pack_folder(&p, folder, opened);
    closedir(opened);
    for (size_t i = 0; i < p.count; i++) memory_free(p.entries[i].contents);
    memory_free(p.entries);
    return status;
}

/* ---- describing ---- */

static void count_files(DIR *folder, argand_cache_info *info)
{
    struct stat found;
    for (struct dirent *e = readdir(folder); e; e = readdir(folder)) {
        const char *ending = strrchr(e->d_name, '.');
        if (!ending || strcmp(ending, KERNEL_FILE_ENDING) || fstatat(dirfd(folder), e->d_name, &found, 0))
            continue;
        info->files++;
        info->bytes += (int64_t)found.st_size;
    }
}

/* Returns true if the folder can be written. If it does not exist, returns true if it can be made in the
 * nearest existing folder above it. */
static bool can_be_written(const char *name)
{
    char folder[KERNEL_FILE_PATH];
    struct stat found;
    snprintf(folder, sizeof folder, "%s", name);
    for (char *slash = strrchr(folder, '/');
         slash && slash > folder && stat(folder, &found) && errno == ENOENT; slash = strrchr(folder, '/'))
        *slash = 0;
    if (stat(folder, &found) && errno == ENOENT) /* no slash is left: the folder would be made here */
        strcpy(folder, *folder == '/' ? "/" : ".");
    return !stat(folder, &found) && S_ISDIR(found.st_mode) && !access(folder, W_OK | X_OK);
}

void kernel_folder_describe(argand_cache_info *info, const char *folder)
{
    snprintf(info->folder, sizeof info->folder, "%s", folder);
    DIR *opened = opendir(folder);
    if (opened) {
        count_files(opened, info);
        closedir(opened);
    }
    count_archive(info, folder);
    info->is_writable = can_be_written(folder);
}
