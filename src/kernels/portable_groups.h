/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions behind portable.h's macros on devices: sums, maxima and exchanges among a group's items. */
#ifdef GPU

#if defined(REAL) && !defined(__CUDACC__) && !defined(__HIP__)
#if defined(cl_khr_subgroups) && defined(cl_khr_subgroup_shuffle)
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#define SUBGROUP_XOR(x, mask) \
    if (get_max_sub_group_size() > (uint)(mask)) return sub_group_shuffle_xor(x, (uint)(mask))
#else
#define SUBGROUP_XOR(x, mask) (void)0
#endif

/* Exchanges x by subgroup if these are wide enough for the mask, which only the device knows. */
DEVICE REAL shuffle_xor(REAL x, int mask, LOCAL REAL *scratch)
{
    SUBGROUP_XOR(x, mask);
    scratch[ITEM] = x;
    BARRIER;
    x = scratch[ITEM ^ mask];
    BARRIER;
    return x;
}
#endif

/* Adds halves until one element is left, so that the order depends on ITEMS alone. */
DEVICE ACCUMULATOR group_sum(ACCUMULATOR x, LOCAL ACCUMULATOR *scratch)
{
    scratch[ITEM] = x;
    BARRIER;
    for (int left = ITEMS; left > 1; left = (left + 1) / 2) {
        if (ITEM < left / 2) scratch[ITEM] += scratch[ITEM + (left + 1) / 2];
        BARRIER;
    }
    x = scratch[0];
    BARRIER;
    return x;
}

DEVICE ACCUMULATOR group_max(ACCUMULATOR x, LOCAL ACCUMULATOR *scratch)
{
    scratch[ITEM] = x;
    BARRIER;
    for (int left = ITEMS; left > 1; left = (left + 1) / 2) {
        if (ITEM < left / 2 && scratch[ITEM + (left + 1) / 2] > scratch[ITEM])
            scratch[ITEM] = scratch[ITEM + (left + 1) / 2];
        BARRIER;
    }
    x = scratch[0];
    BARRIER;
    return x;
}

#endif
