/* SPDX-License-Identifier: BSD-3-Clause */
/* argand fetch-example: fetches a public scan with a known checksum, or simulates one. */
#include "fetch/fetch.h"
#include "common/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const example examples[] = {
#include "fetch/examples.inc"
};
enum { EXAMPLES = sizeof examples / sizeof *examples };

static const char description[] =
    "Writes an example scan. Without NAME, lists the examples. A public file is downloaded by curl or wget "
    "and written only if\n"
    "its SHA-256 is the known one. No network is needed if the file is already in OUT, in the folder that "
    "the variable\n"
    "ARGAND_EXAMPLES names, or at --from. Simulated examples are made by argand simulate on this machine.";

typedef struct fetch_settings {
    common_options common;
    const char *from;
} fetch_settings;

static const example *find(const char *name)
{
    for (int i = 0; i < EXAMPLES; i++)
        if (!strcmp(examples[i].name, name)) return &examples[i];
    return NULL;
}

static void list(void)
{
    for (int i = 0; i < EXAMPLES; i++) {
        const example *e = &examples[i];
        printf("%-12s %s\n", e->name, e->what);
        if (e->source) printf("%-12s %.1f MB, %s, %s\n", "", 1e-6 * (double)e->size, e->licence, e->source);
    }
}

/* Refuses bytes that differ from the example. */
static argand_status check(const example *e, const unsigned char *bytes, size_t count, const char *from)
{
    char path[512], sha256[ARGAND_SHA256_TEXT];
    const char *folder = getenv("TMPDIR");
    if (count != e->size)
        return report_error(ARGAND_FORMAT, "%s: the file has %s%zu bytes, but %s has %zu; fetch it again",
                            from, count > e->size ? "more than " : "", count > e->size ? e->size : count,
                            e->name, e->size);
    snprintf(path, sizeof path, "%s/argand-XXXXXX", folder && *folder ? folder : "/tmp");
    const int descriptor = mkstemp(path);
    if (descriptor < 0) return report_error(ARGAND_FILE, "%s: no temporary file can be made", path);
    const bool whole = write(descriptor, bytes, count) == (ssize_t)count;
    argand_status status = whole
                               ? argand_file_sha256(sha256, path)
                               : report_error(ARGAND_FILE, "%s: cannot be written: is the disk full?", path);
    close(descriptor);
    unlink(path);
    if (!status && strcmp(sha256, e->sha256) != 0)
        status = report_error(ARGAND_FORMAT, "%s: the SHA-256 is %s, but that of %s is %s", from, sha256,
                              e->name, e->sha256);
    return status;
}

/* Reads a file, up to one byte more than the example has. */
static argand_status read_file(unsigned char **bytes, size_t *count, const char *path, size_t most)
{
    FILE *file = open_plain_file(path);
    if (!file) return report_error(ARGAND_FILE, "%s: cannot be read", path);
    *bytes = malloc(most + 1);
    *count = *bytes ? fread(*bytes, 1, most + 1, file) : 0;
    fclose(file);
    return *bytes ? ARGAND_OK : report_error(ARGAND_MEMORY, "no memory for %zu bytes", most);
}

/* Takes the example from an address, a file, or a folder that holds the file under its usual name. */
static argand_status take(const example *e, const char *from, const char *out, report *r)
{
    char path[4096];
    unsigned char *bytes = NULL;
    size_t count = 0;
    struct stat found;
    const bool remote = !strncmp(from, "https://", 8);
    const bool folder = !remote && !stat(from, &found) && S_ISDIR(found.st_mode);
    snprintf(path, sizeof path, "%s%s%s", from, folder ? "/" : "", folder ? e->file : "");
    if (remote) report_note(r, "Fetching %s.", from);
    argand_status status =
        remote ? fetch_download(&bytes, &count, path, e->size) : read_file(&bytes, &count, path, e->size);
    if (!status) status = check(e, bytes, count, path);
    if (!status) status = argand_bytes_write(out, bytes, count);
    if (!status)
        report_note(r, "%s: %.1f MB from %s; the SHA-256 is right.", out, 1e-6 * (double)count, path);
    free(bytes);
    return status;
}

/* Accepts an existing file if it is the example; otherwise refuses to overwrite it. */
static argand_status look_at(const example *e, const char *out, report *r)
{
    char sha256[ARGAND_SHA256_TEXT];
    TRY(argand_file_sha256(sha256, out));
    if (strcmp(sha256, e->sha256) != 0)
        return report_error(ARGAND_FILE,
                            "%s: is there, but is not the example %s: remove the file or give another name",
                            out, e->name);
    report_note(r, "%s: is there already; the SHA-256 is right.", out);
    return ARGAND_OK;
}

static argand_status from_mirrors(const example *e, const char *out, report *r)
{
    argand_status status = ARGAND_FILE;
    for (int i = 0; i < EXAMPLE_MIRRORS && e->mirrors[i] && status && !interrupted(); i++) {
        if (i) report_note(r, "%s", report_message());
        status = take(e, e->mirrors[i], out, r);
    }
    return status;
}

static argand_status fetch(const example *e, const fetch_settings *s, const char *out, report *r)
{
    const char *kept = getenv("ARGAND_EXAMPLES");
    if (!access(out, F_OK)) return look_at(e, out, r);
    if (s->from) return take(e, s->from, out, r);
    if (kept && *kept && !take(e, kept, out, r)) return ARGAND_OK;
    return from_mirrors(e, out, r);
}

/* Runs argand simulate with the example's options and those of the command line. */
static int simulate(const example *e, const char *out, const fetch_settings *s, report *r)
{
    const char *given[EXAMPLE_WORDS + 4] = {"simulate", out};
    char texts[EXAMPLE_WORDS + 4][64], path[4096], *argv[EXAMPLE_WORDS + 5] = {NULL};
    int count = 2;
    for (int i = 0; i < EXAMPLE_WORDS && e->simulate[i]; i++) given[count++] = e->simulate[i];
    if (s->common.quiet) given[count++] = "--quiet";
    if (s->common.json) given[count++] = "--json";
    for (int i = 0; i < count; i++) {
        argv[i] = i == 1 ? path : texts[i];
        snprintf(argv[i], i == 1 ? sizeof path : sizeof texts[i], "%s", given[i]);
    }
    report_note(r, "%s is simulated on this machine: no public file of its kind has a clear licence.",
                e->name);
    return command_find("simulate")->run(count, argv);
}

static int run(int argc, char **argv)
{
    static fetch_settings s;
    static report r;
    const option options[] = {
        text_option("from", 0, &s.from, "PLACE",
                    "take the file from this https address, file or folder. Default: the known mirrors"),
        COMMON_OPTIONS(s.common)};
    const char *positional[2] = {NULL};
    command_line line = {.usage = "argand fetch-example [NAME [OUT]] [options]",
                         .description = description,
                         .examples = "  argand fetch-example\n  argand fetch-example brain\n"
                                     "  argand fetch-example brain ksp.npy --from /media/disk\n",
                         OPTION_TABLE(options),
                         .positional_most = 2,
                         .positional = positional};
    int exit_code;
    if (!command_parse(&line, argc, argv, &exit_code)) return exit_code;
    if (!positional[0]) return list(), 0;
    report_begin(&r, "fetch-example", &s.common);
    const example *e = find(positional[0]);
    if (!e) {
        suggestion near = suggest_for(positional[0], (int)strlen(positional[0]));
        for (int i = 0; i < EXAMPLES; i++)
            suggest_try(&near, examples[i].name, (int)strlen(examples[i].name));
        return report_failure(&r, report_error(ARGAND_ARGUMENT, "there is no example \"%s\"%s", positional[0],
                                               suggest_text(&near, "")));
    }
    const char *out = positional[1] ? positional[1] : e->file;
    if (!e->source) return simulate(e, out, &s, &r);
    interrupt_watch();
    const argand_status status = fetch(e, &s, out, &r);
    if (status) return report_failure(&r, status);
    char quoted[4300];
    report_result(&r, "\"output\":%s,\"sha256\":\"%s\"", json_string(quoted, sizeof quoted, out), e->sha256);
    return 0;
}

const command command_fetch_example = {
    .name = "fetch-example", .summary = "download or simulate an example scan", .run = run};
