/* SPDX-License-Identifier: BSD-3-Clause */
/* argand.h: Fourier imaging in C. Includes all other headers.
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
 * Rules for all functions: a function that can fail returns a status, and argand_message() returns the text
 * of the error. Outputs are the first arguments, options the last. A zeroed options struct means the
 * defaults. Every create has a destroy, which accepts NULL. The first dimension is the fastest. Precision is
 * part of the type (ARGAND_C32, ARGAND_C64). Signs, units and scalings are in docs/conventions.md and
 * repeated where they matter. The library never prints, aborts or exits. Numbers in texts have a decimal
 * point in every locale.
 *
 * NULL: a required pointer that is NULL gives ARGAND_ARGUMENT and a message that names the argument. After a
 * failed create the pointer for the new object is NULL, if there is such a pointer. Destroy and close accept
 * NULL. A query about NULL returns 0, false, NULL or "" (describe: all zeros; print: ""). A query without a
 * status ignores a NULL result pointer. Options may be NULL where the function says so, or if all options
 * have defaults.
 *
 * Limits: see each header. A request for more memory than exists is ARGAND_MEMORY, for more than 2^63 bytes
 * ARGAND_MEMORY or ARGAND_ARGUMENT. Refused: arguments are checked before anything is computed or written,
 * unless a header says otherwise.
 *
 * Threads: several threads may use an object at once as long as none changes it (plans, arrays that are
 * read). Creating, changing or destroying an object, and changing the settings of a device, is for one
 * thread. Operators (op.h) hold work memory and are for one thread at a time. Each thread has its own
 * message.
 *
 * Parallel regions run on the library's own threads (if built by GCC on Linux): they sleep while they wait,
 * are fewer if the system has no more threads, and do not multiply inside a parallel region of the program.
 * After fork, the child computes in threads of its own. (With another compiler's OpenMP the child computes in
 * one thread, and argand_device_threads returns 1.) Do not fork while another thread is inside a call, and do
 * not use a GPU in the child. */
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
#include "comm.h"
#include "dist_conv.h"
#include "dist_nufft.h"
#include "dist_toeplitz.h"
#include "dist.h"
#include "penalty.h"
#include "solve.h"
#include "mri.h"
#include "calib.h"
#include "frames.h"
#include "maps.h"
#include "io.h"
#include "dicom.h"
#include "pack.h"
#include "epi.h"
#include "picture.h"
#include "report.h"
#include "recon.h"

#endif
