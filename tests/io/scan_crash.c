/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes scans with one byte changed, found by the fuzzer: HDF5 1.10.8 divides by zero when it opens the
 * first. scan_crash FOLDER writes FOLDER/crash-N.h5. */
#include "fuzz/scan_bytes.h"

static const uint8_t changes[][4] = {
    {0x00, 0xff, 0x28, 0x00}, /* place in the file, low byte first; new value */
    {0x00, 0x01, 0x00, 0xff},
};

int main(int argc, char **argv)
{
    char path[4096];
    if (argc != 2) return 1;
    snprintf(path, sizeof path, "%s/whole.h5", argv[1]);
    bytes_prepare(path);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        snprintf(path, sizeof path, "%s/crash-%zu.h5", argv[1], i);
        bytes_file(changes[i], sizeof changes[i], path);
    }
    return 0;
}
