/* SPDX-License-Identifier: BSD-3-Clause */
/* argand info: describes the contents of a file. */
#include "info/info.h"
#include "common/path.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char description[] = "Prints what a file holds. For a scan (ISMRMRD): system, encodings, "
                                  "acquisitions, readout, times, the extent of k-space,\n"
                                  "partial Fourier, simultaneous slices, noise, navigator and calibration "
                                  "acquisitions, arrays, sequence parameters, the\n"
                                  "assumptions made while reading, and what argand sense will do with the "
                                  "scan. For an image or array (.nii, .nii.gz, .npy,\n"
                                  ".cfl): type, dimensions, position and orientation, range of values. The "
                                  "whole file is checked: a scan that argand info\n"
                                  "accepts can be read by all commands.";

static const char examples[] = "  argand info scan.h5\n"
                               "  argand info scan.h5 --json | jq .encodings\n"
                               "  argand info image.nii.gz\n";

typedef struct info_settings {
    const char *path;
    scan_reading reading;
    common_options common;
} info_settings;

static bool parse(info_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {
        SCAN_OPTIONS(s->reading),
        flag_option("json", 0, &s->common.json, "write one line of JSON"),
    };
    command_line line = {.usage = "argand info FILE [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .files = {&s->path},
                         .positional_least = 1};
    return command_parse(&line, argc, argv, exit_code);
}

/* Returns true for array files. All other files are opened as scans; that reader reports what a file looks
 * like. */
static bool is_array_file(const char *path)
{
    return path_is_array(path) || has_ending(path, ".hdr");
}

static argand_status print_scan(report *r, const info_settings *s)
{
    argand_scan *scan;
    struct stat found = {0};
    const argand_status status = scan_open(&scan, s->path, &s->reading);
    if (status != ARGAND_OK) return status;
    stat(s->path, &found);
    if (s->common.json)
        info_write_json(r, scan, (double)found.st_size);
    else
        info_print_scan(scan, (double)found.st_size);
    argand_scan_destroy(scan);
    return ARGAND_OK;
}

static int run(int argc, char **argv)
{
    info_settings s = {.reading = {.group = "dataset", .no_images = true}};
    report r;
    int exit_code;
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    report_begin(&r, "info", &s.common);
    const argand_status status = is_array_file(s.path) ? info_print_file(&r, s.path) : print_scan(&r, &s);
    return status == ARGAND_OK ? 0 : report_failure(&r, status);
}

const command command_info = {
    .name = "info", .summary = "print the contents of a scan, image or array file", .run = run};
