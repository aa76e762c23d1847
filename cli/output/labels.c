/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/labels.h"

#include <stddef.h>
#include <string.h>

typedef struct label {
    const char *name, *value, *text; /* value NULL: `text` is the label of the name */
} label;

static const label labels[] = {
    {"CommandLine", NULL, "Command line"},
    {"InputSHA256", NULL, "Inputs, SHA-256"},
    {"Iterations", NULL, "Iterations at most"},
    {"Tolerance", NULL, "Stop at this relative gradient"},
    {"Tolerance", "0", "not used"},
    {"Regularize", NULL, "Smoothing (penalty)"},
    {"Regularize", "0", "none"},
    {"FieldMap", NULL, "Field map"},
    {"Noise", NULL, "Noise scan"},
    {"CalibrationScan", NULL, "Scan that calibrates the coils"},
    {"Whitener", NULL, "Whitening matrix"},
    {"NoiseCovariance", NULL, "Noise covariance"},
    {"CompressionMatrix", NULL, "Matrix of virtual coils"},
    {"Weights", NULL, "Density weights"},
    {"CoilMapsFile", NULL, "Coil sensitivity maps"},
    {"GradientResponse", NULL, "Response of the gradients"},
    {"GradientDelay", NULL, "Delay of the gradients, us"},
    {"R2Star", NULL, "R2* map"},
    {"PhaseTerms", NULL, "Measured phase"},
    {"PartialFourier", NULL, "Weight of the phase constraint"},
    {"NoiseMapReplicas", NULL, "Reconstructions for the noise map"},
    {"PulseqSequence", NULL, "Sequence with the trajectory"},
    {"GFactorMap", NULL, "g-factor by formula"},
    {"EPIGhostShift", NULL, "Echo shift of reversed EPI lines, samples"},
    {"EPIGhostPhase", NULL, "Phase of reversed EPI lines, rad"},
    {"Mask", NULL, "Mask"},
    {"PhaseMaps", NULL, "Phase maps of the shots"},
    {"Density", NULL, "Density weights"},
    {"Density", "pipe", "computed (Pipe and Menon)"},
    {"Density", "deconvolve", "computed (Fourier deconvolution)"},
    {"Density", "file", "given"},
    {"DensityPower", NULL, "Power of the density weights"},
    {"StoppedBy", NULL, "Iterations ended because"},
    {"StoppedBy", "noise", "more would add more noise than signal"},
    {"StoppedBy", "converged", "the problem was solved"},
    {"StoppedBy", "iterations", "all were done"},
    {"Iterate", NULL, "The image is iteration"},
    {"EstimatedNoise", NULL, "Noise in the image, estimated part"},
    {"Segments", NULL, "Segments of the off-resonance correction"},
    {"SegmentError", NULL, "Error of the segments"},
    {"Interpolator", NULL, "Between segments"},
};

static const label *find(const char *name, const char *value)
{
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (!strcmp(labels[i].name, name) && !labels[i].value == !value &&
            (!value || !strcmp(labels[i].value, value)))
            return &labels[i];
    return NULL;
}

const char *label_of_fact(const char *name)
{
    const label *found = find(name, NULL);
    return found ? found->text : name;
}

const char *label_of_value(const char *name, const char *value)
{
    const label *found = find(name, value);
    return found ? found->text : value;
}

const char *label_of_transform(const char *transform)
{
    if (!strcmp(transform, "nufft")) return "not corrected";
    if (!strcmp(transform, "segmented")) return "corrected, in segments";
    return strcmp(transform, "dft") ? "corrected exactly, with gradients" : "corrected exactly";
}

const char *label_of_file(const char *path)
{
    static const char *const endings[][2] = {{"-convergence.png", "Convergence, plot"},
                                             {"-ghosts.png", "Phase of reversed EPI lines, plot"},
                                             {"-ghosts.csv", "Errors of reversed EPI lines, table"},
                                             {".png", "Picture"},
                                             {".csv", "Convergence, table"},
                                             {".json", "How it was measured and made"}};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t most = strlen(endings[i][0]);
        if (length > most && !strcmp(path + length - most, endings[i][0])) return endings[i][1];
    }
    return "Image";
}
