/* SPDX-License-Identifier: BSD-3-Clause */
/* Damaged HDF5. HDF5 itself has bugs here, and loses memory wherever it fails: run with -fork=1
 * -ignore_crashes=1 -ignore_ooms=1 -ignore_timeouts=1 -detect_leaks=0 and
 * ASAN_OPTIONS=allocator_may_return_null=1, and look for reports whose first frame outside the C library and
 * the sanitizer is Argand's. */
#include "fuzz/scan_bytes.h"
#include "fuzz/scan_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char path[64], again[64];
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    snprintf(path, sizeof path, "/dev/shm/argand-fuzz-%ld.h5", (long)getpid());
    snprintf(again, sizeof again, "/dev/shm/argand-fuzz-%ld-2.h5", (long)getpid());
    bytes_prepare(path);
    bytes_file(bytes, count, path);
    scan_try(path, again, NULL);
    unlink(path);
    unlink(again);
    return 0;
}
