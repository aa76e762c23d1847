/* SPDX-License-Identifier: BSD-3-Clause */
/* Half spectra of n/2 + 1 elements and packed ones converted to each other: against fft.h's formulas, forward
 * and back, however arrays lie; what is refused. */
#include "fft/plan/half.h"

static void convert_one(const shape *s, argand_type type, int kind)
{
    const int64_t m = s->n[0] / 2;
    argand_array *any = array_of(s, type, m), *packed = laid(s, type, m, kind),
                 *half = laid(s, type, m + 1, (kind + 1) % 3), *again = laid(s, type, m, (kind + 2) % 3);
    randomise(any, 22, 0, 0);
    OK(argand_array_copy(packed, any));
    OK(argand_fft_half_unpack(half, packed, s->rank));
    double *before = as_doubles(any), *wanted = unpack_here(before, s, type);
    check_same(half, wanted, "unpacked", s);
    OK(argand_fft_half_pack(again, half, s->rank));
    double *numbers = as_doubles(half), *repacked = pack_here(numbers, s, type);
    check_same(again, repacked, "packed", s);
    if (s->rank == 1)
        check_same(again, before, "there and back", s);
    else {
        exact *first = exact_of(any);
        CHECK_BELOW(distance(again, first, 1), type == ARGAND_C64 ? 2.3e-16 : 1.2e-7);
        free(first);
    }
    free(repacked);
    free(numbers);

    /* numbers that are no spectrum of reals: what would be real is taken so */
    argand_array *all = array_of(s, type, m + 1);
    randomise(all, 24, 0, 0);
    OK(argand_array_copy(half, all));
    OK(argand_fft_half_pack(again, half, s->rank));
    numbers = as_doubles(all);
    repacked = pack_here(numbers, s, type);
    check_same(again, repacked, "numbers of any kind packed", s);
    argand_array_destroy(all);
    free(repacked);
    free(numbers);
    free(wanted);
    free(before);
    argand_array_destroy(again);
    argand_array_destroy(half);
    argand_array_destroy(packed);
    argand_array_destroy(any);
}

static void conversions(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (int kind = 0; kind < 3; kind++)
            convert_one(&shapes[i], (i + kind) & 1 ? ARGAND_C64 : ARGAND_C32, kind);
}

/* Numbers so large that the sum of two is infinite, and so small that half of one is 0, in one dimension. */
static void conversions_of_extremes(void **state)
{
    const shape s = {1, {4}, 3};
    const float numbers[12] = {3e38F, -3e38F, 1, 2, 1.4e-45F, 1.4e-45F, 0, 0, INFINITY, 1, INFINITY, 2};
    (void)state;
    argand_array *packed = array_of(&s, ARGAND_C32, 2), *half = array_of(&s, ARGAND_C32, 3),
                 *again = array_of(&s, ARGAND_C32, 2);
    float after[12];
    OK(argand_array_upload(packed, numbers));
    OK(argand_fft_half_unpack(half, packed, 1));
    OK(argand_fft_half_pack(again, half, 1));
    OK(argand_array_download(again, after));
    assert_memory_equal(after, numbers, sizeof numbers);
    argand_array_destroy(again);
    argand_array_destroy(half);
    argand_array_destroy(packed);
}

static void refused(void **state)
{
    (void)state;
    const shape s = {2, {8, 3}, 2};
    argand_array *x = array_of(&s, ARGAND_R32, 8), *packed = array_of(&s, ARGAND_C32, 4),
                 *half = array_of(&s, ARGAND_C32, 5), *wide = array_of(&s, ARGAND_C64, 4),
                 *wide_half = array_of(&s, ARGAND_C64, 5),
                 *other = new_array(ARGAND_C32, 3, (int64_t[]){5, 3, 1}), *part, *repeated;
    FAILS(argand_fft_half_pack(NULL, half, 2), ARGAND_ARGUMENT, "argand_fft_half_pack: no output array");
    FAILS(argand_fft_half_unpack(half, NULL, 2), ARGAND_ARGUMENT, "argand_fft_half_unpack: no input array");
    FAILS(argand_fft_half_pack(half, packed, 2), ARGAND_ARGUMENT, "dimension 0 has 4 and 5 elements");
    FAILS(argand_fft_half_unpack(packed, half, 2), ARGAND_ARGUMENT, "dimension 0 has 4 and 5 elements");
    FAILS(argand_fft_half_pack(packed, other, 2), ARGAND_ARGUMENT, "dimension 2 is 1 in one array and 2");
    FAILS(argand_fft_half_pack(packed, wide_half, 2), ARGAND_ARGUMENT, "one precision");
    FAILS(argand_fft_half_pack(wide, half, 2), ARGAND_ARGUMENT, "one precision");
    FAILS(argand_fft_half_pack(packed, x, 2), ARGAND_ARGUMENT, "must be complex");
    FAILS(argand_fft_half_pack(packed, half, 0), ARGAND_ARGUMENT, "rank 0; 1 to 8");
    FAILS(argand_fft_half_unpack(half, packed, 9), ARGAND_ARGUMENT, "rank 9; 1 to 8");
    OK(argand_array_part(&part, half, 0, 1, 4));
    FAILS(argand_fft_half_pack(part, half, 2), ARGAND_ARGUMENT, "share memory");
    argand_array_destroy(part);
    /* one piece of memory, disjoint and one element too near, at either end */
    for (int before = 0; before < 2; before++)
        for (int gap = 0; gap < 2; gap++) {
            argand_array *all = new_array(ARGAND_C32, 1, (int64_t[]){54}), *there;
            OK(argand_array_view(&part, all, 3, (int64_t[]){4, 3, 2}, (int64_t[]){1, 4, 12},
                                 before ? 0 : 29 + gap));
            OK(argand_array_view(&there, all, 3, (int64_t[]){5, 3, 2}, (int64_t[]){1, 5, 15},
                                 before ? 23 + gap : 0));
            if (gap)
                OK(argand_fft_half_unpack(there, part, 2));
            else
                FAILS(argand_fft_half_unpack(there, part, 2), ARGAND_ARGUMENT, "share memory");
            argand_array_destroy(there);
            argand_array_destroy(all);
            argand_array_destroy(part);
        }
    OK(argand_array_view(&repeated, half, 3, (int64_t[]){5, 3, 2}, (int64_t[]){1, 5, 0}, 0));
    FAILS(argand_fft_half_unpack(repeated, packed, 2), ARGAND_ARGUMENT,
          "two output elements share one address");
    argand_array_destroy(repeated);
    argand_array_destroy(other);
    argand_array_destroy(wide_half);
    argand_array_destroy(wide);
    argand_array_destroy(half);
    argand_array_destroy(packed);
    argand_array_destroy(x);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(conversions),
    cmocka_unit_test(conversions_of_extremes),
    cmocka_unit_test(refused),
};
RUN_TESTS(tests)
