/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the table of --motion: six numbers for each shot, segment or repetition, as text or as an array; or
 * finds it in the samples. */
#include "sense/motion.h"
#include "sense/inputs.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/path.h"
#include "files/maps.h"
#include "files/motion.h"

enum { COLUMNS = 6, MOST_ROWS = 65536, AUTO = 0 };

typedef struct motion_table {
    argand_rigid *rows;
    int64_t count;
} motion_table;

static void put_row(argand_rigid *row, const double numbers[COLUMNS])
{
    for (int i = 0; i < 3; i++) {
        row->shift[i] = numbers[i];
        row->rotation[i] = numbers[3 + i];
    }
}

/* Returns true for the line that names the columns. */
static bool is_head(const char *line)
{
    char names[COLUMNS][8], rest[2];
    return sscanf(line, "%7s %7s %7s %7s %7s %7s %1s", names[0], names[1], names[2], names[3], names[4],
                  names[5], rest) == COLUMNS &&
           !strcmp(names[0], "tx") && !strcmp(names[1], "ty") && !strcmp(names[2], "tz") &&
           !strcmp(names[3], "rx") && !strcmp(names[4], "ry") && !strcmp(names[5], "rz");
}

static bool read_numbers(double numbers[COLUMNS], const char *line)
{
    for (int i = 0; i < COLUMNS; i++) {
        char *end;
        numbers[i] = strtod(line, &end);
        if (end == line) return false;
        line = end;
    }
    while (isspace((unsigned char)*line)) line++;
    return !*line;
}

static argand_status read_lines(motion_table *t, FILE *file, const char *path)
{
    char line[1024];
    double numbers[COLUMNS];
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        if ((number == 1 && is_head(line)) || line[strspn(line, " \t\r\n")] == 0) continue;
        if (!read_numbers(numbers, line))
            return report_error(ARGAND_FORMAT,
                                "--motion %s: line %d does not hold six numbers (tx ty tz in mm, rx ry rz in "
                                "degrees)",
                                path, number);
        if (t->count == MOST_ROWS)
            return report_error(ARGAND_FORMAT, "--motion %s: more than %d rows", path, MOST_ROWS);
        put_row(&t->rows[t->count++], numbers);
    }
    return t->count ? ARGAND_OK
                    : report_error(ARGAND_FORMAT,
                                   "--motion %s: holds no row of six numbers (tx ty tz in mm, rx ry rz in "
                                   "degrees)",
                                   path);
}

static argand_status read_text(motion_table *t, const char *path)
{
    FILE *file = open_plain_file(path);
    if (!file)
        return report_error(ARGAND_FILE, "--motion %s: cannot be read: %s", path,
                            errno == EISDIR ? "is not a file" : strerror(errno));
    const argand_status status = read_lines(t, file, path);
    fclose(file);
    return status;
}

/* Reads an array, in NumPy [row, 6]. */
static argand_status read_array(motion_table *t, const char *path)
{
    argand_device *host = NULL;
    argand_array *array = NULL, *wide = NULL;
    double *numbers = NULL;
    argand_status status = argand_device_open(&host, "cpu");
    if (!status) status = array_file_read("--motion", path, host, &array);
    if (!status) status = array_file_real("--motion", path, &array);
    const int64_t rows = status ? 0 : argand_array_count(array) / COLUMNS;
    if (!status &&
        (argand_array_dim(array, 0) != COLUMNS || argand_array_rank(array) > 2 || rows > MOST_ROWS))
        status = report_error(ARGAND_ARGUMENT,
                              "--motion %s: give six numbers a row (in NumPy [rows, 6]), at most %d rows",
                              path, MOST_ROWS);
    if (!status) status = argand_array_create(&wide, host, ARGAND_R64, 2, (int64_t[]){COLUMNS, rows});
    argand_array *flat = NULL;
    if (!status) status = argand_array_reshape(&flat, array, 2, (int64_t[]){COLUMNS, rows});
    if (!status) status = argand_array_copy(wide, flat);
    if (!status && !(numbers = malloc((size_t)(rows * COLUMNS) * sizeof *numbers)))
        status = report_error(ARGAND_MEMORY, "out of memory");
    if (!status) status = argand_array_download(wide, numbers);
    for (t->count = 0; t->count < rows && !status; t->count++)
        put_row(&t->rows[t->count], numbers + COLUMNS * t->count);
    free(numbers);
    argand_array_destroy(flat);
    argand_array_destroy(wide);
    argand_array_destroy(array);
    argand_device_close(host);
    return status;
}

/* Chooses the counter that has as many numbers as the table has rows. */
static argand_status choose_counter(argand_motion_counter *by, const sense_settings *s, const motion_table *t,
                                    const argand_scan *scan)
{
    int64_t counts[3];
    int fitting = 0;
    *by = (argand_motion_counter)(s->motion_by - 1);
    if (s->motion_by != AUTO) return ARGAND_OK;
    for (int i = 2; i >= 0; i--) {
        counts[i] = argand_scan_motion_rows(scan, s->session.encoding, (argand_motion_counter)i);
        if (t->count != counts[i]) continue;
        *by = (argand_motion_counter)i;
        fitting++;
    }
    if (fitting == 1) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT,
                        "--motion %s: has %lld rows, and the scan has %lld shots, %lld repetitions and %lld "
                        "segments: say --motion-by shot, repetition or segment",
                        s->motion, (long long)t->count, (long long)counts[0], (long long)counts[1],
                        (long long)counts[2]);
}

static argand_status read_known(argand_scan **scan, const sense_settings *s, const argand_scan *moving,
                                report *out)
{
    motion_table t = {.rows = malloc(MOST_ROWS * sizeof *t.rows)};
    argand_motion_counter by = ARGAND_MOTION_SHOTS;
    if (!t.rows) return report_error(ARGAND_MEMORY, "out of memory");
    argand_status status = path_is_array(s->motion) ? read_array(&t, s->motion) : read_text(&t, s->motion);
    if (!status) status = choose_counter(&by, s, &t, moving);
    if (!status) status = argand_scan_still(scan, moving, s->session.encoding, by, t.count, t.rows);
    if (!status)
        report_note(out,
                    "Motion: %s has the position of the object for %lld %s%s. The coils are taken as moving "
                    "with it.",
                    s->motion, (long long)t.count, motion_counter_name(by), t.count == 1 ? "" : "s");
    free(t.rows);
    return status;
}

/* Writes OUT-motion.tsv. */
static argand_status write_found(const sense_settings *s, const motion_found *found, report *out)
{
    char path[4200];
    if (s->stream || s->output.bids) return ARGAND_OK;
    snprintf(path, sizeof path, "%.*s-motion.tsv", (int)path_stem(s->output.path), s->output.path);
    TRY(motion_write(path, found));
    report_note(out, "%s: the motion, for --motion.", path);
    return ARGAND_OK;
}

static argand_status find_unknown(argand_scan **scan, const sense_settings *s, const argand_scan *moving,
                                  argand_device *host, bool writes, report *out)
{
    motion_found found = {0};
    sense_inputs in = {0};
    argand_sense_options o;
    report quiet;
    report_silent(&quiet, s->command);
    argand_status status = sense_find_options(s, host, moving, &in, &o, &quiet);
    const argand_motion_search search = {.encoding = o.encoding,
                                         .group = s->motion_group,
                                         .coils = o.coils,
                                         .calibration = o.calibration,
                                         .coil_maps = o.coil_maps,
                                         .coil_maps_name = o.coil_maps_name};
    if (!status) status = motion_find(&found, moving, s->motion_by, host, &search, out);
    if (!status && writes) status = write_found(s, &found, out);
    if (!status && found.moved)
        status = argand_scan_still(scan, moving, o.encoding, found.by, found.count, found.rows);
    sense_inputs_free(&in);
    free(found.rows);
    return status;
}

argand_status sense_motion_still(argand_scan **scan, const sense_settings *s, const argand_scan *moving,
                                 argand_device *host, bool writes, report *out)
{
    *scan = NULL;
    return strcmp(s->motion, "auto") ? read_known(scan, s, moving, out)
                                     : find_unknown(scan, s, moving, host, writes, out);
}
