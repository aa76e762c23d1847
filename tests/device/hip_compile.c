/* SPDX-License-Identifier: BSD-3-Clause */
/* hip_compile CHIP hiprtc|clang [kinds]: every kernel that a HIP device asks for compiles to machine code
 * for that chip, without one: by hipRTC, or by clang alone with hip_prelude.h in place of what hipRTC
 * defines. From clang's assembly come the registers, those that are spilled, and shared memory. With
 * "kinds" one key of each kernel and precision has to do; in the first tier one in five of these. Skipped
 * where the compiler is not there or does not know the chip. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/files/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/hip/hiprtc.h"
#include "device/source.h"
#include "kernels/texts.h"
#include "kinds.h"
#include "sample.h"

enum { MOST_SHARED = 64 << 10, MOST_REGISTERS = 512, MOST_TEXT = 64 << 20, MOST_KEY = 8192 };

/* What the kernels of a run need at most, and how many spill. */
static struct {
    long registers, shared;
    int spilling;
} most;

static argand_status by_hiprtc(const kernel_source *source, const char *chip)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    TRY(hiprtc_compile(source, chip, &bytes, &size));
    const bool is_code = size > 64 && (!memcmp(bytes, "\177ELF", 4) || !memcmp(bytes, "__CLANG_OFFLOAD", 15));
    memory_free(bytes);
    CHECK(is_code, ARGAND_BUILD, "%s: no machine code", source->key);
    return ARGAND_OK;
}

/* The largest number after a word of the assembly's metadata. */
static long number_after(const char *assembly, const char *word)
{
    long largest = -1;
    for (const char *at = strstr(assembly, word); at; at = strstr(at + 1, word)) {
        const long number = strtol(at + strlen(word), NULL, 10);
        if (number > largest) largest = number;
    }
    return largest;
}

static argand_status judge(const kernel_source *source, const char *assembly)
{
    char entry[96];
    const long registers = number_after(assembly, ".vgpr_count:"),
               spilled = number_after(assembly, ".vgpr_spill_count:"),
               shared = number_after(assembly, ".group_segment_fixed_size:");
    snprintf(entry, sizeof entry, ".name:           %s\n", source->name);
    CHECK(strstr(assembly, entry), ARGAND_BUILD, "%s: no such entry point", source->key);
    CHECK(registers >= 0 && registers <= MOST_REGISTERS && shared >= 0 && shared <= MOST_SHARED, ARGAND_BUILD,
          "%s: %ld registers, %ld bytes of shared memory", source->key, registers, shared);
    if (spilled > 0) printf("%.200s: %ld registers, %ld spilled\n", source->key, registers, spilled);
    most.spilling += spilled > 0;
    if (registers > most.registers) most.registers = registers;
    if (shared > most.shared) most.shared = shared;
    return ARGAND_OK;
}

static const char *clang; /* command of a compiler that knows the chip; NULL: there is none */
static char folder[] = "/tmp/argand-hip-XXXXXX";

static argand_status by_clang(const kernel_source *source, const char *chip)
{
    char path[256], command[1024], *assembly;
    size_t length;
    snprintf(path, sizeof path, "%s/kernel.hip", folder);
    FILE *file = fopen(path, "w");
    CHECK(file, ARGAND_FILE, "%s cannot be written", path);
    fprintf(file, "#include \"%s\"\n%s", HIP_PRELUDE, source->text);
    fclose(file);
    snprintf(command, sizeof command,
             "%s -x hip --cuda-device-only --offload-arch=%s -nogpulib -nogpuinc -std=c++17 -O2 -w "
             "-ffp-contract=fast -S -o %s/kernel.s %s",
             clang, chip, folder, path);
    CHECK(!system(command), ARGAND_BUILD, "%s: %s", source->key, command);
    snprintf(path, sizeof path, "%s/kernel.s", folder);
    TRY(file_read(path, MOST_TEXT, &assembly, &length));
    const argand_status status = judge(source, assembly);
    memory_free(assembly);
    return status;
}

/* Chooses the newest clang that compiles an empty kernel for the chip. */
static bool find_clang(const char *chip)
{
    static const char *const names[] = {"clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang"};
    char command[512];
    for (size_t i = 0; i < sizeof names / sizeof *names && !clang; i++) {
        snprintf(
            command, sizeof command,
            "echo '__attribute__((global)) void f() {}' | %s -x hip --cuda-device-only --offload-arch=%s "
            "-nogpulib -nogpuinc -S -o /dev/null - >/dev/null 2>&1",
            names[i], chip);
        if (!system(command)) clang = names[i];
    }
    return clang && mkdtemp(folder);
}

/* The key as a HIP device has it: it does not add up in the last group (device_traits, orders_atomics). */
static void own_key(const char *key, char *own, size_t size)
{
    snprintf(own, size, "%s", key);
    char *last = strstr(own, " SUM_LAST=1");
    if (last) last[strlen(" SUM_LAST=")] = '0';
}

static argand_status compile_key(const char *asked, const char *chip)
{
    char name[64], key[MOST_KEY];
    own_key(asked, key, sizeof key);
    text source_text = {0};
    const int items = source_items(key) ? source_items(key) : 256;
    argand_status status = ARGAND_OK;
    TRY_OR_DONE(source_name(key, name, sizeof name));
    TRY_OR_DONE(source_assemble(&source_text, key, items));
    const kernel_source source = {.key = key, .name = name, .text = source_text.chars, .items = items};
    TRY_OR_DONE(clang ? by_clang(&source, chip) : by_hiprtc(&source, chip));
done:
    text_free(&source_text);
    return status;
}

static void remove_folder(void)
{
    char path[256];
    snprintf(path, sizeof path, "%s/kernel.hip", folder);
    remove(path);
    snprintf(path, sizeof path, "%s/kernel.s", folder);
    remove(path);
    remove(folder);
}

/* Says why kernels cannot be compiled for the chip; NULL if they can. */
static const char *why_not(const char *chip, const char *compiler)
{
    const char *reason = NULL;
    if (!strcmp(compiler, "hiprtc")) return hiprtc_open(&reason) ? NULL : reason;
    return find_clang(chip)
               ? NULL
               : "no clang compiles HIP for this chip (gfx90a: from 13 on, gfx11: 15, gfx942: 17)";
}

int main(int argc, char **argv)
{
    const char *chip = argc > 1 ? argv[1] : "gfx90a", *compiler = argc > 2 ? argv[2] : "clang";
    const bool kinds = argc > 3 && !strcmp(argv[3], "kinds");
    int failures = 0, compiled = 0, asked = 0;
    const char *reason = why_not(chip, compiler);
    if (reason) {
        printf("skipped: %s\n", reason);
        return 77;
    }
    const double start = clock_seconds();
    for (const char *const *key = kernel_keys; *key; key++) {
        if (!key_is_for(*key, 0) || (kinds && !key_is_first_of_kind(key)) || !in_sample(asked++, 5)) continue;
        if (compile_key(*key, chip)) {
            printf("%s\n", argand_message());
            failures++;
        }
        compiled++;
    }
    if (clang) remove_folder();
    printf("%d kernels for %s by %s, %.1f s, %d failed", compiled, chip, clang ? clang : compiler,
           clock_seconds() - start, failures);
    if (clang)
        printf("; at most %ld registers and %ld bytes of shared memory, %d spill", most.registers,
               most.shared, most.spilling);
    puts("");
    return failures || !compiled;
}
