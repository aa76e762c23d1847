/* SPDX-License-Identifier: BSD-3-Clause */
/* Acquisitions grouped into volumes by their counters, and a volume's samples put on the device. */
#include "recon/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

/* The counters that tell volumes apart, slowest first. */
static int compare(const void *left, const void *right)
{
    const argand_acquisition *a = *(const argand_acquisition *const *)left;
    const argand_acquisition *b = *(const argand_acquisition *const *)right;
    const argand_counters *x = &a->counters, *y = &b->counters;
    const int differences[] = {
        x->set - y->set,         x->phase - y->phase,           x->contrast - y->contrast,
        x->average - y->average, x->repetition - y->repetition, x->slice - y->slice};
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
        if (differences[i]) return differences[i];
    return 0;
}

/* Within a volume, acquisitions stay in the file's order: equal counters are told apart by address. */
static int compare_stable(const void *left, const void *right)
{
    const int by_counters = compare(left, right);
    if (by_counters) return by_counters;
    const argand_acquisition *a = *(const argand_acquisition *const *)left;
    const argand_acquisition *b = *(const argand_acquisition *const *)right;
    return (a > b) - (a < b);
}

static recon_volume describe(const argand_acquisition **first, int64_t count)
{
    recon_volume v = {.acquisitions = first, .count = count, .counters = first[0]->counters};
    v.counters.shot = v.counters.partition = v.counters.segment = 0;
    for (int64_t i = 0; i < count; i++) v.samples += first[i]->samples;
    return v;
}

argand_status volumes_find(argand_sense *s)
{
    const argand_scan *scan = s->scan;
    const argand_acquisition **sorted;
    int64_t count = 0;
    TRY(NEW(sorted, scan->acquisition_count));
    for (int64_t i = 0; i < scan->acquisition_count; i++)
        if (scan->acquisitions[i].encoding == s->options.encoding) sorted[count++] = &scan->acquisitions[i];
    if (!count) {
        memory_free(sorted);
        return status_set(ARGAND_FORMAT, "%s: no acquisitions of encoding space %d", scan->path,
                          s->options.encoding);
    }
    if (count < scan->acquisition_count)
        text_add(&s->notes, "%lld acquisitions of other encoding spaces are left out.\n",
                 (long long)(scan->acquisition_count - count));
    qsort(sorted, (size_t)count, sizeof *sorted, compare_stable);
    const argand_status status = NEW(s->volumes, count);
    if (status != ARGAND_OK) {
        memory_free(sorted);
        return status;
    }
    for (int64_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && !compare(&sorted[first], &sorted[next]);) next++;
        s->volumes[s->volume_count++] = describe(sorted + first, next - first);
        if (sorted[first]->counters.slice >= s->slices) s->slices = sorted[first]->counters.slice + 1;
    }
    s->coils = sorted[0]->channels;
    return ARGAND_OK;
}

void volumes_free(argand_sense *s)
{
    if (s->volumes) memory_free(s->volumes[0].acquisitions); /* one array serves all */
    memory_free(s->volumes);
}

static bool is_inside(const argand_sense *s, const argand_acquisition *a, int64_t i)
{
    for (int axis = 0; axis < s->grid.rank; axis++)
        if (s->grid.k_limit[axis] > 0 && fabs(a->k[axis][i] * s->grid.k_scale[axis]) > s->grid.k_limit[axis])
            return false;
    return true;
}

/* Host copies while the samples are gathered: doubles, turned to the session's precision on the way to the
 * device. */
typedef struct gathered {
    double *y, *k[3], *t;
    int64_t count;
} gathered;

static void gathered_free(gathered *g)
{
    for (int axis = 0; axis < 3; axis++) memory_free(g->k[axis]);
    memory_free(g->t);
    memory_free(g->y);
}

static void gather_one(const argand_sense *s, const argand_acquisition *a, int64_t i, int64_t total,
                       gathered *g)
{
    const int64_t j = g->count++;
    for (int axis = 0; axis < 3; axis++)
        g->k[axis][j] = a->k[axis] ? a->k[axis][i] * s->grid.k_scale[axis] : 0;
    g->t[j] = a->t[i];
    for (int coil = 0; coil < s->coils; coil++) {
        const float *from = a->data + 2 * (i + a->samples * coil);
        g->y[2 * (j + total * coil)] = from[0];
        g->y[2 * (j + total * coil) + 1] = from[1];
    }
}

/* Two passes: the coils' stride is the number of samples that stay. */
static argand_status gather(const argand_sense *s, const recon_volume *v, gathered *g)
{
    int64_t total = 0;
    for (int64_t q = 0; q < v->count; q++)
        for (int64_t i = 0; i < v->acquisitions[q]->samples; i++)
            total += is_inside(s, v->acquisitions[q], i);
    CHECK(total > 0, ARGAND_ARGUMENT, "%s: no sample lies within a matrix of %lldx%lldx%lld", s->scan->path,
          (long long)s->grid.n[0], (long long)s->grid.n[1], (long long)s->grid.n[2]);
    for (int axis = 0; axis < 3; axis++) TRY(NEW(g->k[axis], total));
    TRY(NEW(g->t, total));
    TRY(NEW(g->y, 2 * total * s->coils));
    for (int64_t q = 0; q < v->count; q++)
        for (int64_t i = 0; i < v->acquisitions[q]->samples; i++)
            if (is_inside(s, v->acquisitions[q], i)) gather_one(s, v->acquisitions[q], i, total, g);
    return ARGAND_OK;
}

static argand_status to_device(const argand_sense *s, argand_array **out, bool is_complex, int rank,
                               const int64_t *dims, double *numbers)
{
    const bool is_double = s->options.type == ARGAND_C64;
    argand_array *wide = NULL;
    argand_status status;
    int64_t count = is_complex ? 2 : 1;
    for (int axis = 0; axis < rank; axis++) count *= dims[axis];
    if (!is_double) { /* in place: the float written never overtakes the double read */
        float *narrow = (float *)numbers;
        for (int64_t i = 0; i < count; i++) {
            const float value = (float)numbers[i];
            memcpy(narrow + i, &value, sizeof value);
        }
    }
    const argand_type type = is_complex ? s->options.type : is_double ? ARGAND_R64 : ARGAND_R32;
    TRY(argand_array_create(&wide, s->device, type, rank, dims));
    status = argand_array_upload(wide, numbers);
    if (status != ARGAND_OK) {
        argand_array_destroy(wide);
        wide = NULL;
    }
    *out = wide;
    return status;
}

argand_status samples_load(const argand_sense *s, const recon_volume *v, recon_samples *out)
{
    gathered g = {0};
    argand_status status;
    *out = (recon_samples){0};
    TRY_OR_DONE(gather(s, v, &g));
    out->count = g.count;
    out->left_out = v->samples - g.count;
    for (int axis = 0; axis < 3; axis++)
        TRY_OR_DONE(to_device(s, &out->k[axis], false, 1, &g.count, g.k[axis]));
    TRY_OR_DONE(to_device(s, &out->t, false, 1, &g.count, g.t));
    TRY_OR_DONE(to_device(s, &out->y, true, 2, (int64_t[]){g.count, s->coils}, g.y));
done:
    gathered_free(&g);
    if (status != ARGAND_OK) samples_free(out);
    return status;
}

void samples_free(recon_samples *out)
{
    argand_array_destroy(out->y);
    for (int axis = 0; axis < 3; axis++) argand_array_destroy(out->k[axis]);
    argand_array_destroy(out->t);
    *out = (recon_samples){0};
}
