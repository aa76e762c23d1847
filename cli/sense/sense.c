/* SPDX-License-Identifier: BSD-3-Clause */
/* argand sense: reconstructs images from raw multi-coil data. */
#include "sense/sense.h"

static const char description[] =
    "Reconstructs an ISMRMRD scan by iterative SENSE: conjugate gradients on all coils at once. One image is "
    "made for every\n"
    "slice, repetition, average, contrast, phase and set. The command writes\n"
    "  OUT.nii.gz            the images with position and orientation, 4-D over repetitions; further "
    "contrasts, phases, sets\n"
    "                        and averages get a file each (OUT_contrast-2.nii.gz)\n"
    "                        OUT.dcm: as DICOM, a file each; --dicom classic: a folder OUT of slices\n"
    "  OUT.png               a picture of all slices\n"
    "  OUT.csv, OUT-convergence.png   residual, gradient and time of each iteration, as a table and as a "
    "plot\n"
    "  OUT-ghosts.csv, -ghosts.png    of EPI: echo shift and phase of reversed lines, for each set of "
    "reference "
    "lines\n"
    "  OUT.json              parameters of the measurement (BIDS names) and of the reconstruction\n"
    "  OUT.html              with --report: all of this as one page, readable offline\n"
    "--bids FOLDER in place of OUT: images and sidecars only, with BIDS's names\n"
    "Field and coil maps are the arrays FieldMap and SENSEMap of the scan, or come from files: .nii, "
    ".nii.gz, .npy, .cfl,\n"
    "OTHER.h5:NAME, or :NAME for another array of the scan. If the scan has no coil maps, they are estimated "
    "from the centre\n"
    "of k-space.\n"
    "IN.h5 may be - (standard input) or a named pipe with an MRD stream, kept in memory; OUT may be one, "
    "too, and "
    "gets the images\n"
    "as MRD messages, and nothing else is written: notes and --json then go to standard error.\n"
    "IN may be a folder: each scan in it (.h5, .hdf5, .mrd, .mrd2, .dat) becomes IMAGES/NAME.nii.gz, by the "
    "same options, "
    "one after the\n"
    "other. A scan that fails is named at the end, and the others are done. --resume skips scans whose "
    "images "
    "are there.\n"
    "mpirun -n 4 argand sense ... divides volumes (of a folder: scans) over processes, --device cuda:0-3 "
    "over "
    "the devices of one\n"
    "process. With fewer volumes than these, several share a volume (--ranks).\n"
    "--kspace FILE [--trajectory FILE] takes arrays in place of IN.h5, with --coil-maps, --weights, --times "
    "and --noise where\n"
    "needed. argand pack --help explains how Argand recognises their axes.";

static const char examples[] =
    "  argand sense brain.h5 brain.nii.gz\n"
    "  argand sense brain.h5 plain.nii.gz --field-map none --iterations 15\n"
    "  argand sense brain.h5 sharp.nii.gz --field-map b0.nii.gz --field-unit hz --regularize 0.01\n"
    "  argand sense radial.h5 sparse.nii.gz --regularize wavelet:0.01,tv:0.002\n"
    "  argand sense dynamic.h5 dynamic.nii.gz --regularize llr:0.05 --compress 8\n"
    "  argand sense r2.h5 image.nii.gz --spirit 1 --combine rss\n"
    "  argand sense brain.h5 fast.nii.gz --transform nufft --matrix 96x96 --threads 4\n"
    "  argand sense brain.h5 brain.nii.gz --report --part magnitude,phase\n"
    "  argand sense --kspace k.npy --trajectory t.npy --coil-maps maps.npy image.nii.gz\n"
    "  argand convert brain.h5 - | argand sense - - | argand convert - brain.nii.gz\n"
    "  argand sense study/ images/ --resume\n"
    "  argand sense epi.h5 --bids derivatives/argand --bids-name sub-01_task-rest_bold\n"
    "  mpirun -n 4 argand sense dynamic.h5 dynamic.nii.gz\n"
    "  argand sense dynamic.h5 dynamic.nii.gz --device cuda:0-3\n"
    "  argand sense brain.h5 brain.nii.gz --json | jq -r 'select(.event==\"progress\").residual'\n";

static int run(int argc, char **argv)
{
    int exit_code, combine = 0;
    sense_settings s = SENSE_DEFAULTS("sense");
    const option own[] = {
        double_option("spirit", 0, &s.session.spirit, "W", 0, 1e6,
                      "weight of SPIRiT's consistency: solve for the images of all coils, each of which is "
                      "predicted by all others through kernels from the calibration lines, then combine "
                      "them; 0 (default) solves for one image by SENSE; try 1"),
        choice_option("combine", 0, &combine, "NAME", "sense|rss",
                      "combine the coil images of --spirit by coil maps (sense) or by the root of the sum of "
                      "squares (rss)")};
    command_line line = {.usage = "argand sense IN.h5|STUDY/|--kspace FILE OUT.nii.gz|IMAGES/ [options]",
                         .description = description,
                         .examples = examples};
    if (!sense_parse(&line, &s, own, sizeof own / sizeof *own, argc, argv, &exit_code)) return exit_code;
    s.session.spirit_rss = combine == 1;
    return sense_start(&s);
}

const command command_sense = {
    .name = "sense", .summary = "reconstruct images from raw multi-coil data", .run = run};
