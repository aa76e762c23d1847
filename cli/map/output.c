/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of maps: OUT_r2star.nii.gz and the like, each with a sidecar that has its unit. */
#include "common/path.h"
#include "map/map.h"

#include <stdio.h>
#include <string.h>

argand_status map_check_output(const map_settings *s)
{
    const char *name = strrchr(s->output, '/'), *dot = strrchr(name ? name : s->output, '.');
    if (path_is_array(s->output) || !dot) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT,
                        "%s: %s is no format of maps: end the name in .nii.gz, .nii, .npy or .cfl", s->output,
                        dot);
}

argand_status map_write(const map_output *maps, int count, const map_settings *s, const map_echoes *e,
                        report *out)
{
    const size_t stem = path_stem(s->output);
    const char *ending = s->output[stem] ? s->output + stem : e->ending;
    for (int i = 0; i < count; i++) {
        char path[4200];
        sidecar what = calibrate_facts(KIND_OTHER, maps[i].units, "x, y, z or slice", s->input);
        snprintf(what.kind_name, sizeof what.kind_name, "%s", maps[i].kind);
        snprintf(path, sizeof path, "%.*s_%s%s", (int)stem, s->output, maps[i].label, ending);
        TRY(calibrate_write(path, maps[i].array, &e->place, &what, out));
    }
    return ARGAND_OK;
}
