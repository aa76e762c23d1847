/* SPDX-License-Identifier: BSD-3-Clause */
/* Loaded before cmocka, it lets a test go on after what failed: for tools/kernel_keys.py, which runs tests
 * where nothing is computed, to see which kernels they ask for. What these functions take is not read. */
#define EXPORT __attribute__((visibility("default")))
/* clang-format off */
#define GOES_ON(name) EXPORT void name(void); void name(void) {}
/* clang-format on */

GOES_ON(_fail)
GOES_ON(_assert_true)
GOES_ON(_assert_int_equal)
GOES_ON(_assert_int_not_equal)
GOES_ON(_assert_float_equal)
GOES_ON(_assert_string_equal)
GOES_ON(_assert_memory_equal)
GOES_ON(_assert_memory_not_equal)
GOES_ON(_assert_in_range)
