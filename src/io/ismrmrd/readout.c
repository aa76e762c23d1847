/* SPDX-License-Identifier: BSD-3-Clause */
/* The readout gradient of EPI, from the header's trajectoryDescription: numbers by name, in microseconds, as
 * siemens_to_ismrmrd writes them; and the positions of samples under this trapezoid. */
#include "io/ismrmrd/nodes.h"

#include <math.h>
#include <string.h>
#include "base/plain.h"

/* Returns the value of the parameter of this name; 0 if there is none, or if it makes no sense. */
static double value_of(const xmlNode *description, const char *name, double most)
{
    static const char *const elements[] = {"userParameterLong", "userParameterDouble"};
    for (int kind = 0; kind < 2; kind++)
        for (const xmlNode *n = node_child(description, elements[kind]); n;
             n = node_named(n->next, elements[kind])) {
            char content[64], *end;
            node_text(content, sizeof content, node_child(n, "name"));
            if (strcmp(content, name) != 0) continue;
            node_text(content, sizeof content, node_child(n, "value"));
            const double value = plain_number(content, &end);
            return *content && !*end && isfinite(value) && fabs(value) <= most ? value : 0;
        }
    return 0;
}

void scan_read_readout(argand_readout *readout, const xmlNode *description)
{
    const double second = 1e6, unit = 1e-6, most_samples = 65535;
    readout->ramp_up = value_of(description, "rampUpTime", second) * unit;
    readout->flat_top = value_of(description, "flatTopTime", second) * unit;
    readout->ramp_down = value_of(description, "rampDownTime", second) * unit;
    readout->delay = value_of(description, "acqDelayTime", second) * unit;
    readout->dwell = value_of(description, "dwellTime", second) * unit;
    readout->samples = (int64_t)value_of(description, "numSamples", most_samples);
}

/* True if part of the line is read on the ramps. */
bool scan_has_ramps(const argand_readout *r, const ismrmrd_head *head)
{
    const double end = r->delay + (double)r->samples * r->dwell;
    if (r->samples < 4 || head->number_of_samples != r->samples) return false;
    if (!(r->dwell > 0) || r->flat_top < 0 || r->ramp_up < 0 || r->ramp_down < 0) return false;
    return r->delay < r->ramp_up || end > r->ramp_up + r->flat_top;
}

/* Area under the trapezoid of height 1 from its start to time t. */
static double area(const argand_readout *r, double t)
{
    const double up = r->ramp_up, top = up + r->flat_top, end = top + r->ramp_down;
    const double at = fmin(fmax(t, 0), end);
    if (at <= up) return up > 0 ? 0.5 * at * at / up : 0;
    if (at <= top) return 0.5 * up + (at - up);
    const double left = end - at;
    return 0.5 * up + r->flat_top + 0.5 * (r->ramp_down - left * left / r->ramp_down);
}

/* The half of the trapezoid is the centre of k-space. Samples are means over their dwell time. */
double scan_ramp_position(const argand_readout *r, int64_t sample, int64_t matrix)
{
    const double middle = 0.5 * (0.5 * r->ramp_up + r->flat_top + 0.5 * r->ramp_down);
    const double covered = area(r, r->delay + (double)r->samples * r->dwell) - area(r, r->delay);
    const double at = area(r, r->delay + ((double)sample + 0.5) * r->dwell) - middle;
    return covered > 0 ? at * (double)matrix / covered : 0;
}
