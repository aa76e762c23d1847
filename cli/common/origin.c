/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/origin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

extern char **environ;

static int argument_count;
static char **arguments;

void origin_keep(int argc, char **argv)
{
    argument_count = argc;
    arguments = argv;
}

const char *origin_commit(void)
{
    return origin_commit_text;
}

int origin_arguments(char ***all)
{
    *all = arguments;
    return argument_count;
}

void origin_quote(FILE *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, to);
        return;
    }
    fputc('\'', to);
    for (const char *c = word; *c; c++)
        if (*c == '\'')
            fputs("'\\''", to);
        else
            fputc(*c, to);
    fputc('\'', to);
}

char *origin_command(void)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to) return NULL;
    fputs("argand", to);
    for (int i = 1; i < argument_count; i++) {
        fputc(' ', to);
        origin_quote(to, arguments[i]);
    }
    return fclose(to) ? NULL : text;
}

char *origin_environment(void)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to) return NULL;
    for (char **entry = environ; *entry; entry++) {
        if (strncmp(*entry, "ARGAND_", 7) != 0) continue;
        if (ftell(to) > 0) fputc(' ', to);
        origin_quote(to, *entry);
    }
    return fclose(to) ? NULL : text;
}

static bool is_file(const char *path)
{
    struct stat found;
    return *path && !stat(path, &found) && S_ISREG(found.st_mode);
}

/* Returns true if `path` is BART's NAME and NAME.cfl and NAME.hdr exist; then `path` becomes NAME.cfl. */
static bool is_pair(char path[ORIGIN_PATH])
{
    const size_t length = strlen(path);
    if (!length || length + sizeof ".cfl" > ORIGIN_PATH) return false;
    memcpy(path + length, ".hdr", sizeof ".hdr");
    const bool has_header = is_file(path);
    memcpy(path + length, ".cfl", sizeof ".cfl");
    if (has_header && is_file(path)) return true;
    path[length] = 0;
    return false;
}

bool origin_file_of(const char *argument, char path[ORIGIN_PATH])
{
    const char *equals = strchr(argument, '=');
    const char *name = !strncmp(argument, "--", 2) && equals ? equals + 1 : argument;
    if (snprintf(path, ORIGIN_PATH, "%s", name) >= ORIGIN_PATH) return false;
    if (is_file(path) || is_pair(path)) return true;
    char *colon = strrchr(path, ':');
    if (colon) *colon = 0;
    return colon && is_file(path);
}

bool origin_companion_of(char path[ORIGIN_PATH], int number)
{
    static const char *const endings[][3] = {
        {".cfl", ".hdr", ".json"}, {".npy", ".json"}, {".nii.gz", ".json"}, {".nii", ".json"}};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t most = strlen(endings[i][0]);
        if (length <= most || strcmp(path + length - most, endings[i][0]) != 0) continue;
        const char *other = number < 3 ? endings[i][number] : NULL;
        if (!other) return false;
        snprintf(path + length - most, ORIGIN_PATH - (length - most), "%s", other);
        return is_file(path);
    }
    return false;
}

bool origin_next_file(int *at, char path[ORIGIN_PATH])
{
    enum { KINDS = 3 }; /* for each argument: itself and two companion files */
    for (; *at < KINDS * argument_count; ++*at) {
        const int argument = *at / KINDS, kind = *at % KINDS;
        if (argument < 2 || !origin_file_of(arguments[argument], path)) continue;
        if (kind && !origin_companion_of(path, kind)) continue;
        ++*at;
        return true;
    }
    return false;
}
