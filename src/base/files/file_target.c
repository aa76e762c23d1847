/* SPDX-License-Identifier: BSD-3-Clause */
/* The target of a draft: what it names, if it can be replaced, and what to say if it cannot be written. */
#include "base/files/file_place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void place_folder(char folder[4096], const char *path)
{
    const char *slash = strrchr(path, '/');
    snprintf(folder, 4096, "%.*s", slash ? (int)(slash - path) + 1 : 2, slash ? path : "./");
}

argand_status file_failed(const file_draft *draft, int number, const char *otherwise)
{
    const bool full = number == ENOSPC || number == EDQUOT || number == EFBIG;
    const char *remedy = full               ? "free space there, or write to another folder"
                         : number == ENOENT ? "make its folder, or write to another one"
                                            : "write to another folder";
    return status_set(ARGAND_FILE, "%s: cannot be written: %s; %s", draft->target,
                      number ? strerror(number) : otherwise, remedy);
}

argand_status place_failed(const file_draft *draft, int number)
{
    return file_failed(draft, number, "the disk does not take it");
}

/* Follows links to the target; a dangling link is treated as a name. */
static argand_status follow(file_draft *draft, const char *target)
{
    char *path = realpath(target, NULL);
    CHECK(path, ARGAND_FILE,
          "%s: is a symbolic link that leads nowhere: %s; remove it, or make what it names", target,
          strerror(errno));
    const bool fits = strlen(path) < sizeof draft->target;
    if (fits) strcpy(draft->target, path);
    free(path);
    CHECK(fits, ARGAND_ARGUMENT, "%s: leads to a name that is too long", target);
    return ARGAND_OK;
}

/* Refuses files without write permission, also for root, who could write them. */
static argand_status check_old(const file_draft *draft, const struct stat *old)
{
    CHECK((old->st_mode & 0222) && !access(draft->target, W_OK), ARGAND_FILE,
          "%s: is read-only and is not overwritten; remove it or make it writable", draft->target);
    return ARGAND_OK;
}

argand_status place_find(file_draft *draft, const char *target, struct stat *old)
{
    struct stat link;
    CHECK(target && *target, ARGAND_ARGUMENT, "no file name to write to");
    CHECK(strlen(target) < sizeof draft->target, ARGAND_ARGUMENT, "file name of %zu characters is too long",
          strlen(target));
    strcpy(draft->target, target);
    if (lstat(target, &link)) return ARGAND_OK; /* no such name: open() will report the reason */
    const bool there = !stat(target, old);
    CHECK(!there || !S_ISDIR(old->st_mode), ARGAND_FILE, "%s: is a folder; give the name of a file in it",
          target);
    CHECK(!there || !S_ISSOCK(old->st_mode), ARGAND_FILE,
          "%s: is a socket, which cannot be written as a file", target);
    CHECK(!there || !S_ISBLK(old->st_mode), ARGAND_FILE, "%s: is a disk, which is not overwritten", target);
    draft->to_place = there && (S_ISCHR(old->st_mode) || S_ISFIFO(old->st_mode));
    if (draft->to_place) return ARGAND_OK;
    if (S_ISLNK(link.st_mode)) TRY(follow(draft, target));
    return there ? check_old(draft, old) : ARGAND_OK;
}
