/* SPDX-License-Identifier: BSD-3-Clause */
/* The processor that the program runs on, and the choice among files that were compiled for several (see
 * argand_variants in cmake/Compiler.cmake). */
#ifndef BASE_CPU_H
#define BASE_CPU_H

typedef enum cpu_level { CPU_BASELINE, CPU_AVX2, CPU_AVX512, CPU_LEVELS } cpu_level;

/* The best level that the processor and the operating system support; ARGAND_CPU=baseline|avx2|avx512 lowers
 * it. */
cpu_level cpu_best(void);
const char *cpu_level_name(cpu_level level);
const char *cpu_name(void);  /* as its maker calls it */
int cpu_threads(int wanted); /* wanted, or all that OpenMP offers where it is 0 */

/* Inside a variant file: VARIANT(name) is name_f32_avx2 and so on. */
#ifdef LEVEL
#define VARIANT_PASTE(name, bits, level) name##_f##bits##_##level
#define VARIANT_EXPAND(name, bits, level) VARIANT_PASTE(name, bits, level)
#define VARIANT(name) VARIANT_EXPAND(name, REAL_BITS, LEVEL)
#endif

/* Outside: CPU_VARIANTS(name) is an initialiser indexed by [is_double][cpu_level]. */
#if defined(__x86_64__)
#define CPU_VARIANTS(name)                                          \
    {                                                               \
        {name##_f32_baseline, name##_f32_avx2, name##_f32_avx512},  \
        {                                                           \
            name##_f64_baseline, name##_f64_avx2, name##_f64_avx512 \
        }                                                           \
    }
#define CPU_DECLARE(result, name, ...)       \
    result name##_f32_baseline(__VA_ARGS__); \
    result name##_f32_avx2(__VA_ARGS__);     \
    result name##_f32_avx512(__VA_ARGS__);   \
    result name##_f64_baseline(__VA_ARGS__); \
    result name##_f64_avx2(__VA_ARGS__);     \
    result name##_f64_avx512(__VA_ARGS__)
#else
#define CPU_VARIANTS(name)                                                \
    {                                                                     \
        {name##_f32_baseline, name##_f32_baseline, name##_f32_baseline},  \
        {                                                                 \
            name##_f64_baseline, name##_f64_baseline, name##_f64_baseline \
        }                                                                 \
    }
#define CPU_DECLARE(result, name, ...)       \
    result name##_f32_baseline(__VA_ARGS__); \
    result name##_f64_baseline(__VA_ARGS__)
#endif

#endif
