/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a scan from files of own arrays. */
#include "common/path.h"
#include "files/sidecar.h"
#include "pack/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

argand_status pack_fov_read(double fov[3], int *count, const char *named, const char *text)
{
    const char *at = text;
    for (*count = 0; *count < 3; at++) {
        char *end;
        fov[*count] = strtod(at, &end);
        if (end == at || !(fov[*count] > 0) || !(fov[*count] < 1e6)) break;
        ++*count;
        at = end;
        if (!*at) return ARGAND_OK;
        if (*at != 'x') break;
    }
    return report_error(ARGAND_ARGUMENT, "%s %s: give millimetres like 240, 240x220 or 240x240x120", named,
                        text);
}

/* A file that an option names, in the form of argand_scan_pack. */
typedef struct named_array {
    argand_array *array;
    char title[4200];
} named_array;

static argand_status read_array(argand_pack_array *to, named_array *memory, const char *named,
                                const char *path, const char *axes, argand_device *device)
{
    if (!path) return ARGAND_OK;
    const argand_status status = argand_array_read(&memory->array, path, device);
    if (status) return report_error(status, "%s %s", named, argand_message());
    snprintf(memory->title, sizeof memory->title, "%s %s", named, path);
    *to = (argand_pack_array){.array = memory->array,
                              .name = path,
                              .title = memory->title,
                              .axes = axes,
                              .slowest_first = has_ending(path, ".npy")};
    return ARGAND_OK;
}

/* Reads what the sidecar of --trajectory says: that it is no trajectory, or that kx comes first in a .npy of
 * an earlier version. A .cfl and a .npy may share a sidecar, so its shape is not compared. */
static argand_status read_order(argand_pack_options *o, const pack_settings *s)
{
    static sidecar its;
    if (!s->trajectory) return ARGAND_OK;
    TRY(sidecar_read(&its, s->trajectory));
    if (sidecar_x_first(&its, o->trajectory.array) && !o->k_order) o->k_order = ARGAND_K_ORDER_XYZ;
    its.rank = 0;
    return sidecar_check(&its, "--trajectory", s->trajectory, o->trajectory.array, KIND_TRAJECTORY,
                         KIND_UNKNOWN);
}

/* Reads --like. Its matrix is used unless --matrix is given. */
static argand_status read_like(argand_geometry *place, argand_pack_options *o, const pack_settings *s,
                               argand_device *device, report *out)
{
    argand_array *image;
    if (!s->like) return ARGAND_OK;
    const argand_status status = argand_nifti_read(&image, s->like, device, place);
    if (status) return report_error(status, "--like %s", argand_message());
    report_place(out, s->like, place);
    for (int d = 0; d < (argand_array_dim(image, 2) > 1 ? 3 : 2) && !s->matrix.rank; d++)
        o->matrix[d] = argand_array_dim(image, d);
    argand_array_destroy(image);
    o->place = place;
    return ARGAND_OK;
}

static void note(void *context, const char *sentence)
{
    report_note(context, "%s", sentence);
}

static argand_status options_of(argand_pack_options *o, const pack_settings *s, report *out)
{
    int count;
    *o = (argand_pack_options){.k_order = (argand_k_order)s->k_order,
                               .k_unit = (argand_k_unit)s->k_unit,
                               .sample_time = s->sample_time,
                               .echo_time = s->echo_time,
                               .note = note,
                               .note_context = out};
    for (int d = 0; d < s->matrix.rank; d++) o->matrix[d] = s->matrix.n[d];
    return s->fov ? pack_fov_read(o->field_of_view, &count, "--fov", s->fov) : ARGAND_OK;
}

argand_status pack_scan_make(pack_scan *p, const pack_settings *s, argand_device *device, report *out)
{
    argand_pack_options o;
    argand_pack_array kspace = {0};
    argand_geometry place = {0};
    static named_array memory[3];
    memset(memory, 0, sizeof memory);
    *p = (pack_scan){0};
    argand_status status = options_of(&o, s, out);
    if (!status) status = read_array(&kspace, &memory[0], "--kspace", s->kspace, s->axes, device);
    if (!status)
        status =
            read_array(&o.trajectory, &memory[1], "--trajectory", s->trajectory, s->trajectory_axes, device);
    if (!status) status = read_order(&o, s);
    if (!status) status = read_array(&o.times, &memory[2], "--times", s->times, NULL, device);
    if (!status) status = read_like(&place, &o, s, device, out);
    if (!status && s->trajectory_axes && !s->axes)
        status = report_error(ARGAND_ARGUMENT, "--trajectory-axes: name the axes of --kspace (--axes), too");
    if (!status) status = argand_scan_pack(&p->made, &kspace, &o);
    for (int i = 0; i < 3; i++) argand_array_destroy(memory[i].array);
    if (status) return status;
    p->scan = *p->made;
    p->scan.arrays = p->arrays;
    return ARGAND_OK;
}

argand_status pack_scan_forget_positions(pack_scan *p)
{
    const int64_t count = p->scan.acquisition_count;
    p->acquisitions = malloc((size_t)count * sizeof *p->acquisitions);
    if (!p->acquisitions)
        return report_error(ARGAND_MEMORY, "no memory for %lld acquisitions", (long long)count);
    for (int64_t i = 0; i < count; i++) {
        argand_acquisition *a = &p->acquisitions[i];
        *a = p->scan.acquisitions[i];
        a->k[0] = a->k[1] = a->k[2] = a->t = NULL;
    }
    p->scan.acquisitions = p->acquisitions;
    return ARGAND_OK;
}

void pack_scan_free(pack_scan *p)
{
    for (size_t i = 0; i < sizeof p->array_data / sizeof *p->array_data; i++) free(p->array_data[i]);
    free(p->acquisitions);
    free(p->noise);
    free(p->noise_data);
    argand_scan_destroy(p->made);
    *p = (pack_scan){0};
}
