/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of ParaVision's parameter files (JCAMP-DX 4.24): lines "##$NAME=value". The value of a list begins
 * with its dimensions in brackets; @4*(0) means four zeros. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/plain.h"
#include "io/bruker/bruker.h"

/* Every value is searched for from the beginning. Real files have less than 1 MB. */
enum { MOST_VALUES = 8 << 20 };

static argand_status read_open(bruker_values *values, int descriptor, const char *path)
{
    struct stat found;
    CHECK(!fstat(descriptor, &found) && S_ISREG(found.st_mode), ARGAND_FILE, "%s: is not a file", path);
    CHECK(found.st_size <= MOST_VALUES, ARGAND_FORMAT, "%s: %.6g MB of parameters make no sense", path,
          (double)found.st_size / 1e6);
    TRY(memory_new(&values->chars, (size_t)found.st_size + 1, 1));
    for (size_t done = 0; done < (size_t)found.st_size;) {
        const ssize_t got =
            pread(descriptor, values->chars + done, (size_t)found.st_size - done, (off_t)done);
        if (got < 0 && errno == EINTR) continue;
        CHECK(got > 0, ARGAND_FILE, "%s: cannot be read: %s", path,
              got ? strerror(errno) : "it was shortened");
        done += (size_t)got;
    }
    values->length = (size_t)found.st_size;
    for (size_t i = 0; i < values->length; i++)
        if (!values->chars[i]) values->chars[i] = ' ';
    /* Without it the values behind the cut would count as not stated, and be guessed. */
    CHECK(strstr(values->chars, "##END="), ARGAND_FORMAT,
          "%s: is cut off: it has no last line ##END=. Copy it again", path);
    return ARGAND_OK;
}

argand_status bruker_read_values(bruker_values *values, const char *folder, const char *name)
{
    char path[BRUKER_PATH + 16];
    plain_print(path, sizeof path, "%s/%s", folder, name);
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    CHECK(descriptor >= 0, ARGAND_FILE, "%s: cannot be read: %s", path, strerror(errno));
    const argand_status status = read_open(values, descriptor, path);
    close(descriptor);
    return status;
}

/* Returns the value of a parameter behind its dimensions, and where it ends; NULL: there is none. */
static const char *find(const char **end, const bruker_values *values, const char *name)
{
    char key[80];
    plain_print(key, sizeof key, "##$%s=", name);
    const char *at = values->chars ? strstr(values->chars, key) : NULL;
    if (!at) return NULL;
    at += strlen(key);
    *end = strstr(at, "\n##");
    if (!*end) *end = values->chars + values->length;
    const char *line = memchr(at, '\n', (size_t)(*end - at));
    return *at == '(' && line ? line + 1 : at;
}

bool bruker_text(char chars[BRUKER_TEXT], const bruker_values *values, const char *name)
{
    const char *end = NULL, *at = find(&end, values, name);
    if (!at) return false;
    while (at < end && strchr(" \t\r\n<", *at)) at++;
    const char *stop = at;
    while (stop < end && !strchr("\r\n>", *stop)) stop++;
    while (stop > at && stop[-1] == ' ') stop--;
    const size_t length = stop - at < BRUKER_TEXT - 1 ? (size_t)(stop - at) : BRUKER_TEXT - 1;
    memcpy(chars, at, length);
    chars[length] = 0;
    return length > 0;
}

/* Skips to the next number, and over "@N*(", which repeats what follows; returns false at the end. */
static bool next_number(double *number, long *times, const char **at, const char *end)
{
    char *after;
    *times = 1;
    for (;;) {
        while (*at < end && strchr(" \t\r\n(),", **at)) ++*at;
        if (*at >= end || (**at == '$' && (*at)[1] == '$')) return false;
        const bool repeats = **at == '@';
        *number = plain_number(*at + repeats, &after);
        if (after <= *at + repeats || after > end) return false;
        *at = after;
        if (!repeats) return true;
        *times = *number >= 1 && *number <= 65535 ? (long)*number : 1;
        if (*at < end && **at == '*') ++*at;
        while (*at < end && **at == '(') ++*at;
        *number = plain_number(*at, &after);
        if (after <= *at || after > end) return false;
        *at = after;
        return true;
    }
}

int64_t bruker_numbers(double *numbers, int64_t most, const bruker_values *values, const char *name)
{
    const char *end = NULL, *at = find(&end, values, name);
    int64_t count = 0;
    double number;
    long times;
    while (at && count < most && next_number(&number, &times, &at, end))
        for (; times > 0 && count < most; times--) numbers[count++] = number;
    return count;
}

double bruker_value(const bruker_values *values, const char *name, double otherwise)
{
    double number;
    return bruker_numbers(&number, 1, values, name) ? number : otherwise;
}
