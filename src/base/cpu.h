/* SPDX-License-Identifier: BSD-3-Clause */
/* The processor that the program runs on, and the choice among files that were compiled for several (see
 * argand_variants in cmake/Compiler.cmake). */
#ifndef BASE_CPU_H
#define BASE_CPU_H

typedef enum cpu_level { CPU_BASELINE, CPU_AVX2, CPU_AVX512, CPU_LEVELS } cpu_level;

/* The best level that was compiled and that the processor and the operating system support (cpu_is_served
 * says whether there is one); ARGAND_CPU=baseline|avx2|avx512 stands for a processor that has no more. */
cpu_level cpu_best(void);
const char *cpu_level_name(cpu_level level);
const char *cpu_name(void);  /* as its maker calls it */
int cpu_threads(int wanted); /* wanted; 0: OMP_NUM_THREADS, or all that are allowed */

/* Inside a variant file: VARIANT(name) is name_f32_avx2 and so on. */
#ifdef LEVEL
#define VARIANT_PASTE(name, bits, level) name##_f##bits##_##level
#define VARIANT_EXPAND(name, bits, level) VARIANT_PASTE(name, bits, level)
#define VARIANT(name) VARIANT_EXPAND(name, REAL_BITS, LEVEL)

/* Outside. (Variants are compiled anew only where what they see of this file changes.) */
#else
#include <stdbool.h>

bool cpu_has(cpu_level level); /* was compiled */
/* Devices cannot be opened where it is false; then *reason says why and what to do. */
bool cpu_is_served(const char **reason);
/* Processors that this process may use: by its affinity when it was first asked, and by its control group's
 * share of time. */
int cpu_allowed(void);

/* The names of a level's variants: its own, or where it was not compiled (ARGAND_LEVELS in
 * cmake/Compiler.cmake) those of the nearest level, which stand in a table's place and are not called. */
#ifndef ARGAND_WITHOUT_AVX512
#define CPU_WORD_AVX512 avx512
#elif !defined(ARGAND_WITHOUT_AVX2)
#define CPU_WORD_AVX512 avx2
#else
#define CPU_WORD_AVX512 baseline
#endif
#ifndef ARGAND_WITHOUT_AVX2
#define CPU_WORD_AVX2 avx2
#elif !defined(ARGAND_WITHOUT_BASELINE)
#define CPU_WORD_AVX2 baseline
#else
#define CPU_WORD_AVX2 avx512
#endif
#ifndef ARGAND_WITHOUT_BASELINE
#define CPU_WORD_BASELINE baseline
#else
#define CPU_WORD_BASELINE CPU_WORD_AVX2
#endif

/* AT(what, level) for each level, in their order: an initialiser indexed by [cpu_level]. */
#define CPU_EACH(AT, what) CPU_EACH_WORD(AT, what, CPU_WORD_BASELINE, CPU_WORD_AVX2, CPU_WORD_AVX512)
#define CPU_EACH_WORD(...) CPU_EACH_OF(__VA_ARGS__)
#define CPU_EACH_OF(AT, what, first, second, third)        \
    {                                                      \
        AT(what, first), AT(what, second), AT(what, third) \
    }

/* Outside: CPU_VARIANTS(name) is an initialiser indexed by [is_double][cpu_level]. */
#define CPU_NAME_F32(name, level) name##_f32_##level
#define CPU_NAME_F64(name, level) name##_f64_##level
#define CPU_VARIANTS(name)                                         \
    {                                                              \
        CPU_EACH(CPU_NAME_F32, name), CPU_EACH(CPU_NAME_F64, name) \
    }
#endif

/* Both: prototypes of all variants. */
#define CPU_DECLARE(result, name, ...)       \
    result name##_f32_baseline(__VA_ARGS__); \
    result name##_f32_avx2(__VA_ARGS__);     \
    result name##_f32_avx512(__VA_ARGS__);   \
    result name##_f64_baseline(__VA_ARGS__); \
    result name##_f64_avx2(__VA_ARGS__);     \
    result name##_f64_avx512(__VA_ARGS__)

#endif
