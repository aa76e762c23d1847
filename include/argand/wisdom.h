/* SPDX-License-Identifier: BSD-3-Clause */
/* wisdom.h: measurements of transforms, kept for later plans.
 *
 * The text begins with the line "argand wisdom 1". Each device has a line "device<TAB>NAME", followed by one
 * line for each problem, "PROBLEM<TAB>ENGINE<TAB>VARIANT<TAB>SECONDS". Lines that begin with # are comments.
 * If the inverse of a real problem was measured separately, it has the line "PROBLEM inverse". A problem with
 * accessors is "PROBLEM access load array store array" and so on, naming the accessors that cost time;
 * without such a line, plans with accessors use the line of the plain problem. "!copy" and "!launch" are
 * times of the device: seconds to read and write a gigabyte, and of the shortest launch.
 *
 * The first plan on a device reads the device's files: the wisdom shipped with Argand, then
 * wisdom/DEVICE.wisdom in the folder of argand_cache_describe, to which new measurements are written at once.
 * The environment variable ARGAND_WISDOM names another file for both, or is `off`: then nothing is read or
 * written. Unreadable and invalid files, lines and entries are ignored, except the file of ARGAND_WISDOM: if
 * it cannot be written or is not wisdom, plans with ARGAND_MEASURE fail (ARGAND_FILE) before anything is
 * measured. A GPU of compute capability 9.0 with at least 100 multiprocessors uses the H200's wisdom for
 * problems without an entry of its own (argand_fft_candidate_describe says so); ARGAND_MEASURE measures
 * there.
 *
 * Limits: lines of any number; a later line for the same device and problem replaces the earlier one.
 * Threads: all functions may be called by several threads at once, and by several processes that share the
 * folder. Refused: texts that are not wisdom (ARGAND_FORMAT), files that cannot be read or written
 * (ARGAND_FILE). NULL: see argand.h; `needed` may be NULL, and text may be NULL if size is 0. */
#ifndef ARGAND_WISDOM_H
#define ARGAND_WISDOM_H

#include "fft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds the entries of the text; they replace known ones. On ARGAND_FORMAT the message names the first invalid
 * line, and nothing is added. Entries of problems that cannot exist, and of engines and variants that this
 * version lacks, are left out: argand_fft_wisdom_left_out tells which. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_wisdom_import(const char *text);
/* Returns how many entries the last import or read of this thread left out, and writes a sentence about the
 * first of them, "" if there is none: 'line 3: "-7" is no size: ...'. */
ARGAND_API int argand_fft_wisdom_left_out(char *text, size_t size);
/* Writes all entries into text, at most size bytes with the NUL. *needed (may be NULL) receives the size that
 * holds them all. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_wisdom_export(char *text, size_t size, size_t *needed);
/* Imports from and exports to a file. The file is written completely or not at all. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_wisdom_read(const char *path);
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_wisdom_write(const char *path);
/* Reads the files of the device now, as the first plan would. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_wisdom_look(argand_device *device);
/* Forgets all entries; the next plan reads the files again. */
ARGAND_API void argand_fft_wisdom_forget(void);

#ifdef __cplusplus
}
#endif
#endif
