/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the field map and finds its unit. Argand computes in rad/s, but many files hold Hz. The two differ
 * by a factor of 6.28, which the values alone do not show: a field may be shimmed better or worse. BIDS also
 * allows tesla; ppm is of the scan's main field. Phase differences are no field maps. */
#include <string.h>
#include <strings.h>

#include "sense/inputs.h"
#include "files/maps.h"
#include "files/sidecar.h"

/* in the order of --field-unit */
enum { UNIT_AUTO, UNIT_RADIANS, UNIT_HERTZ, UNIT_TESLA, UNIT_PPM };
static const double two_pi = 2 * 3.14159265358979323846, hertz_in_tesla = 42.577478518e6; /* of protons */

static int unit_of(const char *units)
{
    static const char *const radians[] = {"rad/s", "rad/sec", "rad*s^-1", "rad s^-1"};
    if (!strcasecmp(units, "hz")) return UNIT_HERTZ;
    if (!strcmp(units, "T") || !strcasecmp(units, "tesla")) return UNIT_TESLA;
    if (!strcasecmp(units, "ppm")) return UNIT_PPM;
    for (size_t i = 0; i < sizeof radians / sizeof *radians; i++)
        if (!strcasecmp(units, radians[i])) return UNIT_RADIANS;
    return UNIT_AUTO;
}

/* Finds the factor from a unit to rad/s. */
static argand_status scale_of(double *scale, int unit, const char *map, const argand_scan *scan)
{
    const double ppm = 1e-6;
    *scale = unit == UNIT_HERTZ ? two_pi : unit == UNIT_TESLA ? two_pi * hertz_in_tesla : 1;
    if (unit != UNIT_PPM) return ARGAND_OK;
    if (!(scan->field_strength > 0))
        return report_error(
            ARGAND_ARGUMENT,
            "--field-map %s: is in ppm of the main field, which the header of %s does not state "
            "(systemFieldStrength_T): multiply the map by the field in MHz and give "
            "--field-unit hz",
            map, scan->path);
    *scale = two_pi * ppm * hertz_in_tesla * scan->field_strength;
    return ARGAND_OK;
}

/* Refuses the phase difference of two echoes, which BIDS describes by both echo times. */
static argand_status refuse_difference(const sense_settings *s, const sidecar *meta)
{
    const double *t = meta->echo_times;
    if (!(t[1] > t[0]) || !(t[0] > 0) || unit_of(meta->units) || s->field_unit) return ARGAND_OK;
    return report_error(
        ARGAND_ARGUMENT,
        "--field-map %s: %s has EchoTime1 and EchoTime2, so that it is the phase difference of two "
        "echoes, no field map. Make one from it: argand calibrate field-map --echo-times 0,%.6g "
        "(page \"Maps\", \"A phase difference\")",
        s->field_map, meta->path, t[1] - t[0]);
}

/* Returns the unit of a file: from its sidecar, which the option must not contradict; otherwise from the
 * option; otherwise rad/s, with a note. */
static argand_status unit_of_file(int *unit, const sense_settings *s, const sidecar *meta, report *out)
{
    static const char *const names[] = {"auto", "rad/s", "hz", "tesla", "ppm"};
    const int its = unit_of(meta->units);
    *unit = its ? its : s->field_unit;
    TRY(refuse_difference(s, meta));
    if (*meta->units && !its)
        return report_error(
            ARGAND_ARGUMENT,
            "--field-map %s: %s says that its unit is \"%s\"; a field map is in Hz, rad/s, T or ppm",
            s->field_map, meta->path, meta->units);
    if (its && s->field_unit && its != s->field_unit)
        return report_error(
            ARGAND_ARGUMENT,
            "--field-unit %s: but %s says that %s is in %s: leave the option out, or mend the "
            "sidecar",
            names[s->field_unit], meta->path, s->field_map, meta->units);
    if (its)
        report_note(out, "%s: in %s, as %s says.", s->field_map, meta->units, meta->path);
    else if (!*unit)
        report_note(out,
                    "%s: nothing says in which unit it is: taken as rad/s (--field-unit hz says otherwise).",
                    s->field_map);
    return ARGAND_OK;
}

/* Copies an array of the scan in another unit, to convert it. Without --field-unit the array stays in the
 * scan: arrays of scans are in rad/s by convention. */
static argand_status copy_of_scan(sense_inputs *in, const char *name, argand_device *device,
                                  const argand_scan *scan)
{
    const argand_scan_array *found = argand_scan_find(scan, name ? name : "FieldMap");
    if (name && !*name) return ARGAND_OK;
    if (!found)
        return report_error(ARGAND_ARGUMENT,
                            "--field-unit: %s has no array %s to convert to rad/s; name one with --field-map",
                            scan->path, name ? name : "FieldMap");
    TRY(argand_array_create(&in->field, device, found->type, found->rank, found->dims));
    return argand_array_upload(in->field, found->data);
}

argand_status sense_field_find(sense_inputs *in, const sense_settings *s, argand_device *device,
                               const argand_scan *scan, argand_sense_options *o, report *out)
{
    sidecar meta = {0};
    int unit = s->field_unit;
    TRY(map_find(s->field_map, device, scan, &in->field, &o->field_map_name, &in->field_place));
    if (in->field && map_is_file(s->field_map, scan)) {
        TRY(array_file_real("--field-map", s->field_map, &in->field));
        TRY(sidecar_read(&meta, s->field_map));
        TRY(sidecar_check(&meta, "--field-map", s->field_map, in->field, KIND_FIELD_MAP, KIND_UNKNOWN));
        TRY(unit_of_file(&unit, s, &meta, out));
    } else if (!in->field && unit > UNIT_RADIANS) {
        TRY(copy_of_scan(in, o->field_map_name, device, scan));
    }
    o->field_map = in->field;
    if (unit <= UNIT_RADIANS || !in->field) return ARGAND_OK;
    TRY(scale_of(&in->field_scale, unit, s->field_map ? s->field_map : ":FieldMap", scan));
    return argand_array_scale(in->field, (argand_scalar){in->field_scale, 0});
}
