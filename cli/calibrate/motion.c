/* SPDX-License-Identifier: BSD-3-Clause */
/* argand calibrate motion. */
#include "calibrate/calibrate.h"
#include "files/motion.h"

#include <stdlib.h>

typedef struct motion_settings {
    common_options common;
    scan_reading reading;
    const char *input, *output;
    int encoding, by, group;
    double cycles;
} motion_settings;

static const char description[] = "Estimates rigid motion from the samples and writes a table for argand "
                                  "sense --motion, .tsv or .npy. Rows\n"
                                  "are shots, segments or repetitions: shifts in mm and rotations in degrees "
                                  "relative to the first one. No\n"
                                  "navigators are needed. An image and all positions are fitted together to "
                                  "the samples near the centre of\n"
                                  "k-space. The coils are taken as moving with the object.";

static const char examples[] = "  argand calibrate motion spiral.h5 motion.tsv\n"
                               "  argand calibrate motion radial.h5 motion.tsv --motion-group 10\n";

static bool parse(motion_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {
        choice_option(
            "motion-by", 0, &s->by, "COUNTER", MOTION_COUNTERS,
            "what the rows of the table count. auto: repetitions if there are several, otherwise segments "
            "if there are several, otherwise shots"),
        int_option("motion-group", 0, &s->group, "N", 0, 65535,
                   "let N consecutive shots or segments share a position; 0 takes 1, or as many as leave 32 "
                   "positions"),
        double_option("cycles", 0, &s->cycles, "N", 0, 9999,
                      "use the samples within N cycles per field of view of the centre of k-space; 0: 20"),
        int_option("encoding", 0, &s->encoding, "N", 0, 64, "number of the encoding space, from 0"),
        SCAN_OPTIONS(s->reading),
        COMMON_OPTIONS(s->common),
    };
    command_line line = {.usage = "argand calibrate motion IN.h5 OUT [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .files = {&s->input, &s->output},
                         .positional_least = 2};
    return command_parse(&line, argc, argv, exit_code);
}

static argand_status work(void *settings, argand_device *device, report *out)
{
    const motion_settings *s = settings;
    argand_scan *scan;
    motion_found found = {0};
    const argand_motion_search search = {.encoding = s->encoding, .group = s->group, .cycles = s->cycles};
    TRY(calibrate_open(&scan, s->input, &s->reading, out));
    argand_status status = motion_find(&found, scan, s->by, device, &search, out);
    if (!status) status = motion_write(s->output, &found);
    free(found.rows);
    argand_scan_destroy(scan);
    return status;
}

int calibrate_motion(int argc, char **argv)
{
    int exit_code;
    motion_settings s = {0};
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    return calibrate_run(&(calibrate_job){.name = "calibrate motion",
                                          .common = &s.common,
                                          .input = s.input,
                                          .output = s.output,
                                          .settings = &s,
                                          .work = work});
}
