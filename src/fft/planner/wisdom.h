/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of measurements: for a device and a problem, the fastest engine and variant. Stored as text
 * lines, described in include/argand/wisdom.h. */
#ifndef FFT_PLANNER_WISDOM_H
#define FFT_PLANNER_WISDOM_H

#include <argand/wisdom.h>
#include "base/text.h"
#include "fft/problem/problem.h"

/* Source of an entry; a later source replaces an earlier one. */
typedef enum wisdom_source { WISDOM_SHIPPED, WISDOM_FILE, WISDOM_SESSION } wisdom_source;

typedef struct wisdom_entry {
    char *device, *problem, *engine, *variant; /* one allocation, which begins at device */
    double seconds;
    wisdom_source source;
} wisdom_entry;

enum { WISDOM_MOST = 1 << 18 }; /* entries kept at most */

typedef struct wisdom {
    int count;
    int64_t capacity;
    wisdom_entry *list; /* sorted by device, then problem */
} wisdom;

/* ---- wisdom.c: entries and their text ---- */

/* Writes "c32 256x256 batch 32": all that the choice depends on. With accessors, " access load array" and
 * so on follow (access/key.c). */
void wisdom_key(text *key, const fft_problem *problem);

const wisdom_entry *wisdom_find(const wisdom *w, const char *device, const char *problem);
/* Returns the same problem with the nearest batch up to 16 times as large or as small, the smaller of two
 * equally near ones; NULL: none. The fastest variant hardly depends on the batch, except that a batch of 1
 * only serves itself: one transform leaves a device idle that several fill (two of 64^3 on an H200: 7.3 us
 * by prediction, 19 with the tuning of one; docs/performance/fft-few.md). */
const wisdom_entry *wisdom_find_near(const wisdom *w, const char *device, const char *problem);
/* Adds an entry, with copies of its texts. */
argand_status wisdom_put(wisdom *w, const wisdom_entry *entry);
/* Adds all entries of `more`, in any order, and empties it; after a failure w is unchanged. For each
 * problem the entry of the later source is kept, from one source the later entry. */
argand_status wisdom_merge(wisdom *w, wisdom *more);
/* Which lines of a text are taken. An invalid line is not one of problem, engine, variant and seconds. */
typedef enum wisdom_care {
    WISDOM_WHOLE, /* of a file to be written again: all but invalid lines, as other versions may know more */
    WISDOM_SOUND, /* of a file: also none of problems that cannot exist; plans look for engine and variant */
    WISDOM_STRICT /* of the user: also none of unknown engines and variants; an invalid line is an error */
} wisdom_care;
/* What was left out of a text: a count, and a sentence about the first entry. */
typedef struct wisdom_left_out {
    int count;
    char first[192];
} wisdom_left_out;
/* Adds the entries of a text. left_out may be NULL. A wrong first line is an error for the whole text. */
argand_status wisdom_parse(wisdom *w, const char *chars, wisdom_source source, wisdom_care care,
                           wisdom_left_out *left_out);
void wisdom_print(text *t, const wisdom *w);
void wisdom_release(wisdom *w);

/* wisdom_check.c: return true if the problem can exist, and if this version has the engine and the variant;
 * otherwise add the reason to *why. */
bool wisdom_has_problem(const char *problem, text *why);
bool wisdom_has_engine(const wisdom_entry *entry, text *why);

/* ---- wisdom_file.c: files ---- */

/* Writes the path of the file with a device's own measurements; returns false if there is none. */
bool wisdom_path(char *path, size_t size, const char *device);
/* Adds Argand's own entries for the device, and those of its file; ignores errors in them. */
void wisdom_load(wisdom *w, const char *device);
/* Adds an entry to the device's file, and keeps what other processes wrote meanwhile. If ARGAND_WISDOM
 * names a file, failing to write it is an error. */
argand_status wisdom_store(const wisdom_entry *entry);
/* Returns the same error before anything is measured. */
argand_status wisdom_check_file(void);
/* Reads a whole file, at most 16 MB. */
argand_status wisdom_read_file(char **chars, const char *path);

/* ---- wisdom_session.c: wisdom of the process ---- */

/* Wisdom about a problem on a device. */
typedef struct wisdom_answer {
    char engine[32], variant[160];
    double seconds;     /* 0: measured with another batch, or on another chip */
    char relative[160]; /* the other chip; empty: the device itself */
} wisdom_answer;
/* Looks up a problem. answer[0]: the transform, for real ones both directions. answer[1]: the inverse of a
 * real one; the same engine, with 0 seconds, if it has no entry of its own. */
argand_status wisdom_ask(bool *known, wisdom_answer answer[2], argand_device *device,
                         const fft_problem *problem);
/* Keeps a result in this process and in the device's file, unless ARGAND_WISDOM is `off`. inverse: for the
 * inverse of a real problem, as an entry of its own after the one for both. Errors as in wisdom_store. */
argand_status wisdom_remember(argand_device *device, const fft_problem *problem, bool inverse,
                              const char *engine, const char *variant, double seconds);

/* Follows a real problem's key in the entry of its inverse. Older versions ignore it and use one engine
 * for both directions. */
#define WISDOM_INVERSE " inverse"

/* Figures of a device (model.h), kept as problems with reserved names. */
#define MODEL_COPY "!copy"
#define MODEL_LAUNCH "!launch"
bool wisdom_figure(double *seconds, argand_device *device, const char *name);
void wisdom_keep_figure(argand_device *device, const char *name, double seconds);

/* wisdom_shipped.c, made by embed.cmake from share/wisdom: file names and texts, ended by NULL. */
typedef struct wisdom_text {
    const char *file, *chars;
} wisdom_text;
extern const wisdom_text wisdom_shipped[];

#endif
