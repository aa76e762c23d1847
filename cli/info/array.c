/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes an image or array file: type, dimensions, position in the patient, range of values. */
#include "info/info.h"
#include "files/shape.h"
#include "files/sidecar.h"

#include <stdio.h>
#include <string.h>

static void print_geometry(const argand_geometry *g)
{
    if (!g->valid) print("  place         not given\n");
    if (g->note) print("  orientation   %s\n", g->note);
    if (!g->valid) return;
    print("  voxels        %.5gx%.5gx%.5g mm\n", g->voxel[0], g->voxel[1], g->voxel[2]);
    print("  centre        (%.5g, %.5g, %.5g) mm: left, back, head\n", g->centre[0], g->centre[1],
          g->centre[2]);
    print("  directions    x (%.4g, %.4g, %.4g), y (%.4g, %.4g, %.4g), z (%.4g, %.4g, %.4g)\n", g->read[0],
          g->read[1], g->read[2], g->phase[0], g->phase[1], g->phase[2], g->slice[0], g->slice[1],
          g->slice[2]);
}

static void print_json(report *r, const char *path, const argand_array *array, const info_array *a,
                       const argand_geometry *g)
{
    char quoted[4200], shape[600], geometry[400] = "", described[900] = "", note[300] = "";
    sidecar s;
    if (!sidecar_read(&s, path) && s.found) {
        char kind[400], units[400];
        snprintf(described, sizeof described, ",\"describes\":%s,\"units\":%s",
                 json_string(kind, sizeof kind, s.kind_name), json_string(units, sizeof units, s.units));
    }
    if (g && g->valid)
        snprintf(geometry, sizeof geometry,
                 ",\"voxel_mm\":[%.9g,%.9g,%.9g],\"centre_lps_mm\":[%.9g,%.9g,%.9g]", g->voxel[0],
                 g->voxel[1], g->voxel[2], g->centre[0], g->centre[1], g->centre[2]);
    if (g && g->note) snprintf(note, sizeof note, ",\"orientation_note\":\"%s\"", g->note);
    report_result(r,
                  "\"kind\":\"array\",\"path\":%s,\"type\":\"%s\",%s,\"low\":%.9g,\"high\":%.9g,"
                  "\"not_finite\":%lld%s%s%s",
                  json_string(quoted, sizeof quoted, path), argand_type_name(argand_array_type(array)),
                  shape_json(shape, sizeof shape, path, array), a->count > a->not_finite ? a->values.low : 0,
                  a->count > a->not_finite ? a->values.high : 0, (long long)a->not_finite, geometry, note,
                  described);
}

/* Prints the contents of the sidecar, if there is one. */
static void print_sidecar(const char *path)
{
    sidecar s;
    if (sidecar_read(&s, path)) {
        print("  sidecar       %s is not valid JSON\n", s.path);
        return;
    }
    if (!s.found) return;
    print("  sidecar       %s: %s%s%s%s%s\n", s.path, *s.kind_name ? s.kind_name : "an image",
          *s.units ? ", " : "", s.units, *s.source ? ", from " : "", s.source);
    if (*s.axes)
        print("  axes          %s%s\n", s.axes, shape_is_slowest_first(path) ? " (the fastest first)" : "");
}

static void print_plain(const char *path, const argand_array *array, const info_array *a,
                        const argand_geometry *g)
{
    const argand_type type = argand_array_type(array);
    const bool is_complex = type == ARGAND_C32 || type == ARGAND_C64;
    char shape[256];
    print("%s: %s of %s, %lld element%s\n", path, g ? "image (NIfTI)" : "array", argand_type_name(type),
          (long long)a->count, plural_s(a->count));
    print("  dimensions    %s%s\n", shape_of_array(shape, sizeof shape, path, array),
          shape_order(path, argand_array_rank(array)));
    if (a->count > a->not_finite)
        print("  %-13s %.6g to %.6g, %lld of them 0\n", is_complex ? "magnitudes" : "values", a->values.low,
              a->values.high, (long long)a->zeros);
    if (a->not_finite) print("  not finite    %lld\n", (long long)a->not_finite);
    if (g) print_geometry(g);
    print_sidecar(path);
}

static argand_status read_array(argand_array **array, const char *path, argand_device *device,
                                argand_geometry *g, bool *placed)
{
    *placed = strstr(path, ".nii") != NULL;
    return *placed ? argand_nifti_read(array, path, device, g) : argand_array_read(array, path, device);
}

argand_status info_print_file(report *r, const char *path)
{
    argand_device *device;
    argand_array *array = NULL;
    argand_geometry geometry = {0};
    bool placed;
    argand_status status = argand_device_open(&device, "cpu");
    if (status != ARGAND_OK) return status;
    status = read_array(&array, path, device, &geometry, &placed);
    if (status == ARGAND_OK) status = argand_device_wait(device);
    if (status == ARGAND_OK) {
        const info_array a =
            info_look_at(argand_array_data(array), argand_array_count(array), argand_array_type(array));
        if (r->json)
            print_json(r, path, array, &a, placed ? &geometry : NULL);
        else
            print_plain(path, array, &a, placed ? &geometry : NULL);
    }
    argand_array_destroy(array);
    argand_device_close(device);
    return status;
}
