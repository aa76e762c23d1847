/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of processors, from what Linux's /proc/cpuinfo holds on machines of several kinds. */
#include "harness.h"

#include <stdio.h>
#include <string.h>
#include "base/cpu.h"
#include "base/system/cpu_model.h"

static void expect(bool is_arm, const char *text, const char *wanted)
{
    char name[128] = "unknown", copy[512];
    snprintf(copy, sizeof copy, "%s", text);
    FILE *file = fmemopen(copy, strlen(copy), "r");
    assert_non_null(file);
    const bool found = cpu_model_read(name, sizeof name, file, is_arm);
    fclose(file);
    assert_int_equal(found, strcmp(wanted, "unknown") != 0);
    assert_string_equal(name, wanted);
}

static void names(void **state)
{
    (void)state;
    expect(false, "processor\t: 0\nmodel\t\t: 167\nmodel name\t: AMD EPYC 9654\nflags\t: fpu\n",
           "AMD EPYC 9654");
    expect(true,
           "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\n"
           "CPU part\t: 0xd4f\nCPU revision\t: 0\n",
           "Arm Neoverse V2");
    expect(true, "CPU implementer\t: 0x41\nCPU part\t: 0xd05\n\nCPU implementer\t: 0x41\nCPU part\t: 0xd44\n",
           "Arm Cortex-X1");
    expect(true, "CPU implementer\t: 0x61\nCPU part\t: 0x022\n",
           "Arm processor, implementer 0x61, part 0x22");
    expect(false, "processor\t: 0\nBogoMIPS\t: 50.00\nmodel name\t:\n", "unknown");
    expect(true, "processor\t: 0\nmodel name\t: AMD EPYC 9654\n", "unknown"); /* of an emulator's host */
}

/* The level is that of this processor, and says how wide its vectors are. */
static void level(void **state)
{
    (void)state;
    const char *const name = cpu_level_name(cpu_best());
#ifdef __aarch64__
    assert_string_equal(name, "neon");
    assert_int_equal(cpu_vector_bytes(), 16);
    assert_int_equal(cpu_registers(), 32);
#else
    assert_string_not_equal(name, "neon");
    assert_int_equal(cpu_vector_bytes(), cpu_best() == CPU_AVX512 ? 64 : 32);
    assert_int_equal(cpu_registers(), cpu_best() == CPU_AVX512 ? 32 : 16);
#endif
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(level)};

RUN_TESTS(tests)
