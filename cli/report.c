/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const char *json_string(char *text, size_t size, const char *words)
{
    size_t used = 0;
    text[used++] = '"';
    for (; *words && used + 8 < size; words++) {
        const unsigned char c = (unsigned char)*words;
        if (c == '"' || c == '\\')
            used += (size_t)snprintf(text + used, size - used, "\\%c", c);
        else if (c < 0x20)
            used += (size_t)snprintf(text + used, size - used, "\\u%04x", c);
        else
            text[used++] = (char)c;
    }
    text[used++] = '"';
    text[used] = 0;
    return text;
}

void report_begin(report *r, const char *name, const common_options *common)
{
    *r = (report){.command = name, .json = common->json, .quiet = common->quiet, .started = seconds_now()};
    r->terminal = !r->json && !r->quiet && isatty(STDERR_FILENO);
}

static void clear_bar(report *r)
{
    if (r->bar_open) fprintf(stderr, "\r\033[K");
    r->bar_open = false;
}

void report_note(report *r, const char *format, ...)
{
    char words[2048], quoted[4200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (r->json) {
        printf("{\"event\":\"note\",\"text\":%s}\n", json_string(quoted, sizeof quoted, words));
        fflush(stdout);
    } else if (!r->quiet) {
        clear_bar(r);
        fprintf(stderr, "%s\n", words);
    }
}

/* Stages of the same name are added up. */
void report_stage_end(report *r)
{
    char quoted[160];
    const double seconds = seconds_now() - r->stage_started;
    if (!*r->stage) return;
    int i = 0;
    while (i < r->stage_count && strcmp(r->stages[i].name, r->stage) != 0) i++;
    if (i < REPORT_STAGES) {
        snprintf(r->stages[i].name, sizeof r->stages[i].name, "%s", r->stage);
        r->stages[i].seconds += seconds;
        if (i == r->stage_count) r->stage_count++;
    }
    if (r->json) {
        printf("{\"event\":\"timing\",\"stage\":%s,\"seconds\":%.3f}\n",
               json_string(quoted, sizeof quoted, r->stage), seconds);
        fflush(stdout);
    }
    r->stage[0] = 0;
}

void report_stage(report *r, const char *format, ...)
{
    char quoted[160];
    va_list arguments;
    report_stage_end(r);
    va_start(arguments, format);
    vsnprintf(r->stage, sizeof r->stage, format, arguments);
    va_end(arguments);
    r->stage_started = seconds_now();
    r->drawn = 0;
    if (!r->json) return;
    printf("{\"event\":\"stage\",\"stage\":%s}\n", json_string(quoted, sizeof quoted, r->stage));
    fflush(stdout);
}

double report_seconds(const report *r)
{
    return seconds_now() - r->started;
}

static void print_time(char *text, size_t size, double seconds)
{
    if (seconds < 100)
        snprintf(text, size, "%.1f s", seconds);
    else
        snprintf(text, size, "%d:%02d min", (int)seconds / 60, (int)seconds % 60);
}

/* "iterations  [#####.....]  4/10  2.1 s, 3.2 s left  residual 1.2e-01" */
static void draw_bar(report *r, double done, double total, double elapsed, double left, double residual)
{
    enum { WIDTH = 30 };
    char bar[WIDTH + 1], spent[32], rest[32];
    const int full = total > 0 ? (int)(WIDTH * fmin(1, done / total)) : 0;
    for (int i = 0; i < WIDTH; i++) bar[i] = i < full ? '#' : '.';
    bar[WIDTH] = 0;
    print_time(spent, sizeof spent, elapsed);
    print_time(rest, sizeof rest, left);
    fprintf(stderr, "\r\033[K%s  [%s]  %g/%g  %s", r->stage, bar, done, total, spent);
    if (done > 0 && done < total) fprintf(stderr, ", %s left", rest);
    if (!isnan(residual)) fprintf(stderr, "  residual %.3e", residual);
    fflush(stderr);
    r->bar_open = true;
    if (done >= total) clear_bar(r);
}

void report_progress(report *r, double done, double total, double residual)
{
    const double time = seconds_now(), elapsed = time - r->stage_started;
    const double left = done > 0 ? elapsed * (total - done) / done : 0;
    if (r->json) {
        char stage[160];
        printf("{\"event\":\"progress\",\"stage\":%s,\"done\":%g,\"total\":%g,\"seconds\":%.3f,\"remaining\":"
               "%.3f",
               json_string(stage, sizeof stage, r->stage), done, total, elapsed, left);
        if (!isnan(residual)) printf(",\"residual\":%.9e", residual);
        printf("}\n");
        fflush(stdout);
    } else if (r->terminal && (time - r->drawn > 0.1 || done >= total)) {
        r->drawn = time;
        draw_bar(r, done, total, elapsed, left, residual);
    }
}

static char own_words[1024];

argand_status report_error(argand_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(own_words, sizeof own_words, format, arguments);
    va_end(arguments);
    return status;
}

int report_failure(report *r, argand_status status)
{
    const bool stopped = interrupted();
    char quoted[2200];
    clear_bar(r);
    const char *words = stopped        ? "stopped by Ctrl-C; nothing was written"
                        : own_words[0] ? own_words
                                       : argand_message();
    if (r->json)
        printf("{\"event\":\"error\",\"status\":\"%s\",\"message\":%s}\n", argand_status_name(status),
               json_string(quoted, sizeof quoted, words));
    fprintf(stderr, "argand %s: %s\n", r->command, words);
    return stopped ? 130 : (int)status;
}

void report_result(report *r, const char *fields_format, ...)
{
    if (!r->json) return;
    va_list arguments;
    va_start(arguments, fields_format);
    printf("{\"event\":\"result\",\"seconds\":%.3f,", seconds_now() - r->started);
    vprintf(fields_format, arguments);
    printf("}\n");
    fflush(stdout);
    va_end(arguments);
}
