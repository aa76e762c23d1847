/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts the time of a pass from the bytes that it moves and the device's figures. */
#include "fft/planner/model.h"

#include <math.h>
#include "device/device.h"
#include "fft/planner/wisdom.h"

static fft_model gpu_model(const device_traits *device)
{
    const device_rates *r = &device->rates;
    return (fft_model){.far_rate = r->far_rate,
                       .near_rate = r->near_rate,
                       .near_bytes = r->near_bytes,
                       .launch = r->launch,
                       .operations = r->operations,
                       .doubles = r->doubles,
                       .sector = 32};
}

/* Returns the model of a CPU. A core moves about 12 GB/s from memory, and all cores together as
 * much as eight. The cache of each core is five times as fast: 60 GB/s. */
static fft_model cpu_model(double units)
{
    return (fft_model){.far_rate = 1.2e10 * fmin(units, 8),
                       .near_rate = 6e10 * units,
                       .near_bytes = 1e6 * units,
                       .launch = units > 1 ? 3e-6 : 2e-7,
                       .operations = 3e10 * units,
                       .doubles = 1.5e10 * units,
                       .sector = 64};
}

/* Replaces table values by values measured on this device. */
static void take_learned(fft_model *model, argand_device *device)
{
    double seconds;
    if (wisdom_figure(&seconds, device, MODEL_LAUNCH)) model->launch = seconds;
    if (!wisdom_figure(&seconds, device, MODEL_COPY)) return;
    model->near_rate *= 1e9 / seconds / model->far_rate;
    model->far_rate = 1e9 / seconds;
}

void model_of(fft_model *model, argand_device *device)
{
    const device_traits *t = device_traits_of(device);
    *model = t->is_host ? cpu_model(argand_device_threads(device)) : gpu_model(t);
    take_learned(model, device);
}

/* Returns the fraction of the memory bandwidth that contiguous segments of this many bytes reach. A segment
 * moves whole sectors. Segments below 64 bytes lose more, because they keep fewer rows of memory busy. */
double model_efficiency(const fft_model *m, int64_t segment)
{
    if (segment <= 0 || segment >= 64) return 1;
    const double sectors = ceil((double)segment / m->sector);
    return 0.8 * (double)segment / (sectors * m->sector);
}

/* Moving and computing overlap if many groups are in flight; the longer of both counts. */
double model_seconds(const fft_model *m, const argand_fft_pass *pass, bool is_double)
{
    const double bytes = (double)pass->read_bytes + (double)pass->write_bytes;
    const double rate = bytes <= m->near_bytes ? m->near_rate : m->far_rate;
    const double moving = (double)pass->read_bytes / (rate * model_efficiency(m, pass->read_segment)) +
                          (double)pass->write_bytes / (rate * model_efficiency(m, pass->write_segment));
    const double computing = pass->operations / (is_double ? m->doubles : m->operations);
    return m->launch * (pass->launches ? pass->launches : 1) + fmax(moving, computing);
}

/* Returns the elements that a pass along `axis` reads and writes after the axes in `done`. */
static double pass_elements(const fft_extent *axes, int rank, unsigned done, int axis)
{
    double lines = 1;
    for (int i = 0; i < rank; i++)
        if (i != axis) lines *= (double)(done >> i & 1 ? axes[i].wanted : axes[i].known);
    return lines * ((double)axes[axis].known + (double)axes[axis].wanted);
}

/* Finds the best order of the remaining passes for each set of finished axes, beginning with all axes. */
double model_axis_order(const fft_extent *axes, int rank, int *order)
{
    double rest[1 << ARGAND_MAX_RANK];
    int next[1 << ARGAND_MAX_RANK];
    const unsigned all = (1u << rank) - 1;
    rest[all] = 0;
    for (unsigned done = all; done-- > 0;) {
        rest[done] = INFINITY;
        for (int axis = 0; axis < rank; axis++) {
            if (done >> axis & 1) continue;
            const double elements = pass_elements(axes, rank, done, axis) + rest[done | 1u << axis];
            if (elements < rest[done]) {
                rest[done] = elements;
                next[done] = axis;
            }
        }
    }
    unsigned done = 0;
    for (int i = 0; i < rank; i++, done |= 1u << order[i - 1]) order[i] = next[done];
    return rest[0];
}
