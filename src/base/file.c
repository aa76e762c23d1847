/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"

/* dir/.argand-<pid>-<n>-name.nii.gz: hidden, unique, and with the ending that libraries choose formats by. */
static int open_temporary(file_draft *draft)
{
    const char *slash = strrchr(draft->target, '/');
    const int directory = slash ? (int)(slash - draft->target) + 1 : 0;
    for (int attempt = 0; attempt < 100; attempt++) {
        snprintf(draft->temporary, sizeof draft->temporary, "%.*s.argand-%ld-%d-%s", directory, draft->target,
                 (long)getpid(), attempt, draft->target + directory);
        const int descriptor = open(draft->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
    return -1;
}

argand_status file_begin(file_draft *draft, const char *target)
{
    *draft = (file_draft){0};
    CHECK(target && *target, ARGAND_ARGUMENT, "no file name to write to");
    CHECK(strlen(target) < sizeof draft->target, ARGAND_ARGUMENT, "file name of %zu characters is too long",
          strlen(target));
    struct stat found;
    CHECK(stat(target, &found) != 0 || !S_ISDIR(found.st_mode), ARGAND_FILE,
          "%s: is a folder; give the name of a file in it", target);
    strcpy(draft->target, target);
    const int descriptor = open_temporary(draft);
    if (descriptor < 0) draft->temporary[0] = 0;
    CHECK(descriptor >= 0, ARGAND_FILE, "%s: cannot be written: %s", target, strerror(errno));
    draft->stream = fdopen(descriptor, "w+b");
    if (!draft->stream) {
        close(descriptor);
        file_abandon(draft);
        return status_set(ARGAND_FILE, "%s: cannot be written: %s", target, strerror(errno));
    }
    return ARGAND_OK;
}

void file_abandon(file_draft *draft)
{
    if (draft->stream) fclose(draft->stream);
    if (draft->temporary[0]) unlink(draft->temporary);
    *draft = (file_draft){0};
}

argand_status file_finish(file_draft *draft)
{
    errno = 0;
    bool good = true;
    if (draft->stream) {
        good = !ferror(draft->stream) && !fflush(draft->stream) && !fsync(fileno(draft->stream));
        const int kept = errno;
        good = !fclose(draft->stream) && good;
        if (kept) errno = kept;
        draft->stream = NULL;
    }
    if (good && !rename(draft->temporary, draft->target)) {
        draft->temporary[0] = 0;
        return ARGAND_OK;
    }
    const argand_status status =
        status_set(ARGAND_FILE, "%s: cannot be written: %s", draft->target, strerror(errno));
    file_abandon(draft);
    return status;
}

argand_status file_write(file_draft *draft, const void *bytes, size_t count)
{
    CHECK(fwrite(bytes, 1, count, draft->stream) == count, ARGAND_FILE, "%s: cannot be written: %s",
          draft->target, strerror(errno));
    return ARGAND_OK;
}

argand_status file_read(const char *path, size_t limit, char **bytes, size_t *count)
{
    argand_status status = ARGAND_OK;
    *bytes = NULL;
    /* a pipe without a writer would hold us up before it is seen to be none of a file */
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (descriptor >= 0 && !file) close(descriptor);
    CHECK(file, ARGAND_FILE, "%s: cannot be read: %s", path, strerror(errno));
    struct stat found;
    CHECK_OR_DONE(!fstat(fileno(file), &found) && S_ISREG(found.st_mode), ARGAND_FILE, "%s: is not a file",
                  path);
    CHECK_OR_DONE((size_t)found.st_size <= limit, ARGAND_FORMAT,
                  "%s: %lld bytes, more than the %zu that are sensible here", path, (long long)found.st_size,
                  limit);
    TRY_OR_DONE(memory_new(bytes, (size_t)found.st_size + 1, 1));
    *count = fread(*bytes, 1, (size_t)found.st_size, file);
    CHECK_OR_DONE(*count == (size_t)found.st_size, ARGAND_FILE, "%s: could be read only in part", path);
done:
    fclose(file);
    if (status != ARGAND_OK) {
        memory_free(*bytes);
        *bytes = NULL;
    }
    return status;
}

bool file_ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && !strcmp(path + length - tail, ending);
}
