/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads an array and writes it again, NIfTI with its geometry: what foreign.py drives. */
#include <argand/argand.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static argand_status rewrite(argand_device *device, const char *from, const char *to, double time)
{
    argand_array *array = NULL;
    argand_geometry geometry = {.valid = false};
    const int is_nifti = strstr(from, ".nii") != NULL, to_nifti = strstr(to, ".nii") != NULL;
    argand_status status = is_nifti ? argand_nifti_read(&array, from, device, &geometry)
                                    : argand_array_read(&array, from, device);
    if (!status)
        status = to_nifti ? argand_nifti_write(to, array, is_nifti ? &geometry : NULL, time)
                          : argand_array_write(to, array);
    argand_array_destroy(array);
    return status;
}

int main(int argc, char **argv)
{
    argand_device *device = NULL;
    if (argc < 3 || argand_device_open(&device, "cpu")) return 2;
    const argand_status status = rewrite(device, argv[1], argv[2], argc > 3 ? atof(argv[3]) : 0);
    if (status) fprintf(stderr, "%s\n", argand_message());
    argand_device_close(device);
    return status ? 1 : 0;
}
