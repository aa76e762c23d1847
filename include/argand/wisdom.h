/* SPDX-License-Identifier: BSD-3-Clause */
/* wisdom.h: what was measured of transforms, kept for later plans.
 * A text: the line "argand wisdom 1", then for each device "device<TAB>NAME" and below it a line for each
 * problem, "PROBLEM<TAB>ENGINE<TAB>VARIANT<TAB>SECONDS"; lines that begin with # are remarks. A real
 * problem's inverse has a line of its own, "PROBLEM inverse", where it was measured separately. With
 * accessors it is "PROBLEM access load array store array" and so on, which names those that cost time; plans
 * with accessors of which nothing is known take what is known of the plain one. The problems
 * "!copy" and "!launch" are figures of the device: seconds of a gigabyte read and written, and of the
 * shortest work. With a device's first plan its files are looked for: what Argand brings for it, then
 * wisdom/DEVICE.wisdom in the folder of argand_cache_describe, where measurements are written at once. The
 * environment variable ARGAND_WISDOM names another file for both, or says `off`: nothing is looked for or
 * remembered. Files that cannot be read or make no sense are as if they were not there; but where
 * ARGAND_WISDOM names a file that cannot be written, or holds something else, plans that are measured are an
 * error (ARGAND_FILE), before anything is measured. A GPU of capability
 * 9.0 with a hundred multiprocessors or more, for which nothing is known of a problem, takes what was fastest
 * on the H200 (argand_fft_candidate_describe says so); ARGAND_MEASURE measures there.
 *
 * Limits: lines of any number; of a device and a problem one line is kept, the later one. Threads: all of
 * these may be called by several threads at once, and by several processes with one folder. Refused: texts
 * that are no wisdom (ARGAND_FORMAT), files that cannot be read or written (ARGAND_IO). NULL: see argand.h;
 * the needed size may be NULL, and the text where its size is 0. */
#ifndef ARGAND_WISDOM_H
#define ARGAND_WISDOM_H

#include "fft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds what the text says, over what is known. ARGAND_FORMAT names the first line that makes no sense; then
 * nothing is added. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_wisdom_import(const char *text);
/* All that is known, as text of at most size bytes with its NUL; *needed (may be NULL): the size that holds
 * all of it. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_wisdom_export(char *text, size_t size, size_t *needed);
/* The same from and to a file, which appears complete or not at all. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_wisdom_read(const char *path);
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_wisdom_write(const char *path);
/* Looks for the device's files now, as its first plan would. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_wisdom_look(argand_device *device);
/* As when the program began: nothing is known, and files are looked for again. */
ARGAND_API void argand_fft_wisdom_forget(void);

#ifdef __cplusplus
}
#endif
#endif
