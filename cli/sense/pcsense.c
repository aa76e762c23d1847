/* SPDX-License-Identifier: BSD-3-Clause */
/* argand pcsense: several shots, each with a phase of its own, to images. */
#include "sense/sense.h"

static const char description[] =
    "Reconstructs scans whose shots differ in phase, as motion during the gradients of diffusion and "
    "elastography makes "
    "them: every\n"
    "shot of a volume has a phase map, and one image explains all of them (iterative SENSE with the coils "
    "and the shots' "
    "phases in\n"
    "its model). Shots that are missing are left out. Where maps come from, and what is written: as argand "
    "sense.\n"
    "The phase maps are the scan's array PhaseMaps (rad), or --phase-maps:\n"
    "  MAP           a file or an array of a scan: image size, then shots, partitions, slices, averages, "
    "phases, "
    "contrasts,\n"
    "                repetitions, segments, where an axis of 1 is shared; shot numbers count from 0\n"
    "  navigators    estimated from the navigator of each shot\n"
    "  shots         estimated from the middle of each shot's own k-space, where it is dense enough\n"
    "  none          all shots together, as argand sense does";

static const char examples[] =
    "  argand pcsense dwi.h5 dwi.nii.gz\n"
    "  argand pcsense dwi.h5 dwi.nii.gz --phase-maps phases.npy --iterations 15\n"
    "  argand pcsense dwi.h5 dwi.nii.gz --phase-maps shots --transform dft --device cuda:0\n"
    "  argand simulate dwi.h5 --shots 6 --phase-range 3 && argand pcsense dwi.h5 dwi.nii.gz\n";

static int run(int argc, char **argv)
{
    int exit_code;
    sense_settings s = SENSE_DEFAULTS("pcsense");
    s.session.phases = ARGAND_PHASES_MAPS;
    const option own[] = {text_option(
        "phase-maps", 0, &s.phase_maps, "MAP",
        "the shots' phases: a map, navigators, shots, or none; PhaseMaps of the scan if not given")};
    command_line line = {.usage = "argand pcsense IN.h5|--kspace FILE OUT.nii.gz [options]",
                         .description = description,
                         .examples = examples};
    return sense_parse(&line, &s, own, 1, argc, argv, &exit_code) ? sense_run(&s) : exit_code;
}

const command command_pcsense = {"pcsense", "reconstruct multi-shot data with a phase map for each shot",
                                 run};
