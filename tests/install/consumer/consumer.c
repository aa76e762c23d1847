/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses functions that need the libraries behind libargand (HDF5, FFTW), from a compiler without extensions,
 * and has a function of its own with the name of one inside the library. */
#include <argand/argand.h>
#include <stdio.h>
#include <string.h>

int file_read(void);
int file_read(void)
{
    return 42;
}

int main(void)
{
    argand_scan *scan = NULL;
    if (argand_scan_read(&scan, "no/such/file.h5", NULL) != ARGAND_FILE) return 1;
    if (!strstr(argand_message(), "no/such/file.h5")) return 2;
    argand_device *device;
    argand_fft *plan;
    const argand_fft_options options = {.type = ARGAND_C32, .rank = 1, .n = {15}};
    if (argand_device_open(&device, "cpu") || argand_fft_create(&plan, device, &options)) return 3;
    argand_fft_destroy(plan);
    argand_device_close(device);
    printf("%s\n", argand_version());
    return file_read() == 42 ? 0 : 4;
}
