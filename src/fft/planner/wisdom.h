/* SPDX-License-Identifier: BSD-3-Clause */
/* What was measured: for a device and a problem, the engine and variant that were fastest. A text of lines,
 * described in include/argand/fft.h. */
#ifndef FFT_PLANNER_WISDOM_H
#define FFT_PLANNER_WISDOM_H

#include <argand/wisdom.h>
#include "base/text.h"
#include "fft/problem/problem.h"

/* Where an entry comes from; a later source replaces what an earlier one said. */
typedef enum wisdom_source { WISDOM_SHIPPED, WISDOM_FILE, WISDOM_SESSION } wisdom_source;

typedef struct wisdom_entry {
    char *device, *problem, *engine, *variant; /* one allocation, at device */
    double seconds;
    wisdom_source source;
} wisdom_entry;

enum { WISDOM_MOST = 1 << 18 }; /* entries that are kept */

typedef struct wisdom {
    int count, capacity;
    wisdom_entry *list; /* in the order of device, then problem */
} wisdom;

/* ---- wisdom.c: entries and their text ---- */

/* "c32 256x256 batch 32": all that the choice depends on. With accessors " access load array" and so on
 * follow (access/key.c). */
void wisdom_key(text *key, const fft_problem *problem);

const wisdom_entry *wisdom_find(const wisdom *w, const char *device, const char *problem);
/* The same problem with the nearest batch up to 16 times as large or as small, the smaller one of two as
 * near: what is fastest hardly changes with the batch; NULL where there is none. One transform is near to
 * none of several: it leaves a device idle that they fill (two of 64^3 on an H200: 7.3 us by prediction, 19
 * by the tuning of one; docs/performance/fft-few.md). */
const wisdom_entry *wisdom_find_near(const wisdom *w, const char *device, const char *problem);
/* Keeps copies of the entry's text. */
argand_status wisdom_put(wisdom *w, const wisdom_entry *entry);
/* Puts all of `more` in, whatever their order, and empties it; w is as it was after a failure. Of entries of
 * one problem that of the better source is kept, of the same source the later one. */
argand_status wisdom_merge(wisdom *w, wisdom *more);
/* Adds the text's entries. strict: a line that makes no sense is an error that is named, else it is passed
 * over; a first line that is not the header makes the whole text an error. */
argand_status wisdom_parse(wisdom *w, const char *chars, wisdom_source source, bool strict);
void wisdom_print(text *t, const wisdom *w);
void wisdom_release(wisdom *w);

/* ---- wisdom_file.c: the files ---- */

/* The file of a device's own measurements; false where there is to be none. */
bool wisdom_path(char *path, size_t size, const char *device);
/* Adds what Argand brings for the device and what its file says; nothing that is wrong with them matters. */
void wisdom_load(wisdom *w, const char *device);
/* Adds an entry to the device's file, with all that others wrote there meanwhile. That it cannot be written
 * is an error where ARGAND_WISDOM names the file. */
argand_status wisdom_store(const wisdom_entry *entry);
/* The same error before anything is measured. */
argand_status wisdom_check_file(void);
/* The whole of a file; at most 16 MB. */
argand_status wisdom_read_file(char **chars, const char *path);

/* ---- wisdom_session.c: what the process knows ---- */

/* What is known of the problem on that device. */
typedef struct wisdom_answer {
    char engine[32], variant[160];
    double seconds;     /* 0: measured with another batch, or on another chip */
    char relative[160]; /* the other chip; empty: the device itself */
} wisdom_answer;
/* answer[0]: of the transform, where real of both directions; answer[1]: of the inverse of a real one, the
 * same engine where nothing else is known (its seconds are then 0). */
argand_status wisdom_ask(bool *known, wisdom_answer answer[2], argand_device *device,
                         const fft_problem *problem);
/* Remembers it, here and in the device's file; not where ARGAND_WISDOM is `off`. inverse: for the inverse of
 * a real problem, as an entry of its own behind the one for both. Errors as of wisdom_store. */
argand_status wisdom_remember(argand_device *device, const fft_problem *problem, bool inverse,
                              const char *engine, const char *variant, double seconds);

/* What follows a real problem's key in the entry of its inverse. Versions that do not know it take one
 * engine for both. */
#define WISDOM_INVERSE " inverse"

/* Figures of a device (model.h), kept among the problems under names that no problem has. */
#define MODEL_COPY "!copy"
#define MODEL_LAUNCH "!launch"
bool wisdom_figure(double *seconds, argand_device *device, const char *name);
void wisdom_keep_figure(argand_device *device, const char *name, double seconds);

/* wisdom_shipped.c, made by embed.cmake from share/wisdom: name of the file and its text; NULL-ended. */
typedef struct wisdom_text {
    const char *file, *chars;
} wisdom_text;
extern const wisdom_text wisdom_shipped[];

#endif
