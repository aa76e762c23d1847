/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a paragraph for the methods section of a paper: what was computed, with references. Its sources
 * are the session's settings and notes. */
#include "output/provenance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/origin.h"

static const char sense_paper[] =
    "Pruessmann, Weiger, Boernert, Boesiger: Advances in sensitivity encoding with "
    "arbitrary k-space trajectories. Magn. Reson. Med. 46:638, 2001.";
static const char gridding_paper[] =
    "Jackson, Meyer, Nishimura, Macovski: Selection of a convolution function "
    "for Fourier inversion using gridding. IEEE Trans. Med. Imaging 10:473, 1991.";
static const char shots_paper[] =
    "Liu, Moseley, Bammer: Simultaneous phase correction and SENSE reconstruction "
    "for navigated multi-shot DWI with non-Cartesian k-space sampling. Magn. Reson. "
    "Med. 54:1412, 2005.";
static const char nufft_paper[] = "Fessler, Sutton: Nonuniform fast Fourier transforms using min-max "
                                  "interpolation. IEEE Trans. Signal Process. 51:560, 2003.";
static const char field_paper[] =
    "Sutton, Noll, Fessler: Fast, iterative image reconstruction for MRI in the "
    "presence of field inhomogeneities. IEEE Trans. Med. Imaging 22:178, 2003.";
static const char toeplitz_paper[] =
    "Fessler, Lee, Olafsson, Shi, Noll: Toeplitz-based iterative image "
    "reconstruction for MRI with correction for magnetic field inhomogeneity. "
    "IEEE Trans. Signal Process. 53:3393, 2005.";
static const char whitening_paper[] =
    "Roemer, Edelstein, Hayes, Souza, Mueller: The NMR phased array. Magn. Reson. Med. 16:192, 1990.";
static const char compression_paper[] =
    "Buehrer, Pruessmann, Boesiger, Kozerke: Array compression for MRI with large coil arrays. Magn. Reson. "
    "Med. 57:1131, 2007.";
static const char partial_paper[] =
    "Bydder, Robson: Partial Fourier partially parallel imaging. Magn. Reson. Med. 53:1393, 2005.";
static const char bands_paper[] =
    "Larkman, Hajnal, Herlihy, Coutts, Young, Ehnholm: Use of multicoil arrays for separation of signal from "
    "multiple slices simultaneously excited. J. Magn. Reson. Imaging 13:313, 2001.";
static const char validation_paper[] =
    "Golub, Heath, Wahba: Generalized cross-validation as a method for choosing a good ridge parameter. "
    "Technometrics 21:215, 1979.";

/* Sentences about parts of the signal model other than field map and coils, by the name of the fact that
 * shows their use. */
static const struct {
    const char *fact, *sentence, *paper;
} models[] = {
    {"GradientResponse", "Positions in k-space are what the measured response of the gradients makes of them",
     "Vannesjo, Haeberlin, Kasper, Pavan, Wilm, Barmet, Pruessmann: Gradient system characterization by "
     "impulse response measurements with a dynamic field camera. Magn. Reson. Med. 69:583, 2013."},
    {"GradientDelay", "Positions in k-space were corrected for delays of the gradients",
     "Peters, Derbyshire, McVeigh: Centering the projection reconstruction trajectory: reducing gradient "
     "delay errors. Magn. Reson. Med. 50:1, 2003."},
    {"PhaseTerms", "Phase of higher order in space, as it was measured, is part of the encoding",
     "Wilm, Barmet, Pavan, Pruessmann: Higher order reconstruction for MRI in the presence of "
     "spatiotemporal field perturbations. Magn. Reson. Med. 65:1690, 2011."},
    {"R2Star", "Decay during the readout by a given map of R2* is part of the encoding",
     "Olafsson, Noll, Fessler: Fast joint reconstruction of dynamic R2* and field maps in functional MRI. "
     "IEEE Trans. Med. Imaging 27:1177, 2008."},
    {"NoiseMapReplicas", "The noise map is the standard deviation of reconstructions with noise added",
     "Robson, Grant, Madhuranthakam, Lattanzi, Sodickson, McKenzie: Comprehensive quantification of "
     "signal-to-noise ratio and g-factor for image-based and k-space-based parallel imaging "
     "reconstructions. Magn. Reson. Med. 60:895, 2008."},
    {"GFactorMap", "The g-factor was computed by formula",
     "Breuer, Kannengiesser, Blaimer, Seiberlich, Jakob, Griswold: General formulation for quantitative "
     "g-factor "
     "calculation in GRAPPA reconstructions. Magn. Reson. Med. 62:739, 2009. Pruessmann, Weiger, "
     "Scheidegger, "
     "Boesiger: SENSE: sensitivity encoding for fast MRI. Magn. Reson. Med. 42:952, 1999."},
    {"Homodyne", "Partial k-space was completed by homodyne detection",
     "Noll, Nishimura, Macovski: Homodyne detection in magnetic resonance imaging. IEEE Trans. Med. Imaging "
     "10:154, 1991."},
};

enum { MOST_PAPERS = 24 };

typedef struct methods {
    FILE *to;
    const output *o;
    argand_sense_info info;
    const char *papers[MOST_PAPERS];
    int paper_count;
} methods;

/* Adds the number of a reference, " [3]". */
static void cite(methods *m, const char *paper)
{
    int i = 0;
    if (!paper) return;
    while (i < m->paper_count && m->papers[i] != paper) i++;
    if (i == m->paper_count && i < MOST_PAPERS) m->papers[m->paper_count++] = paper;
    if (i < MOST_PAPERS) fprintf(m->to, " [%d]", i + 1);
}

static bool notes_have(const methods *m, const char *text)
{
    return strstr(m->o->notes, text) != NULL;
}

static const char *fact_of(const methods *m, const char *name)
{
    for (int i = 0; i < m->o->fact_count; i++)
        if (!strcmp(m->o->facts[i].name, name)) return m->o->facts[i].value;
    return "";
}

static void add_data(methods *m)
{
    const output *o = m->o;
    const argand_scan *scan = o->run.scan;
    const argand_encoding *e = &scan->encodings[scan->acquisitions[0].encoding];
    int64_t n[3];
    argand_sense_grid(o->run.session, n);
    const int images = argand_sense_volumes(o->run.session);
    fprintf(m->to, "%d image%s of %lld x %lld", images, images == 1 ? "" : "s", (long long)n[0],
            (long long)n[1]);
    if (n[2] > 1) fprintf(m->to, " x %lld", (long long)n[2]);
    fprintf(m->to,
            " pixels %s reconstructed from %lld %s acquisition%s of %lld samples with %d receive channel%s",
            images == 1 ? "was" : "were", (long long)scan->acquisition_count, e->trajectory,
            scan->acquisition_count == 1 ? "" : "s", (long long)scan->acquisitions[0].samples, scan->channels,
            scan->channels == 1 ? "" : "s");
}

static void add_method(methods *m)
{
    const bool adjoint = m->info.iterations == 0 || !strcmp(m->o->run.command, "grid");
    if (adjoint) {
        fprintf(m->to, " by gridding, one density-weighted adjoint without iteration");
        cite(m, gridding_paper);
    } else {
        fprintf(m->to, " by %s",
                m->o->run.scan->channels > 1 ? "iterative SENSE" : "iterative least squares");
        cite(m, sense_paper);
    }
    if (m->o->shots > 1) {
        fprintf(m->to, ", with a phase map for each of %d shots", m->o->shots);
        cite(m, shots_paper);
    }
    fprintf(m->to, ". ");
}

static void add_transform(methods *m)
{
    const char *name = m->info.transform;
    if (!strcmp(name, "segmented")) {
        fprintf(m->to,
                "Off-resonance was corrected by nonuniform FFTs over %d segment%s (%s, relative error %.1e)",
                m->o->segments, plural_s(m->o->segments), m->o->interpolator, m->o->segment_error);
        cite(m, field_paper);
        cite(m, nufft_paper);
    } else if (!strcmp(name, "nufft")) {
        fprintf(m->to, "K-space was computed by nonuniform FFTs");
        cite(m, nufft_paper);
        fprintf(m->to, ", without correction of off-resonance");
    } else {
        fprintf(m->to,
                "Off-resonance was corrected by the exact discrete Fourier transform with the field map%s",
                strcmp(name, "dft") ? " and its gradients within voxels" : "");
        cite(m, field_paper);
    }
    fprintf(m->to, ". ");
    if (m->info.convolutions > 0) {
        fprintf(m->to, "Iterations used Toeplitz convolutions");
        cite(m, toeplitz_paper);
        fprintf(m->to, ". ");
    }
}

static void add_models(methods *m)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        if (!*fact_of(m, models[i].fact)) continue;
        fprintf(m->to, "%s", models[i].sentence);
        cite(m, models[i].paper);
        fprintf(m->to, ". ");
    }
    if (notes_have(m, "slices were excited together")) {
        fprintf(m->to, "Slices that were excited together were separated by their coil maps and their phase");
        cite(m, bands_paper);
        fprintf(m->to, ". ");
    }
    if (*fact_of(m, "PartialFourier")) {
        fprintf(m->to, "What partial Fourier left out was filled in by a phase constraint of weight %s",
                fact_of(m, "PartialFourier"));
        cite(m, partial_paper);
        fprintf(m->to, ". ");
    }
}

static void add_matrices(methods *m)
{
    if (notes_have(m, "channels are whitened")) {
        fprintf(m->to, "The channels' noise was made equal and independent");
        cite(m, whitening_paper);
        fprintf(m->to, ". ");
    }
    if (notes_have(m, "virtual coils by a given matrix"))
        fprintf(m->to, "The channels were compressed to virtual coils by a given matrix. ");
    else if (notes_have(m, "channels are compressed")) {
        fprintf(m->to, "The channels were compressed to virtual coils by singular value decomposition");
        cite(m, compression_paper);
        fprintf(m->to, ". ");
    }
}

static void add_estimate(methods *m, argand_coils way)
{
    argand_kind_info info;
    if (argand_coils_describe(way, &info)) return;
    fprintf(m->to, "Coil maps were estimated by %s", info.summary);
    cite(m, info.paper);
    fprintf(m->to, ". ");
}

static void add_coils(methods *m)
{
    if (notes_have(m, "Coil maps by ESPIRiT"))
        add_estimate(m, ARGAND_COILS_ESPIRIT);
    else if (notes_have(m, "oil maps by adaptive"))
        add_estimate(m, ARGAND_COILS_ADAPTIVE);
    else if (m->info.coils == ARGAND_COILS_JOINT && !notes_have(m, "SENSEMap"))
        add_estimate(m, ARGAND_COILS_JOINT);
    else if (m->o->run.sum_of_squares)
        fprintf(m->to, "Coils were combined by the root of the sum of their squares. ");
    else if (m->o->run.scan->channels > 1)
        fprintf(m->to, "Coil maps were given. ");
}

static void add_density(methods *m)
{
    argand_kind_info info;
    for (int i = 0; m->o->density && argand_density_describe((argand_density)i, &info) == ARGAND_OK; i++) {
        if (!info.summary || strcmp(m->o->density, info.name)) continue;
        fprintf(m->to, "Samples were weighted by %s", info.summary);
        cite(m, info.paper);
        fprintf(m->to, " to the power %.3g. ", m->o->density_power);
    }
}

/* Adds the penalties: ", regularized by total variation [3] and quadratic roughness (weights
 * tv:0.01,quadratic:0.1)" */
static void add_penalties(methods *m)
{
    const char *given = fact_of(m, "Regularize");
    argand_regularizer list[ARGAND_MAX_REGULARIZERS];
    argand_regularizer_info info;
    int count = 0;
    if (*fact_of(m, "Denoiser") && !argand_regularizer_describe(ARGAND_DENOISER, &info)) {
        fprintf(m->to, ", regularized by %s", info.summary);
        cite(m, info.paper);
    }
    if (argand_regularizers_parse(given, list, &count)) return;
    for (int i = 0; i < count; i++) {
        if (argand_regularizer_describe(list[i].kind, &info)) continue;
        fprintf(m->to, "%s%s", i == 0 ? ", regularized by " : " and ", info.summary);
        cite(m, info.paper);
    }
    if (count) fprintf(m->to, " (weights %s)", given);
}

static void add_solver(methods *m)
{
    const output *o = m->o;
    argand_kind_info info;
    if (!o->step_count) return;
    const int iterations = o->steps[o->step_count - 1].progress.iteration;
    for (int i = 1; argand_solver_describe((argand_solver)i, &info) == ARGAND_OK; i++)
        if (!strcmp(info.name, m->info.solver)) {
            fprintf(m->to, "The problem was solved by %s", info.summary);
            cite(m, info.paper);
        }
    fprintf(m->to, ", %d iteration%s", iterations, plural_s(iterations));
    if (o->stop && !strcmp(o->stop, "noise")) {
        fprintf(m->to, ", of which iterate %d was taken, as later ones add more noise than signal",
                o->stopped_last);
        cite(m, validation_paper);
    }
    add_penalties(m);
    fprintf(m->to, ". ");
}

static void add_program(methods *m)
{
    const char *commit = origin_commit();
    char device[200];
    output_device(m->o, device, sizeof device);
    fprintf(m->to, "All was computed in %s precision with Argand %s%s%s%s on %s.\n",
            m->o->run.is_double ? "double" : "single", argand_version(), *commit ? " (commit " : "", commit,
            *commit ? ")" : "", device);
    for (int i = 0; i < m->paper_count; i++) fprintf(m->to, "[%d] %s\n", i + 1, m->papers[i]);
}

argand_status methods_report(argand_report *page, const output *o)
{
    char *text = NULL;
    size_t size;
    methods m = {.o = o};
    m.info = output_info(o);
    m.to = open_memstream(&text, &size);
    if (!m.to) return report_error(ARGAND_MEMORY, "out of memory");
    add_data(&m);
    add_method(&m);
    add_transform(&m);
    add_models(&m);
    add_matrices(&m);
    add_coils(&m);
    add_density(&m);
    add_solver(&m);
    add_program(&m);
    argand_status status = ARGAND_OK;
    if (fclose(m.to) || !text) status = report_error(ARGAND_MEMORY, "out of memory");
    if (status == ARGAND_OK) status = argand_report_text(page, "Methods, as a paper would say it", text);
    free(text);
    return status;
}
