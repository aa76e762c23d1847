/* SPDX-License-Identifier: BSD-3-Clause */
/* What a command reports while it works: a progress bar and notes for people (standard error), or with --json
 * one event a line for programs (standard output):
 *   {"event":"note","text":...}
 *   {"event":"stage","stage":"reconstructing"}
 *   {"event":"timing","stage":"reconstructing","seconds":1.9}
 *   {"event":"progress","stage":...,"where":"volume 2 of 5","step":3,"steps":10,"done":13,"total":50,
 *    "seconds":1.2,"remaining":2.8,"residual":0.1}
 *   {"event":"result",...}   {"event":"error","status":"file","message":...} */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "common/command.h"
#include "common/live.h"
#include "common/print.h"

enum { REPORT_STAGES = 16 };

typedef struct report_timing {
    char name[64];
    double seconds;
} report_timing;

typedef struct report {
    const char *command;
    bool json, quiet, terminal;
    bool silent; /* shows and writes nothing: another rank speaks for all */
    double started, drawn, stage_started;
    char stage[64];
    report_timing stages[REPORT_STAGES]; /* stages that have ended */
    int stage_count;
    char where[96];
    int step, steps, history_count;
    double penalty;                      /* penalty of the next step, for --progress jsonl */
    double value, history[LIVE_HISTORY]; /* of this volume; when full, every second value is dropped */
    int item, items;                     /* of several inputs, from 0; items 0: a single one */
    double first_started;                /* when the first input began */
} report;

void report_begin(report *r, const char *name, const common_options *common);
/* Makes a report that shows nothing, for ranks that rank 0 speaks for. */
void report_silent(report *r, const char *name);
/* Begins the next of several inputs: times and the last error are its own, the progress bar is that of all,
 * and results are the event "scan". With items 0, results are "result" again. */
void report_next(report *r, int item, int items);
/* Prints a note; nothing if r is NULL. */
void report_note(report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints argand_geometry's `note` about an image's place in the patient, if there is one. */
void report_place(report *r, const char *path, const argand_geometry *place);
/* Begins a stage. This ends the previous stage and restarts the estimate of the remaining time.
 * report_stage_end ends the last stage. */
void report_stage(report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void report_stage_end(report *r);
/* Says what is being computed ("volume 2 of 12, slice 4") and begins a new curve. */
void report_where(report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Reports an iteration with a value to show, such as the residual (NAN: none). The next report_progress
 * displays both. */
void report_step(report *r, int step, int steps, double value);
/* Reports `done` of `total` for the whole stage. */
void report_progress(report *r, double done, double total);
/* Shows to people the library's activity in a stage without iterations (argand_activity). */
void report_activity(const char *what, double fraction);
/* Returns the seconds since the command began. */
double report_seconds(const report *r);
/* Keeps the message of an error that the command found, for report_failure, and returns the status. */
argand_status report_error(argand_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Reports an error of the command line, found before a report began: as text, and with --json also as an
 * event. */
int report_misuse(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Sets whether the command line asks for events; main() finds this out before any command does. */
void report_expect_json(bool json);
/* Shows a finished volume, complex {nx, ny, nz}, for --progress jsonl. */
void report_preview(const argand_array *image);
/* Returns the message that report_failure would print now. */
const char *report_message(void);
/* Prints report_error's message or argand_message() with the command's name and returns the exit code: 130
 * after Ctrl-C, else the status. */
int report_failure(report *r, argand_status status);
/* Prints {"event":"result",...} with --json: the fields are JSON without braces. */
void report_result(report *r, const char *fields_format, ...) __attribute__((format(printf, 2, 3)));
/* Moves the files of a command to their final names, all or none; they remain whatever happens later.
 * main() calls this if the command does not. Ctrl-C is held back meanwhile. */
argand_status report_commit(void);
/* Ends a command that returned `exit_code`: moves or removes its files, and reports an error if standard
 * output could not be written. Returns the exit code of the program. */
int report_end(const char *name, int exit_code);

#endif
