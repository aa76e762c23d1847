/* SPDX-License-Identifier: BSD-3-Clause */
/* nvrtc_compile CAPABILITY [kinds]: every kernel that the library asks for compiles to machine code for that
 * chip, without one, into no more than LIMIT bytes: what takes minutes to compile is unrolled code without
 * end. With "kinds" one key of each kernel and precision has to do, which takes a third of the time, and in
 * the first tier one in eight of these.
 * From capability 9.0 on, kernels of transforms may begin before the launch before them has ended: all of
 * them wait for it before they touch memory that it may touch. Skipped where NVRTC is not there or does not
 * know the chip. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/cuda/nvrtc.h"
#include "device/source.h"
#include "fft/access/access.h"
#include "kinds.h"
#include "sample.h"

enum { LIMIT = 256 << 10 }; /* twice the largest kernel of today */

static const char *architecture_of(int capability, bool machine_code)
{
    static char architecture[32];
    if (machine_code && nvrtc_architecture(capability, architecture, sizeof architecture)) return NULL;
    if (!machine_code) snprintf(architecture, sizeof architecture, "compute_%d", capability);
    return architecture;
}

/* Whether a kernel's PTX waits for earlier launches before any access but those to constant tables. */
static bool waits_first(const char *ptx, const char *end)
{
    static const char *const accesses[] = {"ld.global", "st.global", "ld.volatile", "atom.", "red.global"};
    const char *wait = strstr(ptx, "griddepcontrol.wait");
    if (!wait || wait >= end) return false;
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
        for (const char *at = strstr(ptx, accesses[i]); at && at < wait; at = strstr(at + 1, accesses[i]))
            if (strncmp(at, "ld.global.nc", 12)) return false;
    return true;
}

static bool all_wait_first(const char *ptx)
{
    const char *entry = strstr(ptx, ".entry");
    while (entry) {
        const char *next = strstr(entry + 1, ".entry");
        if (!waits_first(entry, next ? next : entry + strlen(entry))) return false;
        entry = next;
    }
    return true;
}

/* Kernels that are started with `overlaps`. */
static bool overlaps(const char *key)
{
    static const char *const of_nufft[] = {"nufft_interpolate ",      "nufft_interpolate_few ",
                                           "nufft_interpolate_tile ", "nufft_spread_tile ",
                                           "nufft_sum_parts ",        "nufft_add_tiles "};
    for (size_t i = 0; i < sizeof of_nufft / sizeof *of_nufft; i++)
        if (!strncmp(key, of_nufft[i], strlen(of_nufft[i]))) return true;
    const bool is_general = !strncmp(key, "fft_general ", 12); /* fft/gpu/general.c starts it without */
    return (!strncmp(key, "fft_", 4) && !is_general) || !strncmp(key, "field_", 6);
}

/* Below 9.0 kernels of one stream follow each other. */
static bool can_overlap(const char *architecture)
{
    return atoi(strchr(architecture, '_') + 1) >= 90;
}

/* Whether the PTX has an entry point of that name, which the driver is asked for. */
static bool has_entry(const char *ptx, const char *name)
{
    char entry[96];
    snprintf(entry, sizeof entry, ".entry %s(", name);
    return strstr(ptx, entry);
}

static argand_status compile_key(const char *key, const char *architecture, size_t *size)
{
    char name[64];
    text source_text = {0};
    unsigned char *bytes = NULL, *ptx = NULL;
    const bool machine_code = !strncmp(architecture, "sm_", 3);
    const int items = source_items(key) ? source_items(key) : 256;
    argand_status status = ARGAND_OK;
    TRY_OR_DONE(source_name(key, name, sizeof name));
    TRY_OR_DONE(source_assemble(&source_text, key, items));
    const kernel_source source = {.key = key, .name = name, .text = source_text.chars, .items = items};
    TRY_OR_DONE(nvrtc_compile_both(&source, architecture, &bytes, size, &ptx));
    /* a cubin is an ELF file */
    if (machine_code)
        CHECK_OR_DONE(*size > 64 && !memcmp(bytes, "\177ELF", 4), ARGAND_BUILD, "%s: no machine code", key);
    CHECK_OR_DONE(has_entry((const char *)(machine_code ? ptx : bytes), name), ARGAND_BUILD,
                  "%s: no such entry point", key);
    CHECK_OR_DONE(!can_overlap(architecture) || !overlaps(key) || all_wait_first((const char *)ptx),
                  ARGAND_BUILD, "%s: does not wait for earlier launches before all else", key);
done:
    memory_free(ptx);
    memory_free(bytes);
    text_free(&source_text);
    return status;
}

/* Texts of the user's own go in between, as plans have them; their errors have the accessor's name and their
 * own lines, also where a function takes or gives something else than chains do. */
static int own_texts(const char *architecture)
{
#define HEAD "DEVICE struct pair bend(struct pair v, struct pair mirror, struct access_point at)\n"
    static const struct {
        const char *source, *message;
    } texts[] = {
        {HEAD "{ return make_pair(v.re * at.p[0], v.im + (REAL)at.i[1]); }\n", NULL},
        {"#define bend(v, mirror, at) (v)\n", NULL},
        {HEAD "{ return make_pair(v.re * 1'000, v.im); }\n", NULL},
        {"\n\n" HEAD "{ return nowhere; }\n", "access.load[0] bend(4)"},
        {"DEVICE struct pair bend(struct pair v) { return v; }", "access.load[0] bend(2)"},
        {"DEVICE float bend(struct pair v, struct pair mirror, struct access_point at) { return v.re; }",
         "access.load[0] bend(2)"}};
    int failures = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char own[SOURCE_OWN_NAME] = "", key[256];
        size_t size = 0;
        const struct fft_access access = {
            .chains.load = {{.kind = ARGAND_ACCESS_CALL, .source = texts[i].source, .name = "bend"}}};
        if (access_keep_own(own, &access, 1)) return 1;
        snprintf(key, sizeof key,
                 "access_load REAL=float CHAIN_TYPE=3 CHAIN_RANK=2 CHAIN_REALS=0 CHAIN_LINKS=1 "
                 "CHAIN_KIND_0=3 CHAIN_CONJUGATE_0=0 CHAIN_CALL_0=bend OWN=%s",
                 own);
        const argand_status status = compile_key(key, architecture, &size);
        source_own_release(own);
        if (texts[i].message ? status != ARGAND_BUILD || !strstr(argand_message(), texts[i].message)
                             : status != ARGAND_OK) {
            printf("own text %d: %s\n", (int)i, argand_message());
            failures++;
        }
    }
    return failures;
}

int main(int argc, char **argv)
{
    const char *reason;
    const int capability = argc > 1 ? atoi(argv[1]) : 80;
    const bool kinds = argc > 2 && !strcmp(argv[2], "kinds");
    int failures = 0, compiled = 0, asked = 0;
    size_t bytes = 0;
    if (!nvrtc_open(&reason)) {
        printf("skipped: %s\n", reason);
        return 77;
    }
    if (!nvrtc_knows(capability)) {
        printf("skipped: this NVRTC does not know capability %d.%d\n", capability / 10, capability % 10);
        return 77;
    }
    const double start = clock_seconds();
    for (const char *const *key = kernel_keys; *key; key++) {
        size_t size = 0;
        if (!key_is_for(*key, capability) || (kinds && !key_is_first_of_kind(key))) continue;
        if (!in_sample(asked++, 8)) continue;
        if (compile_key(*key, architecture_of(capability, true), &size)) {
            printf("%s\n", argand_message());
            failures++;
        }
        if (size > LIMIT) {
            printf("%s: %zu bytes of machine code, more than %d\n", *key, size, LIMIT);
            failures++;
        }
        bytes += size;
        compiled++;
    }
    /* the fallback for a chip that the compiler does not know */
    size_t size = 0;
    if (compile_key(kernel_keys[0], architecture_of(capability, false), &size)) {
        printf("%s\n", argand_message());
        failures++;
    }
    failures += own_texts(architecture_of(capability, true));
    printf("%d kernels for %s, %zu bytes, %.1f s, %d failed\n", compiled, architecture_of(capability, true),
           bytes, clock_seconds() - start, failures);
    return failures || !compiled;
}
