/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the bytes of a file in order, and unpacks gzip. */
#include "io/arrays/source.h"
#include "base/observe.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens a regular file; refuses folders, and does not wait for pipes. */
static argand_status open_file(source *in)
{
    struct stat found;
    in->descriptor = open(in->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    CHECK(in->descriptor >= 0 && !fstat(in->descriptor, &found), ARGAND_FILE, "%s: cannot be read: %s",
          in->path, strerror(errno));
    CHECK(S_ISREG(found.st_mode), ARGAND_FILE, "%s: is not a file", in->path);
    in->size = (uint64_t)found.st_size;
    return ARGAND_OK;
}

static argand_status unpack(source *in)
{
    unsigned char start[2];
    in->packed = pread(in->descriptor, start, 2, 0) == 2 && start[0] == 0x1f && start[1] == 0x8b;
    if (!in->packed) return ARGAND_OK;
    in->gz = gzdopen(in->descriptor, "rb");
    CHECK(in->gz, ARGAND_MEMORY, "%s: no memory to read it", in->path);
    in->descriptor = -1; /* now owned by gz */
    gzbuffer(in->gz, 1 << 17);
    return ARGAND_OK;
}

argand_status source_open(source *in, const char *path, bool may_be_packed)
{
    *in = (source){.path = path, .descriptor = -1};
    CHECK(path && *path, ARGAND_ARGUMENT, "no file name to read from");
    argand_status status = open_file(in);
    if (status == ARGAND_OK && may_be_packed) status = unpack(in);
    if (status != ARGAND_OK) source_close(in);
    return status;
}

void source_close(source *in)
{
    if (in->gz) gzclose_r(in->gz);
    if (in->path && in->descriptor >= 0) close(in->descriptor);
    *in = (source){.descriptor = -1};
}

static argand_status read_some(source *in, char *bytes, size_t count, size_t *got)
{
    const size_t most = count < 1 << 24 ? count : 1 << 24;
    const ssize_t step = in->gz ? gzread(in->gz, bytes, (unsigned)most) : read(in->descriptor, bytes, most);
    int code;
    CHECK(step >= 0 || in->gz, ARGAND_FILE, "%s: cannot be read: %s", in->path, strerror(errno));
    if (step < 0) {
        const char *why = gzerror(in->gz, &code),
                   *colon = *why == '<' ? strstr(why, ">: ") : NULL; /* <fd:3>: */
        return status_set(ARGAND_FORMAT, "%s: the gzip data is damaged: %s", in->path,
                          colon ? colon + 3 : why);
    }
    *got = (size_t)step;
    return ARGAND_OK;
}

argand_status source_read(source *in, void *bytes, size_t count, size_t *got)
{
    size_t step = 1;
    for (*got = 0; *got < count && step; *got += step) {
        TRY(observe_again());
        TRY(read_some(in, (char *)bytes + *got, count - *got, &step));
        in->position += step;
    }
    return ARGAND_OK;
}

argand_status source_need(source *in, void *bytes, size_t count, const char *what)
{
    size_t got;
    TRY(source_read(in, bytes, count, &got));
    CHECK(got == count, ARGAND_FORMAT, "%s: truncated: %zu bytes of %s expected, %zu found", in->path, count,
          what, got);
    return ARGAND_OK;
}

argand_status source_skip(source *in, uint64_t count, const char *what)
{
    char scratch[4096];
    CHECK(count <= source_left(in), ARGAND_FORMAT, "%s: truncated: it ends before its %s", in->path, what);
    while (count) {
        const size_t step = count < sizeof scratch ? (size_t)count : sizeof scratch;
        TRY(source_need(in, scratch, step, what));
        count -= step;
    }
    return ARGAND_OK;
}

uint64_t source_left(const source *in)
{
    const uint64_t most = in->packed ? in->size * 1040 : in->size; /* deflate packs 1032 to 1 at most */
    return most > in->position ? most - in->position : 0;
}

argand_status source_verify(source *in)
{
    char scratch[4096];
    size_t got = in->packed ? sizeof scratch : 0;
    while (got == sizeof scratch) TRY(source_read(in, scratch, sizeof scratch, &got));
    int code = Z_OK;
    if (in->packed) gzerror(in->gz, &code);
    CHECK(code == Z_OK, ARGAND_FORMAT, "%s: truncated: the gzip data ends too early", in->path);
    return ARGAND_OK;
}
