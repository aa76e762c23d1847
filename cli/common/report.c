/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/report.h"
#include "common/jsonl.h"
#include "common/screen.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool json_wanted;
static report *begun; /* the report of the running command */

void report_begin(report *r, const char *name, const common_options *common)
{
    json_wanted = common->json;
    interrupt_message(name, common->json);
    *r = (report){.command = name, .json = common->json, .quiet = common->quiet, .started = seconds_now()};
    if (common->progress && !jsonl_is_on()) jsonl_start(name);
    r->terminal = !r->json && !r->quiet && !jsonl_is_on() && live_ask().can_draw;
    r->value = NAN;
    begun = r;
}

void report_silent(report *r, const char *name)
{
    *r = (report){.command = name, .quiet = true, .silent = true, .started = seconds_now(), .value = NAN};
}

void report_note(report *r, const char *format, ...)
{
    char message[2048], quoted[6 * sizeof message];
    va_list arguments;
    if (!r || r->silent) return;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    jsonl_log("info", message);
    if (r->json) {
        print_json_line("{\"event\":\"note\",\"text\":%s}", json_string(quoted, sizeof quoted, message));
    } else if (!r->quiet && !jsonl_is_on()) {
        screen_clear();
        print_whole(stderr, "", message);
    }
}

void report_place(report *r, const char *path, const argand_geometry *place)
{
    if (place->note) report_note(r, "%s: %s.", path, place->note);
}

/* Ends a stage; the times of stages of the same name are added. */
void report_stage_end(report *r)
{
    char quoted[400];
    const double seconds = seconds_now() - r->stage_started;
    if (!*r->stage) return;
    int i = 0;
    while (i < r->stage_count && strcmp(r->stages[i].name, r->stage) != 0) i++;
    if (i < REPORT_STAGES) {
        snprintf(r->stages[i].name, sizeof r->stages[i].name, "%s", r->stage);
        r->stages[i].seconds += seconds;
        if (i == r->stage_count) r->stage_count++;
    }
    if (r->json)
        print_json_line("{\"event\":\"timing\",\"stage\":%s,\"seconds\":%.3f}",
                        json_string(quoted, sizeof quoted, r->stage), seconds);
    r->stage[0] = 0;
}

void report_stage(report *r, const char *format, ...)
{
    char quoted[400];
    va_list arguments;
    report_stage_end(r);
    va_start(arguments, format);
    vsnprintf(r->stage, sizeof r->stage, format, arguments);
    va_end(arguments);
    r->stage_started = seconds_now();
    r->drawn = 0;
    report_where(r, "%s", "");
    if (!r->json) return;
    print_json_line("{\"event\":\"stage\",\"stage\":%s}", json_string(quoted, sizeof quoted, r->stage));
}

double report_seconds(const report *r)
{
    return seconds_now() - r->started;
}

void report_where(report *r, const char *format, ...)
{
    va_list arguments;
    int used = 0;
    char text[sizeof r->where];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (r->items) used = snprintf(r->where, sizeof r->where, "scan %d of %d", r->item + 1, r->items);
    snprintf(r->where + used, sizeof r->where - (size_t)used, "%s%.60s", used && *text ? ", " : "", text);
    r->history_count = r->step = r->steps = 0;
    r->value = NAN;
    if (!r->silent) jsonl_done();
}

void report_step(report *r, int step, int steps, double value)
{
    r->step = step;
    r->steps = steps;
    r->value = value;
    if (r->history_count == LIVE_HISTORY) {
        for (int i = 0; i < LIVE_HISTORY / 2; i++) r->history[i] = r->history[2 * i + 1];
        r->history_count = LIVE_HISTORY / 2;
    }
    r->history[r->history_count++] = value;
    if (!r->silent) jsonl_step(r->where, step, steps, value, r->penalty);
}

static void draw_view(report *r, double done, double total, double elapsed, double left)
{
    const live_state state = {.stage = r->stage,
                              .where = r->where,
                              .done = done,
                              .total = total,
                              .step = r->step,
                              .steps = r->steps,
                              .elapsed = elapsed,
                              .left = done > 0 && done < total ? left : -1,
                              .value = r->value,
                              .history = r->history,
                              .history_count = r->history_count};
    screen_draw(&state);
}

/* Shows an activity, unless the curve of iterations is on the screen. */
void report_activity(const char *what, double fraction)
{
    report *r = begun;
    if (!what || !r || !r->terminal || !*r->stage || r->steps) return;
    const double time = seconds_now();
    if (time - r->drawn < 0.1) return;
    r->drawn = time;
    screen_draw(&(live_state){.stage = r->stage,
                              .where = what,
                              .done = fraction > 0 && fraction < 1 ? fraction : 0,
                              .total = 1,
                              .elapsed = time - r->stage_started,
                              .left = -1,
                              .value = NAN});
}

static void print_progress(const report *r, double done, double total, double elapsed, double left)
{
    char stage[400], where[600], place[640] = "", steps[64] = "", residual[48] = "";
    json_string(stage, sizeof stage, r->stage);
    json_string(where, sizeof where, r->where);
    if (*r->where) snprintf(place, sizeof place, "\"where\":%s,", where);
    if (r->steps) snprintf(steps, sizeof steps, "\"step\":%d,\"steps\":%d,", r->step, r->steps);
    if (r->value - r->value == 0) snprintf(residual, sizeof residual, ",\"residual\":%.9e", r->value);
    print_json_line("{\"event\":\"progress\",\"stage\":%s,%s%s\"done\":%g,\"total\":%g,\"seconds\":%.3f,"
                    "\"remaining\":%.3f%s}",
                    stage, place, steps, done, total, elapsed, left, residual);
}

void report_progress(report *r, double done, double total)
{
    const double time = seconds_now();
    const double elapsed = time - (r->items ? r->first_started : r->stage_started);
    if (r->items) {
        done = r->item + (total > 0 ? done / total : 0);
        total = r->items;
    }
    const double left = done > 0 ? elapsed * (total - done) / done : 0;
    if (r->json) {
        print_progress(r, done, total, elapsed, left);
    } else if (r->terminal && (time - r->drawn > 0.1 || done >= total)) {
        r->drawn = time;
        draw_view(r, done, total, elapsed, left);
    }
}

static _Thread_local char own_message[4096];

void report_next(report *r, int item, int items)
{
    report_stage_end(r);
    if (!item && items) r->first_started = r->started;
    r->started = items ? seconds_now() : r->first_started;
    r->item = item;
    r->items = items;
    r->stage_count = 0;
    own_message[0] = 0;
}

argand_status report_error(argand_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(own_message, sizeof own_message, format, arguments);
    va_end(arguments);
    return status;
}

const char *report_message(void)
{
    return own_message[0] ? own_message : argand_message();
}

static void print_failure(const char *name, const char *message)
{
    char prefix[80];
    snprintf(prefix, sizeof prefix, "argand%s%.64s: ", *name ? " " : "", name);
    print_whole(stderr, prefix, message);
}

int report_failure(report *r, argand_status status)
{
    const bool stopped = interrupted();
    if (r->silent) return stopped ? 130 : (int)status;
    char quoted[6 * 4096];
    screen_clear();
    const char *message = stopped ? interrupt_reason() : report_message();
    if (r->json)
        print_json_line("{\"event\":\"error\",\"status\":\"%s\",\"message\":%s}", argand_status_name(status),
                        json_string(quoted, sizeof quoted, message));
    jsonl_log("error", message);
    if (!jsonl_is_on()) print_failure(r->command, message);
    return stopped ? 130 : (int)status;
}

void report_expect_json(bool json)
{
    json_wanted = json;
}

int report_misuse(const char *name, const char *format, ...)
{
    char message[1024], quoted[6 * sizeof message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (json_wanted)
        print_json_line("{\"event\":\"error\",\"status\":\"%s\",\"message\":%s}",
                        argand_status_name(ARGAND_ARGUMENT), json_string(quoted, sizeof quoted, message));
    print_failure(name, message);
    return ARGAND_ARGUMENT;
}

void report_preview(const argand_array *image)
{
    int64_t n[3];
    argand_array *magnitude = NULL;
    float *pixels = NULL;
    if (!jsonl_is_on() || !image) return;
    for (int d = 0; d < 3; d++) n[d] = argand_array_dim(image, d);
    const bool wide = argand_array_type(image) == ARGAND_C64;
    argand_status status = argand_array_create(&magnitude, argand_array_device(image),
                                               wide ? ARGAND_R64 : ARGAND_R32, argand_array_rank(image), n);
    if (!status) status = argand_array_abs(magnitude, image);
    if (!status && wide) {
        argand_array *narrow = NULL;
        status =
            argand_array_create(&narrow, argand_array_device(image), ARGAND_R32, argand_array_rank(image), n);
        if (!status) status = argand_array_copy(narrow, magnitude);
        argand_array_destroy(magnitude);
        magnitude = narrow;
    }
    if (!status) pixels = malloc((size_t)argand_array_count(image) * sizeof *pixels);
    if (pixels && !argand_array_download(magnitude, pixels)) jsonl_preview(pixels, n);
    free(pixels);
    argand_array_destroy(magnitude);
}

static bool output_lost;

/* Returns an error if events or tables could not be written to standard output. */
static argand_status check_output(void)
{
    errno = 0;
    output_lost = output_lost || fflush(stdout) || ferror(stdout);
    if (!output_lost) return ARGAND_OK;
    clearerr(stdout);
    return report_error(ARGAND_FILE, "standard output could not be written%s%s",
                        errno ? ": " : " (is its disk full?)", errno ? strerror(errno) : "");
}

argand_status report_commit(void)
{
    TRY(check_output());
    interrupt_hold(true);
    const argand_status status = argand_files_commit();
    interrupt_hold(false);
    return status;
}

/* Does the same as report_failure for errors after the command has returned. */
static int fail_late(const char *name, argand_status status, const char *message)
{
    char quoted[2200];
    if (json_wanted)
        printf("{\"event\":\"error\",\"status\":\"%s\",\"message\":%s}\n", argand_status_name(status),
               json_string(quoted, sizeof quoted, message));
    print_failure(name, message);
    return (int)status;
}

int report_end(const char *name, int exit_code)
{
    begun = NULL; /* the report ended with the command */
    argand_status status = exit_code ? ARGAND_OK : report_commit();
    if (!status && !exit_code) status = check_output();
    if (status) exit_code = fail_late(name, status, *own_message ? own_message : argand_message());
    if (exit_code) argand_files_abandon();
    jsonl_exit(exit_code);
    return exit_code;
}

void report_result(report *r, const char *fields_format, ...)
{
    char *fields;
    if (!r->json) return;
    va_list arguments;
    va_start(arguments, fields_format);
    if (vasprintf(&fields, fields_format, arguments) < 0) fields = NULL;
    va_end(arguments);
    print_json_line("{\"event\":\"%s\",\"seconds\":%.3f,%s}", r->items ? "scan" : "result",
                    seconds_now() - r->started, fields ? fields : "\"message\":\"out of memory\"");
    free(fields);
}
