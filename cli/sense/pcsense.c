/* SPDX-License-Identifier: BSD-3-Clause */
/* argand pcsense: reconstructs images from several shots with different phases. */
#include "sense/sense.h"

static const char description[] =
    "Reconstructs multi-shot scans whose shots differ in phase, as motion during the gradients of diffusion "
    "imaging or\n"
    "elastography makes them. Each shot has a phase map, and iterative SENSE finds the one image that "
    "explains all shots.\n"
    "Missing shots are left out. Maps, output files and other options are those of argand sense.\n"
    "The phase maps are the array PhaseMaps of the scan (rad), or --phase-maps:\n"
    "  MAP           a file or an array of a scan: image size, then shots, partitions, slices, averages, "
    "phases, contrasts,\n"
    "                repetitions, segments. An axis of size 1 is shared. Shots count from 0\n"
    "  navigators    estimate the phase from the navigator of each shot\n"
    "  shots         estimate the phase from the centre of the k-space of each shot, if the shot covers it "
    "densely\n"
    "  none          ignore the phase of the shots, as argand sense does";

static const char examples[] =
    "  argand pcsense dwi.h5 dwi.nii.gz\n"
    "  argand pcsense dwi.h5 dwi.nii.gz --phase-maps phases.npy --iterations 15\n"
    "  argand pcsense dwi.h5 dwi.nii.gz --phase-maps shots --transform dft --device cuda:0\n"
    "  argand simulate dwi.h5 --shots 6 --phase-range 3 && argand pcsense dwi.h5 dwi.nii.gz\n";

/* The formula is not for shots with phases. */
static const char *const without[] = {"gfactor-map", NULL};

static int run(int argc, char **argv)
{
    int exit_code;
    sense_settings s = SENSE_DEFAULTS("pcsense");
    s.session.phases = ARGAND_PHASES_MAPS;
    s.without = without;
    const option own[] = {text_option("phase-maps", 0, &s.phase_maps, "MAP",
                                      "phase map of each shot: a map, navigators, shots or none (see above). "
                                      "Default: PhaseMaps of the scan")};
    command_line line = {.usage = "argand pcsense IN.h5|STUDY/|--kspace FILE OUT.nii.gz|IMAGES/ [options]",
                         .description = description,
                         .examples = examples};
    return sense_parse(&line, &s, own, 1, argc, argv, &exit_code) ? sense_start(&s) : exit_code;
}

const command command_pcsense = {
    .name = "pcsense", .summary = "reconstruct multi-shot data with a phase map for each shot", .run = run};
