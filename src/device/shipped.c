/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes the compiled kernels that ship with the library. */
#include "device/shipped.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/system/system.h"
#include "device/libraries/places.h"

enum { PATH = KERNEL_FILE_PATH };

/* Sets the hash of the text, of which the first bytes are those of the hash of chip, key and items. */
void shipped_identify(kernel_id *id, int capability, const kernel_source *source)
{
    hash_state state;
    char numbers[64];
    unsigned char slot[HASH_BYTES];
    snprintf(numbers, sizeof numbers, "%d %d", source->items, capability);
    hash_begin(&state);
    hash_add_text(&state, numbers);
    hash_add_text(&state, source->key);
    hash_end(&state, slot);
    hash_begin(&state);
    const char *const parts[] = {"argand shipped kernel 3\n", argand_version(), numbers, source->key};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) hash_add_text(&state, parts[i]);
    hash_add(&state, source->text_hash, HASH_BYTES);
    hash_end(&state, id->hash);
    memcpy(id->hash, slot, KERNEL_SLOT_BYTES);
}

/* Returns true for a folder that only its owner may write. *owner: its owner. */
static bool is_folder(const char *path, uid_t *owner)
{
    struct stat found;
    if (stat(path, &found) || !S_ISDIR(found.st_mode) || found.st_mode & 022) return false;
    *owner = found.st_uid;
    return true;
}

/* Returns true if files of this owner may be executed: root, this user, or the owner of the library, which
 * is executed too. If ARGAND_KERNELS names the folder, any owner is accepted. */
static bool is_trusted(uid_t owner)
{
    const char *own = system_trusted_variable("ARGAND_KERNELS");
    char library[PLACE_PATH];
    struct stat found;
    return (own && *own) || owner == 0 || owner == geteuid() ||
           (place_of_library(library) && !stat(library, &found) && owner == found.st_uid);
}

/* Sets the folder of shipped kernels. Returns false if there is none. */
static bool folder_name(char folder[PATH])
{
    const char *own = system_trusted_variable("ARGAND_KERNELS");
    char library[PLACE_PATH];
    if (own && !strcmp(own, "off")) return false;
    if (own && *own) return snprintf(folder, PATH, "%s", own) < PATH;
    return place_of_library(library) &&
           snprintf(folder, PATH, "%s/" ARGAND_DATA_FROM_LIBRARY "/argand/kernels", library) < PATH;
}

void shipped_load(const kernel_id *id, kernel_binary *binary)
{
    char folder[PATH], path[PATH];
    uid_t owner;
    kernel_binary found;
    if (!folder_name(folder) || !is_folder(folder, &owner) || !is_trusted(owner) ||
        !kernel_file_name(path, folder, id))
        return;
    kernel_archive_read(folder, id, owner, &found);
    if (!found.bytes) kernel_file_read(path, id, owner, &found);
    binary->bytes = found.bytes;
    binary->count = found.count;
}

argand_status shipped_store(const char *folder, const kernel_id *id, const kernel_binary *binary)
{
    char path[PATH];
    CHECK(kernel_file_name(path, folder, id), ARGAND_ARGUMENT, "%.64s...: the folder's name is too long",
          folder);
    CHECK(kernel_file_write(path, id, 0644, binary), ARGAND_FILE,
          "%s: cannot be written: %s; choose another folder", path, strerror(errno));
    uid_t owner;
    CHECK(is_folder(folder, &owner), ARGAND_FILE,
          "%s: others may write there, so that no plan would take kernels from it; chmod go-w it", folder);
    return ARGAND_OK;
}

argand_status argand_kernels_pack(const char *folder)
{
    CHECK(folder, ARGAND_ARGUMENT, "argand_kernels_pack: no folder");
    return kernel_archive_pack(folder);
}

argand_status argand_kernels_describe(argand_cache_info *info)
{
    char folder[PATH];
    CHECK(info, ARGAND_ARGUMENT, "argand_kernels_describe: no place for the answer");
    *info = (argand_cache_info){0};
    info->is_on = folder_name(folder);
    if (info->is_on) kernel_folder_describe(info, folder);
    return ARGAND_OK;
}
