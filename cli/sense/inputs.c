/* SPDX-License-Identifier: BSD-3-Clause */
#include "sense/inputs.h"
#include "files/maps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files/sidecar.h"

/* Finds a map by name. If it is a file, its sidecar must not give another kind. */
static argand_status find(const char *named, const char *from, sidecar_kind kind, argand_device *device,
                          const argand_scan *scan, argand_array **array, const char **name,
                          argand_geometry *place)
{
    sidecar meta;
    TRY(map_find(from, device, scan, array, name, place));
    if (!*array || !map_is_file(from, scan)) return ARGAND_OK;
    TRY(sidecar_read(&meta, from));
    if (kind == KIND_MASK || kind == KIND_PHASE_MAPS || kind == KIND_OTHER)
        TRY(array_file_real(named, from, array));
    return sidecar_check(&meta, named, from, *array, kind, KIND_UNKNOWN);
}

/* Reads a file of phase maps in rad. Refuses it if its sidecar says degrees or another kind. */
static argand_status find_phase_file(sense_inputs *in, const sense_settings *s, argand_device *device,
                                     const argand_scan *scan, argand_sense_options *o)
{
    sidecar meta;
    TRY(find("--phase-maps", s->phase_maps, KIND_PHASE_MAPS, device, scan, &in->phases, &o->phase_maps_name,
             NULL));
    TRY(sidecar_read(&meta, s->phase_maps));
    if (!*meta.units || !strcmp(meta.units, "rad")) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT,
                        "--phase-maps %s: %s says that its unit is \"%s\"; phase maps are in rad",
                        s->phase_maps, meta.path, meta.units);
}

/* Finds the phases of --phase-maps: "navigators" and "shots" estimate them; any other value names maps. */
static argand_status find_phases(sense_inputs *in, const sense_settings *s, argand_device *device,
                                 const argand_scan *scan, argand_sense_options *o)
{
    if (s->session.phases == ARGAND_PHASES_NONE || !s->phase_maps) return ARGAND_OK;
    if (!strcmp(s->phase_maps, "navigators"))
        o->phases = ARGAND_PHASES_NAVIGATORS;
    else if (!strcmp(s->phase_maps, "shots"))
        o->phases = ARGAND_PHASES_SHOTS;
    else if (!strcmp(s->phase_maps, "none"))
        o->phases = ARGAND_PHASES_NONE;
    else if (map_is_file(s->phase_maps, scan))
        return find_phase_file(in, s, device, scan, o);
    else
        return find("--phase-maps", s->phase_maps, KIND_PHASE_MAPS, device, scan, &in->phases,
                    &o->phase_maps_name, NULL);
    return ARGAND_OK;
}

static double largest_phase(const argand_scan_array *a)
{
    double most = 0;
    int64_t count = a->type == ARGAND_R32 || a->type == ARGAND_R64 ? 1 : 0;
    for (int axis = 0; axis < a->rank; axis++) count *= a->dims[axis];
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, fabs(a->type == ARGAND_R64 ? ((const double *)a->data)[i]
                                                     : (double)((const float *)a->data)[i]));
    return most;
}

/* Refuses shots with different phases: their signals cancel when they are combined. grid, a quick look,
 * may still combine them. */
static argand_status check_shots(const sense_settings *s, const argand_scan *scan, report *out)
{
    const argand_scan_array *maps = argand_scan_find(scan, "PhaseMaps");
    const double most = s->session.phases == ARGAND_PHASES_NONE && maps ? largest_phase(maps) : 0;
    if (!(most > 1e-3)) return ARGAND_OK;
    if (!strcmp(s->command, "grid")) {
        report_note(
            out,
            "The scan's array PhaseMaps says that its shots differ in phase, by up to %.3g rad: argand "
            "pcsense takes that into account, this does not.",
            most);
        return ARGAND_OK;
    }
    return report_error(
        ARGAND_ARGUMENT,
        "%s: its shots differ in phase, by up to %.3g rad (array PhaseMaps), and cancel each "
        "other when put together: take argand pcsense (with --phase-maps none if that is wanted)",
        scan->path, most);
}

static argand_status find_weights(sense_inputs *in, const sense_settings *s, argand_device *device,
                                  argand_sense_options *o)
{
    sidecar meta;
    if (!s->weights) return ARGAND_OK;
    TRY(array_file_read("--weights", s->weights, device, &in->weights));
    TRY(sidecar_read(&meta, s->weights));
    TRY(array_file_real("--weights", s->weights, &in->weights));
    TRY(sidecar_check(&meta, "--weights", s->weights, in->weights, KIND_WEIGHTS, KIND_UNKNOWN));
    o->weights = in->weights;
    o->weights_name = s->weights;
    return ARGAND_OK;
}

static argand_status find_phase_terms(sense_inputs *in, const sense_settings *s, argand_device *device,
                                      argand_sense_options *o)
{
    if (!s->phase_terms) return ARGAND_OK;
    TRY(array_file_read("--phase-terms", s->phase_terms, device, &in->phase_terms));
    TRY(array_file_real("--phase-terms", s->phase_terms, &in->phase_terms));
    o->phase_terms = in->phase_terms;
    o->phase_terms_name = s->phase_terms;
    return ARGAND_OK;
}

/* Reads --concomitant: a number, or auto. */
static argand_status find_concomitant(const sense_settings *s, argand_sense_options *o)
{
    char *end;
    if (!s->concomitant) return ARGAND_OK;
    o->concomitant = -1;
    if (!strcmp(s->concomitant, "auto")) return ARGAND_OK;
    o->concomitant = strtod(s->concomitant, &end);
    if (end != s->concomitant && !*end && o->concomitant > 0 && o->concomitant < 100) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT, "--concomitant %s: give the main field in T, such as 1.5, or auto",
                        s->concomitant);
}

/* Finds the coil maps. Their last dimension counts sets or slices; the shape alone does not tell which. */
static argand_status find_coil_maps(sense_inputs *in, const sense_settings *s, argand_device *device,
                                    const argand_scan *scan, argand_sense_options *o)
{
    sidecar meta;
    TRY(find("--coil-maps", s->coil_maps, KIND_COIL_MAPS, device, scan, &in->coils, &o->coil_maps_name,
             &in->coils_place));
    if (!in->coils || !map_is_file(s->coil_maps, scan)) return ARGAND_OK;
    TRY(sidecar_read(&meta, s->coil_maps));
    if (strstr(meta.axes, "coil, set") && s->session.sets < 2)
        return report_error(
            ARGAND_ARGUMENT,
            "--coil-maps %s: %s says that it holds several sets of maps: give --sets N, as many",
            s->coil_maps, meta.path);
    if (strstr(meta.axes, "coil, slice") && s->session.sets > 1)
        return report_error(
            ARGAND_ARGUMENT,
            "--sets %d: %s says that %s holds one set, for each slice: argand calibrate coils --sets %d "
            "makes several",
            s->session.sets, meta.path, s->coil_maps, s->session.sets);
    return ARGAND_OK;
}

/* Finds the R2* map in a file or in the scan. The session does not look for this array itself. */
static argand_status find_decay(sense_inputs *in, const sense_settings *s, argand_device *device,
                                const argand_scan *scan, argand_sense_options *o)
{
    const char *name;
    TRY(find("--r2star", s->r2star, KIND_OTHER, device, scan, &in->r2star, &name, &in->r2star_place));
    if (!in->r2star && name && *name) {
        const argand_scan_array *found = argand_scan_find(scan, name);
        if (!found)
            return report_error(ARGAND_ARGUMENT, "--r2star %s: %s has no array \"%s\"", s->r2star, scan->path,
                                name);
        TRY(argand_array_create(&in->r2star, device, found->type, found->rank, found->dims));
        TRY(argand_array_upload(in->r2star, found->data));
    }
    o->r2star = in->r2star;
    return ARGAND_OK;
}

argand_status sense_inputs_find(sense_inputs *in, const sense_settings *s, argand_device *device,
                                const argand_scan *scan, argand_sense_options *o, report *out)
{
    in->field_scale = 1;
    TRY(check_shots(s, scan, out));
    TRY(sense_field_find(in, s, device, scan, o, out));
    TRY(find_coil_maps(in, s, device, scan, o));
    TRY(find("--mask", s->mask, KIND_MASK, device, scan, &in->mask, &o->mask_name, &in->mask_place));
    TRY(find_decay(in, s, device, scan, o));
    TRY(find_phases(in, s, device, scan, o));
    TRY(find(s->subspace ? "--subspace" : "--basis", s->subspace ? s->subspace : s->basis, KIND_BASIS, device,
             scan, &in->basis, &o->basis_name, NULL));
    o->coefficients = s->subspace;
    TRY(sense_channels_find(in, s, o, out));
    TRY(find_weights(in, s, device, o));
    TRY(find_phase_terms(in, s, device, o));
    TRY(find_concomitant(s, o));
    o->girf = in->girf;
    o->girf_name = in->girf_name;
    o->girf_step = s->girf_step;
    for (int axis = 0; axis < 3; axis++) o->gradient_delay[axis] = in->delay[axis];
    o->coil_maps = in->coils;
    o->mask = in->mask;
    o->phase_maps = in->phases;
    o->basis = in->basis;
    return ARGAND_OK;
}

void sense_inputs_free(sense_inputs *in)
{
    argand_array *const all[] = {in->field,   in->coils,  in->mask,        in->phases,
                                 in->basis,   in->noise,  in->whitener,    in->compression,
                                 in->weights, in->r2star, in->phase_terms, in->girf};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) argand_array_destroy(all[i]);
    *in = (sense_inputs){.field_scale = in->field_scale};
}
