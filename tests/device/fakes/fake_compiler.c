/* SPDX-License-Identifier: BSD-3-Clause */
/* A libnvrtc.so or libhiprtc.so.7 for tests: it "compiles" to the options, or with FAKE_HIP_EXECUTES to the
 * text, and refuses a text with SYNTAX_ERROR in it. NVRTC knows 7.5 to 9.0. The file that FAKE_NVRTC_KEYS
 * names gets each kernel's key, as the program's name and the defines on top of its text say it; with
 * FAKE_NVRTC_HERE only if no thread of the background asks for it. A gate holds programs of some name until a
 * test opens it. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/gpu/compiler.h"

#define EXPORT __attribute__((visibility("default")))

struct gpu_program_st {
    char *text, option[64], name[64];
    int bad;
};

#ifdef FAKE_HIP
#define DECLARE(name, nvrtc, hiprtc, result, parameters) EXPORT result fake_##name parameters __asm__(hiprtc);
#define FAKE_COMPILATIONS "fake_hiprtc_compilations"
#define FAKE_BACKGROUND "fake_hiprtc_background"
#define FAKE_GATE "fake_hiprtc_gate"
#define ERROR_NAME "HIPRTC_ERROR_COMPILATION"
enum { MAJOR = 7 };
#else
#define DECLARE(name, nvrtc, hiprtc, result, parameters) EXPORT result fake_##name parameters __asm__(nvrtc);
#define FAKE_COMPILATIONS "fake_nvrtc_compilations"
#define FAKE_BACKGROUND "fake_nvrtc_background"
#define FAKE_GATE "fake_nvrtc_gate"
#define ERROR_NAME "NVRTC_ERROR_COMPILATION"
enum { MAJOR = 13 };
#endif
GPU_COMPILER_FUNCTIONS(DECLARE)
EXPORT int fake_compilations(void) __asm__(FAKE_COMPILATIONS);
EXPORT int fake_background(void) __asm__(FAKE_BACKGROUND);
EXPORT int fake_gate(const char *prefix, int fails) __asm__(FAKE_GATE);

#define NOTHING "nothing.cu"
static int compilations, background; /* of the latter: those by the thread that compiles in the background */
static const char log_text[] =
    "a.cu(1): warning: never mind\npointwise.krn(7): error: SYNTAX_ERROR is no word\n";

static bool is_in_background(void)
{
    char name[16] = "";
    return !pthread_getname_np(pthread_self(), name, sizeof name) && !strcmp(name, "argand-kernels");
}
int fake_compilations(void)
{
    return compilations;
}
int fake_background(void)
{
    return background;
}
/* Programs whose names begin so wait in compile. "": opens the gate; with `fails`, those that waited fail.
 * NULL: changes nothing. Returns how many wait. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    char prefix[32];
    int fails, held;
} gate = {.lock = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER};

int fake_gate(const char *prefix, int fails)
{
    pthread_mutex_lock(&gate.lock);
    if (prefix) {
        snprintf(gate.prefix, sizeof gate.prefix, "%s", prefix);
        gate.fails = fails;
        pthread_cond_broadcast(&gate.opened);
    }
    const int held = gate.held;
    pthread_mutex_unlock(&gate.lock);
    return held;
}

static bool pass_gate(const char *name)
{
    bool fails = false;
    pthread_mutex_lock(&gate.lock);
    gate.held++;
    while (*gate.prefix && !strncmp(name, gate.prefix, strlen(gate.prefix))) {
        pthread_cond_wait(&gate.opened, &gate.lock);
        fails = gate.fails;
    }
    gate.held--;
    pthread_mutex_unlock(&gate.lock);
    return !fails;
}

int fake_version(int *major, int *minor)
{
    return *major = MAJOR, *minor = 0;
}
const char *fake_error_text(int result)
{
    return result ? ERROR_NAME : "SUCCESS";
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
    const bool wanted = path && strcmp(name, NOTHING) && !(getenv("FAKE_NVRTC_HERE") && is_in_background());
    FILE *file = wanted ? fopen(path, "a") : NULL;
    if (!file) return;
    setvbuf(file, NULL, _IOFBF, 1 << 16); /* a line at once, as several threads may write */
    fprintf(file, "%.*s", (int)strcspn(name, "."), name);
    write_defines(file, text);
    fputc('\n', file);
    fclose(file);
}
int fake_create(gpu_program *p, const char *text, const char *name, int headers, const char *const *texts,
                const char *const *names)
{
    (void)headers, (void)texts, (void)names;
    record(name, text);
    *p = calloc(1, sizeof **p);
    (*p)->text = strdup(text);
    snprintf((*p)->name, sizeof(*p)->name, "%s", name);
    return 0;
}
int fake_destroy(gpu_program *p)
{
    free((*p)->text);
    free(*p);
    *p = NULL;
    return 0;
}
int fake_compile(gpu_program p, int count, const char *const *options)
{
    const bool counts = strcmp(p->name, NOTHING) != 0; /* compiled once, before the first request */
    __atomic_fetch_add(&background, counts && is_in_background(), __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&compilations, counts, __ATOMIC_SEQ_CST);
    if (count > 0) snprintf(p->option, sizeof p->option, "%s", options[0]);
    p->bad = !pass_gate(p->name) || strstr(p->text, "SYNTAX_ERROR");
    return p->bad ? 6 : 0;
}
static const char *code_of(const struct gpu_program_st *p)
{
    return getenv("FAKE_HIP_EXECUTES") ? p->text : p->option;
}
int fake_code_size(gpu_program p, size_t *size)
{
    return *size = strlen(code_of(p)) + 1, p->bad;
}
int fake_code(gpu_program p, char *bytes)
{
    return memcpy(bytes, code_of(p), strlen(code_of(p)) + 1), p->bad;
}
int fake_log_size(gpu_program p, size_t *size)
{
    return *size = p->bad ? sizeof log_text : 1, 0;
}
int fake_log(gpu_program p, char *bytes)
{
    if (p->bad)
        memcpy(bytes, log_text, sizeof log_text);
    else
        *bytes = 0;
    return 0;
}

#ifndef FAKE_HIP
EXPORT int nvrtcGetPTXSize(gpu_program p, size_t *size);
EXPORT int nvrtcGetPTX(gpu_program p, char *bytes);
EXPORT int nvrtcGetNumSupportedArchs(int *count);
EXPORT int nvrtcGetSupportedArchs(int *capabilities);
int nvrtcGetPTXSize(gpu_program p, size_t *size)
{
    return fake_code_size(p, size);
}
int nvrtcGetPTX(gpu_program p, char *bytes)
{
    return fake_code(p, bytes);
}
int nvrtcGetNumSupportedArchs(int *count)
{
    return *count = 5, 0;
}
int nvrtcGetSupportedArchs(int *c)
{
    return c[0] = 75, c[1] = 80, c[2] = 86, c[3] = 89, c[4] = 90, 0;
}
#endif
