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
    double started, drawn, stage_started;
    char stage[64];
    report_timing stages[REPORT_STAGES]; /* those that are over */
    int stage_count;
    char where[96];
    int step, steps, history_count;
    double penalty;                      /* of the next step, for --progress jsonl */
    double value, history[LIVE_HISTORY]; /* of this volume; every second one is dropped when it is full */
} report;

void report_begin(report *r, const char *name, const common_options *common);
/* r NULL: nothing is said. */
void report_note(report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints argand_geometry's `note` about an image's place in the patient, if there is one. */
void report_place(report *r, const char *path, const argand_geometry *place);
/* A new stage ends the one before and starts the clock of the remaining time (report_stage_end: none is
 * left). */
void report_stage(report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void report_stage_end(report *r);
/* What is computed now ("volume 2 of 12, slice 4"); its curve begins anew. */
void report_where(report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* An iteration of it, with a figure worth watching (NAN for none), say the residual; shown by the next
 * report_progress. */
void report_step(report *r, int step, int steps, double value);
/* done of total, of the whole stage. */
void report_progress(report *r, double done, double total);
/* What the library is at within a stage that has no iterations (argand_activity), for people alone. */
void report_activity(const char *what, double fraction);
/* Since the command began. */
double report_seconds(const report *r);
/* An error that the command found itself: keeps the message for report_failure and returns the status. */
argand_status report_error(argand_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* An error of the command line, found before a report began: words, and with --json on the line an event. */
int report_misuse(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Whether the line asks for events, as main() sees it before any command does. */
void report_expect_json(bool json);
/* A volume that is done, for --progress jsonl: complex {nx, ny, nz}. */
void report_preview(const argand_array *image);
/* What it would print now. */
const char *report_message(void);
/* Prints report_error's message or argand_message() with the command's name and returns the exit code: 130
 * after Ctrl-C, else the status. */
int report_failure(report *r, argand_status status);
/* For {"event":"result",...}: the fields as JSON without braces; printed with --json only. */
void report_result(report *r, const char *fields_format, ...) __attribute__((format(printf, 2, 3)));
/* What a command wrote takes its places, all files or none, and remains there whatever comes later; main()
 * does it where the command does not. Not while Ctrl-C would leave a part of them. */
argand_status report_commit(void);
/* The end of a command that returned `exit_code`: its files are put into their places or removed, and
 * standard output that could not be written is an error of its own. Returns the exit code of the program. */
int report_end(const char *name, int exit_code);

#endif
