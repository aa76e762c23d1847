/* SPDX-License-Identifier: BSD-3-Clause */
/* argand sense: raw multi-coil data to images. */
#include "sense/sense.h"

static const char description[] =
    "Reconstructs every slice, repetition, average, contrast, phase and set of an ISMRMRD file by iterative "
    "SENSE\n"
    "(conjugate gradients on all coils at once) and writes\n"
    "  OUT.nii.gz            images with their place in the patient, 4-D over repetitions; a file each for "
    "several\n"
    "                        contrasts, phases, sets or averages (OUT_contrast-2.nii.gz)\n"
    "  OUT.png               a picture of all slices\n"
    "  OUT.csv, OUT-convergence.png   residual, gradient and time of each iteration, as a table and as a "
    "plot\n"
    "  OUT.json              how it was measured (BIDS names) and what was done\n"
    "  OUT.html              with --report: all of this to be looked at in a browser, without a network\n"
    "Maps come from the scan's arrays FieldMap and SENSEMap, or from files: .nii, .nii.gz, .npy, .cfl, "
    "OTHER.h5:NAME, or\n"
    ":NAME for another array of the scan. Missing coil maps are estimated from the centre of "
    "k-space.\n"
    "Samples of your own take the place of IN.h5: --kspace FILE [--trajectory FILE] (argand pack --help says "
    "how their\n"
    "axes are recognised), with --coil-maps, --weights, --times, --noise as they are needed.\n"
    "Without --transform, the exact DFT or the segmented NUFFT, whichever is predicted to be faster, is used "
    "where there "
    "is a field\n"
    "map to correct for, and the NUFFT elsewhere.";

static const char examples[] =
    "  argand sense brain.h5 brain.nii.gz\n"
    "  argand sense brain.h5 plain.nii.gz --field-map none --iterations 15\n"
    "  argand sense brain.h5 sharp.nii.gz --field-map b0.nii.gz --field-unit hz --regularize 0.01\n"
    "  argand sense radial.h5 sparse.nii.gz --regularize wavelet:0.01,tv:0.002\n"
    "  argand sense dynamic.h5 dynamic.nii.gz --regularize llr:0.05 --compress 8\n"
    "  argand sense brain.h5 fast.nii.gz --transform nufft --matrix 96x96 --threads 4\n"
    "  argand sense brain.h5 brain.nii.gz --report --part magnitude,phase\n"
    "  argand sense --kspace k.npy --trajectory t.npy --coil-maps maps.npy image.nii.gz\n"
    "  argand sense brain.h5 brain.nii.gz --json | jq -r 'select(.event==\"progress\").residual'\n";

static int run(int argc, char **argv)
{
    int exit_code;
    sense_settings s = SENSE_DEFAULTS("sense");
    command_line line = {.usage = "argand sense IN.h5|--kspace FILE OUT.nii.gz [options]",
                         .description = description,
                         .examples = examples};
    return sense_parse(&line, &s, NULL, 0, argc, argv, &exit_code) ? sense_run(&s) : exit_code;
}

const command command_sense = {"sense", "reconstruct images from raw multi-coil data", run};
