/* SPDX-License-Identifier: BSD-3-Clause */
/* argand.h: Fourier imaging in C. Includes all the rest.
 *
 * Open a device, put elements into arrays on it, plan a transform, apply it:
 *
 *     #include <argand/argand.h>
 *
 *     argand_device *device;
 *     argand_fft *plan;
 *     argand_array *image, *spectrum;
 *     const int64_t dims[2] = {256, 256};
 *     const argand_fft_options options = {
 *         .type = ARGAND_C32, .rank = 2, .n = {256, 256}, .centred = true};
 *
 *     if (argand_device_open(&device, "auto") ||
 *         argand_array_create(&image, device, ARGAND_C32, 2, dims) ||
 *         argand_array_create(&spectrum, device, ARGAND_C32, 2, dims) ||
 *         argand_fft_create(&plan, device, &options) ||
 *         argand_array_upload(image, pixels) ||
 *         argand_fft_apply(plan, spectrum, image, ARGAND_FORWARD) ||
 *         argand_array_download(spectrum, result))
 *         fprintf(stderr, "%s\n", argand_message());
 *
 * Rules that hold everywhere: functions that can fail return a status, and argand_message() has the text;
 * outputs come first, options last; a zeroed options struct means the defaults; create is undone by destroy,
 * which accepts NULL; the first dimension is the fastest; precision is a value (ARGAND_C32, ARGAND_C64).
 * Signs, units and scalings are in docs/conventions.md and repeated where they matter. The library never
 * prints, aborts or exits. Texts that it reads and writes have a decimal point, whatever the program's
 * locale.
 *
 * NULL: where a function needs what a pointer leads to, NULL is ARGAND_ARGUMENT with a message that says what
 * is missing, and the place of a new object, where there is one, holds NULL after every failure. What
 * destroys or closes takes NULL in silence. Questions about NULL are answered by 0, false, NULL or ""
 * (describe: all zeros; print: ""), and a NULL place for an answer is no fault where the function returns no
 * status. Options may be NULL where the function says so, or where every option has a default. Limits: what
 * each header says and, everywhere, memory: more than there is, or than 2^63 bytes, is ARGAND_MEMORY or
 * ARGAND_ARGUMENT. Refused: what a header refuses is refused before anything is computed or written, unless
 * it says otherwise.
 *
 * Threads: objects may be used by several threads at once where nothing changes them (plans, arrays that are
 * read); what creates, changes or destroys an object is for one thread, and so is a device's settings.
 * Operators (op.h) keep work memory of their own and are for one thread at a time.
 * Messages are each thread's own. Threads of parallel regions are the library's own (built by GCC on Linux):
 * they sleep when they wait, are as many as the system has where it lacks some, and do not multiply within a
 * parallel region of the program's OpenMP. A process that was forked computes in threads of its own. (With
 * another compiler's OpenMP it computes in one thread, and argand_device_threads says 1.) Do not fork while
 * another thread is inside a call, and use no GPU in such a child. */
#ifndef ARGAND_H
#define ARGAND_H

#include "status.h"
#include "observer.h"
#include "device.h"
#include "array.h"
#include "segments.h"
#include "fft.h"
#include "fft_info.h"
#include "wisdom.h"
#include "conv.h"
#include "deconv.h"
#include "nufft.h"
#include "nufft3.h"
#include "toeplitz.h"
#include "field.h"
#include "op.h"
#include "penalty.h"
#include "solve.h"
#include "mri.h"
#include "calib.h"
#include "io.h"
#include "picture.h"
#include "report.h"
#include "recon.h"

#endif
