/* SPDX-License-Identifier: BSD-3-Clause */
/* sample OUT.html: the report that browser.py opens. An image of 20 x 14 pixels, 5 slices, 3 volumes, whose
 * numbers say where they are, a complex map, and texts that would like to be scripts. */
#include <argand/argand.h>
#include <math.h>
#include <stdio.h>

enum { NX = 20, NY = 14, NZ = 5, NV = 3 };

static argand_status add_image(argand_report *report, argand_device *device)
{
    static float numbers[NX * NY * NZ * NV];
    static const argand_geometry place = {
        .valid = true, .voxel = {2, 2, 4}, .read = {1, 0, 0}, .phase = {0, 1, 0}, .slice = {0, 0, 1}};
    argand_array *image;
    for (int i = 0; i < NX * NY * NZ * NV; i++)
        numbers[i] = (float)(i % NX + 10 * (i / (NX * NY) % NZ) + 100 * (i / (NX * NY * NZ)));
    argand_status status = argand_array_create(&image, device, ARGAND_R32, 4, (int64_t[]){NX, NY, NZ, NV});
    if (!status) status = argand_array_upload(image, numbers);
    if (!status)
        status = argand_report_image(
            report, image, &(argand_report_view){.title = "Steps", .geometry = &place, .high = 300});
    if (!status)
        status = argand_report_image(report, image,
                                     &(argand_report_view){.title = "Steps again", .geometry = &place});
    argand_array_destroy(image);
    return status;
}

static argand_status add_map(argand_report *report, argand_device *device)
{
    static float numbers[2 * NX * NY * NZ];
    argand_array *map;
    for (int i = 0; i < NX * NY * NZ; i++) {
        numbers[2 * i] = (float)((i + 1) * cos(0.05 * i));
        numbers[2 * i + 1] = (float)((i + 1) * sin(0.05 * i));
    }
    argand_status status = argand_array_create(&map, device, ARGAND_C32, 3, (int64_t[]){NX, NY, NZ});
    if (!status) status = argand_array_upload(map, numbers);
    if (!status)
        status = argand_report_image(
            report, map, &(argand_report_view){.title = "<b>Map</b>", .map = true, .unit = "<i>"});
    argand_array_destroy(map);
    return status;
}

int main(int argc, char **argv)
{
    static const char hostile[] =
        "</script><img src=x onerror=document.title='hurt'><script>document.title='hurt'</script>";
    const double residuals[5] = {1, 0.3, 0.1, 0.05, 0.04};
    argand_device *device;
    argand_report *report = NULL;
    if (argc != 2 || argand_device_open(&device, "cpu")) return 1;
    argand_status status = argand_report_create(&report, "Sample & <b>test</b>");
    if (!status) status = argand_report_figure(report, "Residual", "0.04");
    if (!status) status = argand_report_fact(report, "Hostile", hostile, hostile);
    if (!status) status = argand_report_notes(report, hostile);
    if (!status) status = argand_report_curve(report, "residual", 5, residuals);
    if (!status) status = argand_report_timing(report, "solve", 2);
    if (!status) status = add_image(report, device);
    if (!status) status = add_map(report, device);
    if (!status) status = argand_report_write(report, argv[1]);
    if (status) fprintf(stderr, "%s\n", argand_message());
    argand_report_destroy(report);
    argand_device_close(device);
    return (int)status;
}
