/* SPDX-License-Identifier: BSD-3-Clause */
/* The processor that the program runs on, and the choice among compiled variants of a file
 * (argand_variants in cmake/Compiler.cmake). */
#ifndef BASE_CPU_H
#define BASE_CPU_H

typedef enum cpu_level { CPU_BASELINE, CPU_AVX2, CPU_AVX512, CPU_LEVELS } cpu_level;

/* Returns the best level that was compiled and that processor and operating system support (cpu_is_served:
 * whether there is one). ARGAND_CPU=baseline|avx2|avx512 limits the level. */
cpu_level cpu_best(void);
const char *cpu_level_name(cpu_level level);
const char *cpu_name(void);  /* product name */
int cpu_threads(int wanted); /* wanted > 0: that number; 0: OMP_NUM_THREADS, or all allowed processors */

/* Inside a file that is compiled in variants, VARIANT(name) is name_f32_avx2 and so on. */
#ifdef LEVEL
#define VARIANT_PASTE(name, bits, level) name##_f##bits##_##level
#define VARIANT_EXPAND(name, bits, level) VARIANT_PASTE(name, bits, level)
#define VARIANT(name) VARIANT_EXPAND(name, REAL_BITS, LEVEL)

/* In other files. (A variant is recompiled only if its view of this file changes.) */
#else
#include <stdbool.h>

bool cpu_has(cpu_level level); /* true if the level was compiled */
/* Of the best level: bytes of a vector of base/simd.h, and registers of that width. aarch64 has one level,
 * CPU_BASELINE, whose name is neon. */
int cpu_vector_bytes(void);
int cpu_registers(void);
/* Returns false if no compiled level fits this processor; devices then cannot be opened, and *reason has
 * the reason and the remedy. */
bool cpu_is_served(const char **reason);
/* Returns the number of processors that this process may use: by its affinity at the first call, and by
 * the CPU time of its control group. */
int cpu_allowed(void);

/* The names of a level's variants. If a level was not compiled (ARGAND_LEVELS in cmake/Compiler.cmake),
 * the names of the nearest level fill its entries in tables; they are not called. */
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

/* AT(what, level) for each level in order: an initialiser indexed by [cpu_level]. */
#define CPU_EACH(AT, what) CPU_EACH_WORD(AT, what, CPU_WORD_BASELINE, CPU_WORD_AVX2, CPU_WORD_AVX512)
#define CPU_EACH_WORD(...) CPU_EACH_OF(__VA_ARGS__)
#define CPU_EACH_OF(AT, what, first, second, third)        \
    {                                                      \
        AT(what, first), AT(what, second), AT(what, third) \
    }

/* In other files CPU_VARIANTS(name) is an initialiser indexed by [is_double][cpu_level]. */
#define CPU_NAME_F32(name, level) name##_f32_##level
#define CPU_NAME_F64(name, level) name##_f64_##level
#define CPU_VARIANTS(name)                                         \
    {                                                              \
        CPU_EACH(CPU_NAME_F32, name), CPU_EACH(CPU_NAME_F64, name) \
    }
#endif

/* In both: prototypes of all variants. */
#define CPU_DECLARE(result, name, ...)       \
    result name##_f32_baseline(__VA_ARGS__); \
    result name##_f32_avx2(__VA_ARGS__);     \
    result name##_f32_avx512(__VA_ARGS__);   \
    result name##_f64_baseline(__VA_ARGS__); \
    result name##_f64_avx2(__VA_ARGS__);     \
    result name##_f64_avx512(__VA_ARGS__)

#endif
