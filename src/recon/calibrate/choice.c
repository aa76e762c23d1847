/* SPDX-License-Identifier: BSD-3-Clause */
/* Judges coil maps by the samples: where to crop ESPIRiT's maps, and which algorithm gives the best maps. */
#include "recon/calibrate/choice.h"

#include <math.h>
#include <stdio.h>
#include "base/memory.h"

/* Iterations of a trial. FEW show if pixels outside the object explain samples. MANY are needed to compare
 * maps by how well they unalias the image. */
enum { FEW = 5, MANY = 15 };

bool choice_is_possible(const argand_sense *s, const calibration *c)
{
    return !c->from.phases && !c->image.phases && s->options.sets < 2 && c->image.data->shot_count < 2;
}

bool choice_may_be_joint(const argand_sense *s)
{
    return s->options.sets < 2 && s->options.method == ARGAND_METHOD_SOLVE &&
           s->options.phases != ARGAND_PHASES_SHOTS && !s->options.joint && !s->basis && s->bands < 2 &&
           joint_is_quick(s);
}

/* ---- the crop */

static const double USUAL = 0.8; /* BART's default */

/* A crop that removes more than this part of the image's energy removes a part of the object. Blurred
 * edges and streaks outside of the object have less. */
static const double OBJECT = 0.01;

/* Part of the data from which a residual beyond noise harms the image. */
static const double EXPLAINED = 0.03;

/* Computes the part of the image's energy at pixels that the usual crop removes, without the energy of
 * noise once it is known. */
static argand_status lost_by_crop(const recon_verdict *v, const argand_array *values, double *lost)
{
    const int64_t pixels = argand_array_count(values);
    double *value = NULL, gone = 0, all = 0;
    TRY(numbers_of_array(values, &value));
    for (int64_t i = 0; i < pixels; i++) {
        const double *x = v->image + 2 * i, *n = v->moved ? v->moved + 2 * i : NULL;
        const double energy = x[0] * x[0] + x[1] * x[1];
        all += energy;
        if (value[i] > USUAL) continue;
        gone += energy - (n ? v->variance * (n[0] * n[0] + n[1] * n[1]) : 0);
    }
    *lost = all > 0 ? fmax(gone, 0) / all : 0;
    memory_free(value);
    return ARGAND_OK;
}

/* Sets *better to true if the samples favour uncropped maps. Without a crop, the image explains more of
 * the samples but also follows more of their noise. The test needs a fully sampled k-space: otherwise
 * pixels outside the object make the object itself worse, which the residual does not show. */
static argand_status is_better_uncut(const recon_trial *t, const argand_array *uncut, const argand_array *cut,
                                     bool *better)
{
    recon_verdict v[2] = {{.left = 0}, {.left = 0}};
    argand_status status;
    TRY_OR_DONE(trial_run(t, uncut, &v[0]));
    TRY_OR_DONE(trial_noise(t, uncut, &v[0]));
    TRY_OR_DONE(trial_run(t, cut, &v[1]));
    TRY_OR_DONE(trial_noise(t, cut, &v[1]));
    const double variance = fmin(v[0].variance, v[1].variance);
    *better = verdict_risk(&v[0], variance) < verdict_risk(&v[1], variance);
done:
    for (int i = 0; i < 2; i++) verdict_free(&v[i]);
    return status;
}

argand_status choice_cut(argand_sense *s, calibration *c)
{
    recon_trial t = {.s = s};
    double inside;
    bool uncut = false;
    argand_status status;
    TRY_OR_DONE(espirit_cut(s, c->maps, c->values, USUAL, &c->cut, &inside));
    if (s->cartesian && c->block.all >= 1) {
        TRY_OR_DONE(trial_open(&t, s, &c->image, FEW));
        TRY_OR_DONE(is_better_uncut(&t, c->maps, c->cut, &uncut));
    }
    if (!uncut) c->report.inside = inside;
    if (uncut) {
        argand_array_destroy(c->cut);
        c->cut = NULL;
    }
done:
    trial_close(&t);
    return status;
}

argand_status choice_doubts(argand_sense *s, const calibration *c, double *excess)
{
    recon_trial t;
    recon_verdict v = {.left = 0};
    argand_status status;
    TRY_OR_DONE(trial_open(&t, s, &c->image, FEW));
    TRY_OR_DONE(trial_run(&t, c->cut ? c->cut : c->maps, &v));
    *excess = sqrt(verdict_excess(&t, &v));
    *excess = *excess > EXPLAINED ? *excess : 0;
done:
    verdict_free(&v);
    trial_close(&t);
    return status;
}

/* ---- the algorithm */

enum { ESPIRIT, UNCUT, ADAPTIVE, JOINT, WAYS };

typedef struct candidate {
    argand_array *maps; /* NULL: not tried */
    int64_t cells[3];   /* of joint maps */
    recon_verdict verdict;
} candidate;

static const char *const names[WAYS] = {"ESPIRiT", "ESPIRiT without a crop", "adaptive combination",
                                        "nonlinear inversion"};

static int best_of(const candidate *all)
{
    double variance = INFINITY;
    int best = -1;
    for (int i = 0; i < WAYS; i++)
        if (all[i].maps) variance = fmin(variance, all[i].verdict.variance);
    for (int i = 0; i < WAYS; i++) {
        if (!all[i].maps) continue;
        if (best < 0 || verdict_risk(&all[i].verdict, variance) < verdict_risk(&all[best].verdict, variance))
            best = i;
    }
    return best;
}

static void note_choice(argand_sense *s, const candidate *all, int best, const char *why)
{
    char list[240] = "";
    size_t used = 0;
    for (int i = 0; i < WAYS; i++)
        if (all[i].maps)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%.3g %% by %s", used ? ", " : "",
                                     100 * all[i].verdict.left, names[i]);
    if (best == JOINT) joint_note(s, all[JOINT].cells);
    note_once(s,
              "Coil maps by %s: %s, so several algorithms were tried. Data that each leaves unexplained: %s.",
              names[best], why, list);
    if (!all[JOINT].maps)
        note_once(s, "The image may be aliased; give coil maps if there are any, or let argand sense --coils "
                     "joint estimate them together with an image.");
}

/* Crops joint maps, which do not show where the object ends, by ESPIRiT's eigenvalues. The crop is used if
 * it removes nothing of the object and if the samples, with less noise in the image, favour it. */
static argand_status cut_joint(const argand_sense *s, const calibration *c, const recon_trial *t,
                               candidate *joint)
{
    candidate cut = {.cells = {joint->cells[0], joint->cells[1], joint->cells[2]}};
    double lost = 1, inside;
    argand_status status;
    TRY_OR_DONE(trial_run(t, joint->maps, &joint->verdict));
    TRY_OR_DONE(trial_noise(t, joint->maps, &joint->verdict));
    /* a second eigenvalue shows that the object exceeds the field of view, so ESPIRiT's support is wrong */
    if (c->values && c->report.folded * (double)c->report.kernel[0] <= 1)
        TRY_OR_DONE(lost_by_crop(&joint->verdict, c->values, &lost));
    if (lost > OBJECT) return ARGAND_OK;
    TRY_OR_DONE(espirit_cut(s, joint->maps, c->values, USUAL, &cut.maps, &inside));
    TRY_OR_DONE(trial_run(t, cut.maps, &cut.verdict));
    TRY_OR_DONE(trial_noise(t, cut.maps, &cut.verdict));
    const double variance = fmin(joint->verdict.variance, cut.verdict.variance);
    if (verdict_risk(&cut.verdict, variance) < verdict_risk(&joint->verdict, variance)) {
        const candidate whole = *joint;
        *joint = cut;
        cut = whole;
    }
done:
    verdict_free(&cut.verdict);
    argand_array_destroy(cut.maps);
    return status;
}

/* Tries uncropped maps, unless the usual crop removes nothing of the object. */
static argand_status try_uncut(const recon_trial *t, const calibration *c, candidate *uncut)
{
    double lost;
    TRY(trial_run(t, c->maps, &uncut->verdict));
    TRY(trial_noise(t, c->maps, &uncut->verdict));
    TRY(lost_by_crop(&uncut->verdict, c->values, &lost));
    if (lost > OBJECT) uncut->maps = c->maps;
    return ARGAND_OK;
}

static argand_status try_all(argand_sense *s, calibration *c, candidate *all)
{
    recon_trial t;
    argand_status status;
    const recon_samples *more = c->from.data == c->image.data ? NULL : c->from.data;
    all[ESPIRIT].maps = c->cut ? c->cut : c->maps;
    TRY_OR_DONE(trial_open(&t, s, &c->image, MANY));
    TRY_OR_DONE(calibrate_adaptive(s, &c->from, &all[ADAPTIVE].maps));
    for (int i = ESPIRIT; i <= ADAPTIVE; i++) {
        if (!all[i].maps) continue;
        TRY_OR_DONE(trial_run(&t, all[i].maps, &all[i].verdict));
        TRY_OR_DONE(trial_noise(&t, all[i].maps, &all[i].verdict));
    }
    if (c->cut) TRY_OR_DONE(try_uncut(&t, c, &all[UNCUT]));
    if (choice_may_be_joint(s))
        TRY_OR_DONE(joint_maps(s, &c->image, more, &all[JOINT].maps, all[JOINT].cells));
    if (all[JOINT].maps) TRY_OR_DONE(cut_joint(s, c, &t, &all[JOINT]));
done:
    trial_close(&t);
    return status;
}

/* Moves the chosen maps to the calibration and destroys all others. */
static void take(argand_sense *s, calibration *c, candidate *all, int best)
{
    argand_array *const chosen = all[best].maps, *const own[2] = {c->maps, c->cut};
    for (int i = 0; i < 2; i++)
        if (own[i] != chosen) argand_array_destroy(own[i]);
    for (int i = ADAPTIVE; i < WAYS; i++)
        if (i != best) argand_array_destroy(all[i].maps);
    c->maps = chosen;
    c->cut = NULL;
    if (best >= ADAPTIVE) {
        argand_array_destroy(c->values);
        c->values = NULL;
    }
    s->coils_by = best == JOINT      ? ARGAND_COILS_JOINT
                  : best == ADAPTIVE ? ARGAND_COILS_ADAPTIVE
                                     : ARGAND_COILS_ESPIRIT;
}

argand_status choice_of_maps(argand_sense *s, calibration *c, const char *why)
{
    candidate all[WAYS] = {{.maps = NULL}};
    const argand_status status = try_all(s, c, all);
    const int best = status == ARGAND_OK ? best_of(all) : ESPIRIT;
    if (status == ARGAND_OK) note_choice(s, all, best, why);
    take(s, c, all, best);
    for (int i = 0; i < WAYS; i++) verdict_free(&all[i].verdict);
    return status;
}
