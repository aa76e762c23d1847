/* SPDX-License-Identifier: BSD-3-Clause */
/* Which axis of an array file is what: by --axes, or recognised from the trajectory's shape. Here as
 * everywhere the first dimension is the fastest; a .npy's own order is the other way round. */
#include "pack/pack.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[AXIS_KINDS] = {
    "1", "k", "sample", "shot", "partition", "coil", "slice", "repetition", "contrast", "average", "set"};

static bool is_npy(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && !strcmp(path + length - 4, ".npy");
}

static argand_status download_floats(pack_array *a, const argand_array *from, argand_device *device)
{
    const int64_t count = argand_array_count(from) * (a->is_complex ? 2 : 1);
    argand_array *floats = NULL;
    a->numbers = malloc((size_t)count * sizeof *a->numbers);
    if (!a->numbers)
        return report_error(ARGAND_MEMORY, "%s %s: no memory for %lld numbers", a->named, a->path,
                            (long long)count);
    argand_status status =
        argand_array_create(&floats, device, a->is_complex ? ARGAND_C32 : ARGAND_R32, a->rank, a->dims);
    if (!status) status = argand_array_copy(floats, from);
    if (!status) status = argand_array_download(floats, a->numbers);
    argand_array_destroy(floats);
    return status;
}

static argand_status check_finite(const pack_array *a)
{
    int64_t count = a->is_complex ? 2 : 1;
    for (int i = 0; i < a->rank; i++) count *= a->dims[i];
    for (int64_t i = 0; i < count; i++)
        if (!(a->numbers[i] - a->numbers[i] == 0))
            return report_error(ARGAND_FORMAT, "%s %s: element %lld of memory is not finite", a->named,
                                a->path, (long long)(i / (a->is_complex ? 2 : 1)));
    return ARGAND_OK;
}

argand_status pack_array_read(pack_array *a, const char *named, const char *path, argand_device *device)
{
    argand_array *array;
    *a = (pack_array){.named = named, .path = path};
    const argand_status found = argand_array_read(&array, path, device);
    if (found) return report_error(found, "%s %s", named, argand_message());
    const argand_type type = argand_array_type(array);
    a->is_complex = type == ARGAND_C32 || type == ARGAND_C64;
    a->rank = argand_array_rank(array);
    for (int i = 0; i < a->rank; i++) a->dims[i] = argand_array_dim(array, i);
    argand_status status = download_floats(a, array, device);
    argand_array_destroy(array);
    return status ? status : check_finite(a);
}

void pack_array_free(pack_array *a)
{
    free(a->numbers);
    *a = (pack_array){0};
}

/* (8, 16, 512) as NumPy prints it, {1, 512, 16, 8} as BART does. */
static const char *shape_text(char *text, size_t size, const pack_array *a)
{
    const bool npy = is_npy(a->path);
    size_t used = (size_t)snprintf(text, size, "%c", npy ? '(' : '{');
    for (int i = 0; i < a->rank && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%lld", i ? ", " : "",
                                 (long long)a->dims[npy ? a->rank - 1 - i : i]);
    if (used < size) snprintf(text + used, size - used, "%c", npy ? ')' : '}');
    return text;
}

const char *pack_axes_text(char *text, size_t size, const pack_array *a)
{
    const bool npy = is_npy(a->path);
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < a->rank && used < size; i++) {
        const int axis = npy ? a->rank - 1 - i : i;
        if (a->kinds[axis] != AXIS_ONE)
            used += (size_t)snprintf(text + used, size - used, "%s%s %lld", used ? ", " : "",
                                     names[a->kinds[axis]], (long long)a->dims[axis]);
    }
    return text;
}

const char *pack_axes_list(char *text, size_t size, const pack_array *a)
{
    const bool npy = is_npy(a->path);
    size_t used = 0;
    for (int i = 0; i < a->rank && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? "," : "",
                                 names[a->kinds[npy ? a->rank - 1 - i : i]]);
    return text;
}

argand_status pack_axis_set(pack_array *a, int axis, pack_axis kind)
{
    a->kinds[axis] = kind;
    if (kind == AXIS_ONE) return ARGAND_OK;
    if (a->length[kind])
        return report_error(ARGAND_ARGUMENT, "%s %s: two of its axes are called %s", a->named, a->path,
                            names[kind]);
    int64_t stride = 1;
    for (int i = 0; i < axis; i++) stride *= a->dims[i];
    a->length[kind] = a->dims[axis];
    a->stride[kind] = stride;
    return ARGAND_OK;
}

static void finish(pack_array *a)
{
    for (int kind = 0; kind < AXIS_KINDS; kind++)
        if (!a->length[kind]) a->length[kind] = 1;
}

/* ---- by a list */

static int kind_of(const char *word, size_t length)
{
    for (int kind = 0; kind < AXIS_KINDS; kind++)
        if (strlen(names[kind]) == length && !strncmp(names[kind], word, length)) return kind;
    return -1;
}

static argand_status read_list(pack_array *a, const char *named, const char *list)
{
    const bool npy = is_npy(a->path);
    int count = 0;
    for (const char *at = list; *at || count == 0;) {
        const size_t length = strcspn(at, ",");
        const int kind = kind_of(at, length), axis = npy ? a->rank - 1 - count : count;
        if (kind < 0)
            return report_error(ARGAND_ARGUMENT,
                                "%s %s: \"%.*s\" is no axis; known are 1, k, sample, shot, partition, coil, "
                                "slice, repetition, contrast, average, set",
                                named, list, (int)length, at);
        if (++count > a->rank) break;
        if (kind == AXIS_ONE && a->dims[axis] != 1)
            return report_error(ARGAND_ARGUMENT, "%s %s: axis %d of %s has %lld elements, not 1", named, list,
                                count - 1, a->path, (long long)a->dims[axis]);
        TRY(pack_axis_set(a, axis, (pack_axis)kind));
        at += length + (at[length] == ',');
    }
    char shape[256];
    if (count == a->rank) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT, "%s %s: give one word for each of the %d axes of %s, %s", named,
                        list, a->rank, a->path, shape_text(shape, sizeof shape, a));
}

/* ---- recognised */

/* Behind the coils: repetitions; what else there may be has to be named. */
argand_status pack_axes_rest(pack_array *a, int from)
{
    char shape[256];
    bool repetitions = false;
    for (int i = from; i < a->rank; i++) {
        if (a->dims[i] == 1) continue;
        if (repetitions)
            return report_error(ARGAND_ARGUMENT,
                                "%s %s: of its axes %s two are left over besides samples and coils: name all "
                                "of them (--axes)",
                                a->named, a->path, shape_text(shape, sizeof shape, a));
        TRY(pack_axis_set(a, i, AXIS_REPETITION));
        repetitions = true;
    }
    return ARGAND_OK;
}

static argand_status mismatch(const pack_array *kspace, const pack_array *trajectory)
{
    char its[256], points[256];
    return report_error(
        ARGAND_ARGUMENT,
        "--kspace %s %s does not go with --trajectory %s %s: k-space begins with the trajectory's samples "
        "and shots, then coils ([coil, shot, sample] of NumPy); --axes and --trajectory-axes name others",
        kspace->path, shape_text(its, sizeof its, kspace), trajectory->path,
        shape_text(points, sizeof points, trajectory));
}

/* The axis of kx, ky[, kz]: the first in memory, else the last. */
static int find_k(const pack_array *t)
{
    const int last = t->rank - 1;
    if (t->dims[0] == 2 || t->dims[0] == 3) return 0;
    return t->rank > 1 && (t->dims[last] == 2 || t->dims[last] == 3) ? last : -1;
}

/* Samples, shots and partitions stand in both in this order; what follows in the trajectory belongs to axes
 * behind the coils. */
static argand_status recognise_points(pack_array *kspace, pack_array *t)
{
    static const pack_axis order[] = {AXIS_SAMPLE, AXIS_SHOT, AXIS_PARTITION};
    int at = 0, points[ARGAND_MAX_RANK], count = 0, all, same = 0;
    const int k = find_k(t);
    if (k < 0) return mismatch(kspace, t);
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

/* ---- both */

static argand_status check_lengths(const pack_array *kspace, const pack_array *t)
{
    for (int kind = AXIS_SAMPLE; kind < AXIS_KINDS; kind++) {
        const bool must = kind == AXIS_SAMPLE || kind == AXIS_SHOT || kind == AXIS_PARTITION;
        if (kind == AXIS_COIL && t->length[kind] > 1)
            return report_error(ARGAND_ARGUMENT,
                                "%s %s: all coils have the same positions: no axis of it is "
                                "coil",
                                t->named, t->path);
        if (t->length[kind] == kspace->length[kind] || (!must && t->length[kind] == 1)) continue;
        return report_error(ARGAND_ARGUMENT, "%s %s has %lld of axis %s, --kspace %s has %lld", t->named,
                            t->path, (long long)t->length[kind], names[kind], kspace->path,
                            (long long)kspace->length[kind]);
    }
    return ARGAND_OK;
}

argand_status pack_axes_find(pack_array *kspace, pack_array *trajectory, const pack_settings *s)
{
    if (s->trajectory_axes && !s->axes)
        return report_error(ARGAND_ARGUMENT, "--trajectory-axes: name the axes of --kspace (--axes), too");
    if (s->axes) TRY(read_list(kspace, "--axes", s->axes));
    if (s->axes && trajectory && !s->trajectory_axes)
        return report_error(ARGAND_ARGUMENT, "--axes: name those of --trajectory (--trajectory-axes), too");
    if (trajectory && s->trajectory_axes)
        TRY(read_list(trajectory, "--trajectory-axes", s->trajectory_axes));
    else if (trajectory)
        TRY(recognise_points(kspace, trajectory));
    else if (!s->axes)
        TRY(pack_grid_axes(kspace));
    finish(kspace);
    if (!trajectory) return ARGAND_OK;
    finish(trajectory);
    if (trajectory->length[AXIS_K] != 2 && trajectory->length[AXIS_K] != 3)
        return report_error(ARGAND_ARGUMENT, "--trajectory %s: has no axis k of 2 or 3", trajectory->path);
    return check_lengths(kspace, trajectory);
}
