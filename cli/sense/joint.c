/* SPDX-License-Identifier: BSD-3-Clause */
/* When coil maps are estimated together with an image. */
#include "joint/joint.h"
#include "sense/inputs.h"

#include <string.h>

enum { COILS_JOINT = 3 }; /* as --coils counts */

bool sense_wants_joint(const sense_settings *s)
{
    return (int)s->session.coils == COILS_JOINT;
}

static bool has_maps(const argand_sense_options *o, const argand_scan *scan)
{
    return o->coil_maps ||
           (o->coil_maps_name ? *o->coil_maps_name != 0 : argand_scan_find(scan, "SENSEMap") != NULL);
}

/* What the model of nonlinear inversion leaves out is said. */
static void note_left_out(const sense_settings *s, const argand_scan *scan, const argand_sense_options *o,
                          report *out)
{
    const char *left_out[4], *between[4] = {"", ", ", ", ", ", "};
    char list[160] = "";
    size_t used = 0;
    int count = 0;
    const bool field = o->field_map || (o->field_map_name ? *o->field_map_name != 0
                                                          : argand_scan_find(scan, "FieldMap") != NULL);
    if (field) left_out[count++] = "the field map";
    if (s->phase_terms) left_out[count++] = "--phase-terms";
    if (s->r2star) left_out[count++] = "--r2star";
    if (o->phases != ARGAND_PHASES_NONE) left_out[count++] = "the shots' phases";
    if (count > 1) between[count - 1] = " and ";
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", between[i], left_out[i]);
    if (count) report_note(out, "The coil maps are estimated without %s.", list);
}

static argand_status estimate(sense_inputs *in, const sense_settings *s, argand_device *device,
                              const argand_scan *scan, const argand_sense *grid, argand_sense_options *o,
                              report *out)
{
    note_left_out(s, scan, o, out);
    TRY(joint_maps(&in->coils, device, scan, grid, s->session.encoding, out));
    in->joint = true;
    o->coil_maps = in->coils;
    o->coil_maps_name = "of --coils joint";
    return ARGAND_OK;
}

/* Missing maps, on the grid that a session without any has. */
argand_status sense_joint_find(sense_inputs *in, const sense_settings *s, argand_device *device,
                               const argand_scan *scan, argand_sense_options *o, report *out)
{
    argand_sense *probe;
    if (!sense_wants_joint(s) || has_maps(o, scan)) return ARGAND_OK;
    if (s->session.sets > 1)
        return report_error(ARGAND_UNSUPPORTED, "--coils joint makes one set of maps, not --sets %d",
                            s->session.sets);
    TRY(argand_sense_create(&probe, device, scan, o));
    const argand_status status = estimate(in, s, device, scan, probe, o, out);
    argand_sense_destroy(probe);
    return status;
}

/* What nonlinear inversion is not for, or takes long for. */
static bool may_be_joint(const sense_settings *s, const argand_scan *scan, const argand_sense_options *o)
{
    return s->session.coils == ARGAND_COILS_AUTO && s->session.sets < 2 && !has_maps(o, scan) &&
           o->method == ARGAND_METHOD_SOLVE && o->phases != ARGAND_PHASES_SHOTS && !o->joint && !o->basis &&
           !o->basis_name && scan->channels > 1 && scan->encodings[o->encoding].bands.count < 2;
}

/* The session tells once it has the first volume's maps, which it keeps for its run. */
argand_status sense_joint_instead(sense_inputs *in, const sense_settings *s, argand_device *device,
                                  argand_sense **session, const argand_scan *scan, argand_sense_options *o,
                                  report *out)
{
    argand_array *maps;
    argand_sense_info info;
    if (!may_be_joint(s, scan, o)) return ARGAND_OK;
    /* A first slice may be empty, and have no maps: what its trajectory allows is known all the same. */
    if (argand_sense_coil_maps(*session, 0, &maps) == ARGAND_STOPPED) return ARGAND_STOPPED;
    argand_array_destroy(maps);
    argand_sense_describe(*session, &info);
    if (!info.coils_doubtful || !joint_is_quick(scan, *session)) return ARGAND_OK;
    report_note(out,
                "The middle of k-space is sampled too sparsely to calibrate coil maps by it alone (--coils "
                "adaptive takes what there is, and may fold).");
    TRY(estimate(in, s, device, scan, *session, o, out));
    argand_sense_destroy(*session);
    *session = NULL;
    return argand_sense_create(session, device, scan, o);
}
