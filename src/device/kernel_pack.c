/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs a folder's kernel files into one archive. */
#include "device/kernel_archive.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include "base/files/file.h"
#include "base/memory.h"
#include "base/size.h"

static void put_number(unsigned char *to, uint64_t number)
{
    for (int i = 0; i < ARCHIVE_NUMBER_BYTES; i++) to[i] = (unsigned char)(number >> (8 * i));
}

/* The kernels of a folder. */
typedef struct packing {
    archive_entry *entries;
    size_t count, capacity;
    uid_t owner;
} packing;

static argand_status add_capacity(packing *p)
{
    archive_entry *more;
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
    archive_entry e = {.id = *id, .bytes = binary->count};
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
    char path[KERNEL_FILE_PATH];
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
static argand_status add_earlier(packing *p, const archive *a, archive_entry *e)
{
    kernel_binary unpacked = {0};
    TRY(add_capacity(p));
    TRY(memory_take(&e->contents, (size_t)e->packed));
    argand_status status = ARGAND_OK;
    if (archive_read_at(a, e->at, e->contents, (size_t)e->packed))
        status = archive_unpack(e, e->contents, &unpacked);
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
    if (!archive_open(&a, folder, p->owner)) return ARGAND_OK;
    uint64_t left = a.size;
    for (uint64_t i = 0; i < a.count && status == ARGAND_OK; i++) {
        archive_entry e = {0};
        if (!archive_read_entry(&a, i, &e) || !archive_can_hold(&a, &e) || e.packed > left) continue;
        left -= e.packed;
        status = add_earlier(p, &a, &e);
    }
    close(a.file);
    return status;
}

static int by_hash(const void *a, const void *b)
{
    return memcmp(((const archive_entry *)a)->id.hash, ((const archive_entry *)b)->id.hash, HASH_BYTES);
}

/* Orders the kernels of one chip and key one after the other, those of files first. */
static int by_slot(const void *a, const void *b)
{
    const archive_entry *one = a, *other = b;
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
        const archive_entry *last = kept ? &p->entries[kept - 1] : NULL, *e = &p->entries[i];
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
    unsigned char head[ARCHIVE_HEAD_BYTES], bytes[ARCHIVE_ENTRY_BYTES];
    uint64_t at = ARCHIVE_HEAD_BYTES + p->count * ARCHIVE_ENTRY_BYTES;
    memcpy(head, ARCHIVE_MAGIC, ARCHIVE_MAGIC_BYTES);
    put_number(head + ARCHIVE_MAGIC_BYTES, p->count);
    TRY(file_write(draft, head, sizeof head));
    for (size_t i = 0; i < p->count; i++) {
        const archive_entry *e = &p->entries[i];
        memcpy(bytes, e->id.hash, HASH_BYTES);
        put_number(bytes + HASH_BYTES, at);
        put_number(bytes + HASH_BYTES + ARCHIVE_NUMBER_BYTES, e->packed);
        put_number(bytes + HASH_BYTES + 2 * ARCHIVE_NUMBER_BYTES, e->bytes);
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
    char path[KERNEL_FILE_PATH];
    CHECK(snprintf(path, sizeof path, "%s/" KERNEL_ARCHIVE_NAME, folder) < KERNEL_FILE_PATH, ARGAND_ARGUMENT,
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
    char path[KERNEL_FILE_PATH];
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
