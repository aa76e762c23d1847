/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what each axis of an array means: from a list, or from the trajectory's shape. The first dimension
 * is the fastest, as everywhere in Argand; NumPy's order is reversed. */
#include <string.h>
#include "io/pack/pack.h"

static void finish(pack_array *a)
{
    for (int kind = 0; kind < AXIS_KINDS; kind++)
        if (!a->length[kind]) a->length[kind] = 1;
}

/* ---- from a list */

static int kind_of(const char *word, size_t length)
{
    for (int kind = 0; kind < AXIS_KINDS; kind++)
        if (strlen(pack_axis_names[kind]) == length && !strncmp(pack_axis_names[kind], word, length))
            return kind;
    return -1;
}

static argand_status read_list(pack_array *a, const char *named, const char *list)
{
    const bool npy = a->slowest_first;
    int count = 0;
    for (const char *at = list; *at || count == 0;) {
        const size_t length = strcspn(at, ",");
        const int kind = kind_of(at, length), axis = npy ? a->rank - 1 - count : count;
        if (kind < 0)
            return status_set(ARGAND_ARGUMENT,
                              "%s %s: \"%.*s\" is no axis; known are 1, k, sample, shot, partition, coil, "
                              "slice, repetition, contrast, average, set",
                              named, list, (int)length, at);
        if (++count > a->rank) break;
        if (kind == AXIS_ONE && a->dims[axis] != 1)
            return status_set(ARGAND_ARGUMENT, "%s %s: axis %d of %s has %lld elements, not 1", named, list,
                              count - 1, a->name, (long long)a->dims[axis]);
        TRY(pack_axis_set(a, axis, (pack_axis)kind));
        at += length + (at[length] == ',');
    }
    char shape[256];
    if (count == a->rank) return ARGAND_OK;
    return status_set(ARGAND_ARGUMENT, "%s %s: give one word for each of the %d axes of %s, %s", named, list,
                      a->rank, a->name, pack_shape_text(shape, sizeof shape, a));
}

/* ---- from the trajectory's shape */

static argand_status mismatch(const pack_array *kspace, const pack_array *trajectory)
{
    char its[256], points[256];
    return status_set(
        ARGAND_ARGUMENT,
        "%s %s does not go with %s %s: k-space begins with the trajectory's samples "
        "and shots, then coils ([coil, shot, sample] of NumPy); --axes and --trajectory-axes name others",
        kspace->title, pack_shape_text(its, sizeof its, kspace), trajectory->title,
        pack_shape_text(points, sizeof points, trajectory));
}

/* Returns the axis of kx, ky[, kz]: the first in memory, else the last; -1 if neither has length 2 or 3. */
static int find_k(const pack_array *t)
{
    const int last = t->rank - 1;
    if (t->dims[0] == 2 || t->dims[0] == 3) return 0;
    return t->rank > 1 && (t->dims[last] == 2 || t->dims[last] == 3) ? last : -1;
}

/* Matches samples, shots and partitions, which come first and in this order in both arrays. Further axes
 * of the trajectory match k-space's axes after the coils. */
static argand_status recognise_points(pack_array *kspace, pack_array *t)
{
    static const pack_axis order[] = {AXIS_SAMPLE, AXIS_SHOT, AXIS_PARTITION};
    int at = 0, points[ARGAND_MAX_RANK], count = 0, all, same = 0;
    const int k = find_k(t);
    if (k < 0 || t->rank < 2) return mismatch(kspace, t);
    TRY(pack_axis_set(t, k, AXIS_K));
    for (int i = 0; i < t->rank; i++)
        if (i != k) points[count++] = i;
    for (all = count; count > 1 && t->dims[points[count - 1]] == 1;) count--;
    if (kspace->dims[0] == 1 && t->dims[points[0]] != 1) at++;
    for (; same < 3 && same < all && at < kspace->rank && kspace->dims[at] == t->dims[points[same]]; same++) {
        TRY(pack_axis_set(kspace, at++, order[same]));
        TRY(pack_axis_set(t, points[same], order[same]));
    }
    if (!same || (same == 1 && count > 1)) return mismatch(kspace, t);
    if (same == 1 && at + 1 < kspace->rank && kspace->dims[at] == 1) at++; /* one shot, [coil, 1, sample] */
    if (at < kspace->rank) TRY(pack_axis_set(kspace, at++, AXIS_COIL));
    TRY(pack_axes_rest(kspace, at));
    for (int i = same; i < count; i++) {
        if (t->dims[points[i]] == 1) continue;
        if (t->dims[points[i]] != kspace->length[AXIS_REPETITION]) return mismatch(kspace, t);
        TRY(pack_axis_set(t, points[i], AXIS_REPETITION));
    }
    return ARGAND_OK;
}

/* ---- checks of both arrays */

static argand_status check_lengths(const pack_array *kspace, const pack_array *t)
{
    for (int kind = AXIS_SAMPLE; kind < AXIS_KINDS; kind++) {
        const bool must = kind == AXIS_SAMPLE || kind == AXIS_SHOT || kind == AXIS_PARTITION;
        if (kind == AXIS_COIL && t->length[kind] > 1)
            return status_set(ARGAND_ARGUMENT,
                              "%s: all coils have the same positions: no axis of it is "
                              "coil",
                              t->title);
        if (t->length[kind] == kspace->length[kind] || (!must && t->length[kind] == 1)) continue;
        return status_set(ARGAND_ARGUMENT, "%s has %lld of axis %s, %s has %lld", t->title,
                          (long long)t->length[kind], pack_axis_names[kind], kspace->title,
                          (long long)kspace->length[kind]);
    }
    return ARGAND_OK;
}

argand_status pack_axes_find(pack_array *kspace, pack_array *trajectory)
{
    const char *its = trajectory ? trajectory->axes : NULL;
    CHECK(!its || kspace->axes, ARGAND_ARGUMENT,
          "--trajectory-axes: name the axes of --kspace (--axes), too");
    if (kspace->axes) TRY(read_list(kspace, "--axes", kspace->axes));
    CHECK(!kspace->axes || !trajectory || its, ARGAND_ARGUMENT,
          "--axes: name those of --trajectory (--trajectory-axes), too");
    if (its)
        TRY(read_list(trajectory, "--trajectory-axes", its));
    else if (trajectory)
        TRY(recognise_points(kspace, trajectory));
    else if (!kspace->axes)
        TRY(pack_grid_axes(kspace));
    finish(kspace);
    if (!trajectory) return ARGAND_OK;
    finish(trajectory);
    CHECK(trajectory->length[AXIS_K] == 2 || trajectory->length[AXIS_K] == 3, ARGAND_ARGUMENT,
          "%s: has no axis k of 2 or 3", trajectory->title);
    return check_lengths(kspace, trajectory);
}
