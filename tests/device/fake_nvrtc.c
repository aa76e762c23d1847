/* SPDX-License-Identifier: BSD-3-Clause */
/* A libnvrtc.so for tests: it knows 7.5 to 9.0, "compiles" to the options and the text's first bytes, and
 * refuses a text with SYNTAX_ERROR in it. The file that FAKE_NVRTC_KEYS names gets each kernel's key, as the
 * program's name and the defines on top of its text say it. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef struct program {
    char *text, option[64];
    int bad;
} program;

EXPORT int fake_nvrtc_compilations(void);
EXPORT int nvrtcVersion(int *major, int *minor);
EXPORT const char *nvrtcGetErrorString(int result);
EXPORT int nvrtcCreateProgram(program **p, const char *text, const char *name, int headers,
                              const char *const *texts, const char *const *names);
EXPORT int nvrtcDestroyProgram(program **p);
EXPORT int nvrtcCompileProgram(program *p, int count, const char *const *options);
EXPORT int nvrtcGetPTXSize(program *p, size_t *size);
EXPORT int nvrtcGetPTX(program *p, char *bytes);
EXPORT int nvrtcGetCUBINSize(program *p, size_t *size);
EXPORT int nvrtcGetCUBIN(program *p, char *bytes);
EXPORT int nvrtcGetProgramLogSize(program *p, size_t *size);
EXPORT int nvrtcGetProgramLog(program *p, char *bytes);
EXPORT int nvrtcGetNumSupportedArchs(int *count);
EXPORT int nvrtcGetSupportedArchs(int *capabilities);

static int compilations;
static const char log_text[] =
    "a.cu(1): warning: never mind\npointwise.krn(7): error: SYNTAX_ERROR is no word\n";

int fake_nvrtc_compilations(void)
{
    return compilations;
}
int nvrtcVersion(int *major, int *minor)
{
    return *major = 13, *minor = 0;
}
const char *nvrtcGetErrorString(int result)
{
    return result ? "NVRTC_ERROR_COMPILATION" : "NVRTC_SUCCESS";
}
/* " NAME=VALUE" for each define. Those of radices follow from others, 256 ITEMS behind others are the
 * device's. */
static void write_defines(FILE *file, const char *text)
{
    static const char start[] = "#define ", radix[] = "#define RADIX_";
    char define[128], value[512];
    const char *line = strchr(text, '\n');
    int count = 0;
    while (line && !strncmp(++line, start, strlen(start))) {
        const char *next = strchr(line, '\n');
        const int both = sscanf(line, "#define %127s %511s", define, value);
        const bool last = !next || strncmp(next + 1, start, strlen(start));
        const bool devices = last && count && !strcmp(define, "ITEMS") && atoi(value) == 256;
        const bool own = both == 2 && !devices && strncmp(line, radix, strlen(radix));
        if (own) count += fprintf(file, " %s=%s", define, value);
        line = next;
    }
}

static void record(const char *name, const char *text)
{
    const char *path = getenv("FAKE_NVRTC_KEYS");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file) return;
    setvbuf(file, NULL, _IOFBF, 1 << 16); /* a line at once, as several threads may write */
    fprintf(file, "%.*s", (int)strcspn(name, "."), name);
    write_defines(file, text);
    fputc('\n', file);
    fclose(file);
}
int nvrtcCreateProgram(program **p, const char *text, const char *name, int headers, const char *const *texts,
                       const char *const *names)
{
    (void)headers, (void)texts, (void)names;
    record(name, text);
    *p = calloc(1, sizeof **p);
    (*p)->text = strdup(text);
    return 0;
}
int nvrtcDestroyProgram(program **p)
{
    free((*p)->text);
    free(*p);
    *p = NULL;
    return 0;
}
int nvrtcCompileProgram(program *p, int count, const char *const *options)
{
    compilations++;
    if (count > 0) snprintf(p->option, sizeof p->option, "%s", options[0]);
    p->bad = strstr(p->text, "SYNTAX_ERROR") != NULL;
    return p->bad ? 6 : 0;
}
int nvrtcGetCUBINSize(program *p, size_t *size)
{
    return *size = strlen(p->option) + 1, p->bad;
}
int nvrtcGetCUBIN(program *p, char *bytes)
{
    return memcpy(bytes, p->option, strlen(p->option) + 1), p->bad;
}
int nvrtcGetPTXSize(program *p, size_t *size)
{
    return nvrtcGetCUBINSize(p, size);
}
int nvrtcGetPTX(program *p, char *bytes)
{
    return nvrtcGetCUBIN(p, bytes);
}
int nvrtcGetProgramLogSize(program *p, size_t *size)
{
    return *size = p->bad ? sizeof log_text : 1, 0;
}
int nvrtcGetProgramLog(program *p, char *bytes)
{
    if (p->bad)
        memcpy(bytes, log_text, sizeof log_text);
    else
        *bytes = 0;
    return 0;
}
int nvrtcGetNumSupportedArchs(int *count)
{
    return *count = 5, 0;
}
int nvrtcGetSupportedArchs(int *c)
{
    return c[0] = 75, c[1] = 80, c[2] = 86, c[3] = 89, c[4] = 90, 0;
}
