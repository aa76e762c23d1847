/* SPDX-License-Identifier: BSD-3-Clause */
#include "sense/gradients.h"

#include <math.h>
#include <stdlib.h>

#include "common/path.h"
#include "files/maps.h"

/* Reads one delay, "2.5", or one each for x, y and z, "2,2.5,1", and converts microseconds to seconds. */
static bool read_delays(double delay[3], const char *list)
{
    const char *at = list;
    for (int i = 0; i < 3; i++, at++) {
        char *end;
        const double us = strtod(at, &end);
        if (end == at || !(fabs(us) < 1e5)) return false;
        for (int axis = i; axis < 3; axis++) delay[axis] = us * 1e-6;
        at = end;
        if (!*at) return true;
        if (*at != ',') return false;
    }
    return false;
}

void sense_gradients_tell(const sense_settings *s, report *out)
{
    if (s->girf || s->delay)
        report_note(out, "The trajectory was corrected for the gradients%s%s%s%s.",
                    s->girf ? ", by the response " : "", s->girf ? s->girf : "",
                    s->delay ? ", delays in us: " : "", s->delay ? s->delay : "");
}

/* Brings the rows of a .npy, which are in the order of NumPy's image axes, into the order x, y, z. */
static argand_status sort_rows(argand_array **girf, const char *path, report *out)
{
    const int64_t n = argand_array_dim(*girf, 1);
    const int64_t dims[2] = {argand_array_dim(*girf, 0), n};
    argand_array *sorted;
    if (!has_ending(path, ".npy") || argand_array_rank(*girf) != 2 || n < 2 || n > 3) return ARGAND_OK;
    TRY(argand_array_create(&sorted, argand_array_device(*girf), argand_array_type(*girf), 2, dims));
    argand_status status = ARGAND_OK;
    for (int64_t row = 0; row < n && !status; row++) {
        argand_array *from = NULL, *to = NULL;
        status = argand_array_part(&from, *girf, 1, row, 1);
        if (!status) status = argand_array_part(&to, sorted, 1, n - 1 - row, 1);
        if (!status) status = argand_array_copy(to, from);
        argand_array_destroy(to);
        argand_array_destroy(from);
    }
    argand_array_destroy(*girf);
    *girf = sorted;
    report_note(out, "%s: its rows are %sy, x, the order of NumPy's image axes.", path, n == 3 ? "z, " : "");
    return status;
}

argand_status sense_gradients_find(sense_inputs *in, const sense_settings *s, report *out)
{
    argand_device *host;
    if (s->delay && !read_delays(in->delay, s->delay))
        return report_error(ARGAND_ARGUMENT,
                            "--delay %s: give microseconds like 2.5 or, for x, y and z, 2,2.5,1", s->delay);
    if (s->girf && !(s->girf_step > 0))
        return report_error(ARGAND_ARGUMENT,
                            "--girf %s: give the step between its frequencies in Hz "
                            "(--girf-step)",
                            s->girf);
    if (s->girf) {
        TRY(argand_device_open(&host, "cpu"));
        argand_status status = array_file_read("--girf", s->girf, host, &in->girf);
        if (!status) status = sort_rows(&in->girf, s->girf, out);
        argand_device_close(host);
        if (status) return status;
        snprintf(in->girf_name, sizeof in->girf_name, "--girf %s", s->girf);
    }
    sense_gradients_tell(s, out);
    return ARGAND_OK;
}
