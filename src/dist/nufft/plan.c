/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of distributed NUFFTs: made, described, destroyed. */
#include "dist/nufft/nufft.h"

#include "base/given.h"
#include "base/memory.h"
#include "device/device.h"

static argand_status check(argand_device *device, const argand_nufft_options *o)
{
    TRY(nufft_check_options(o));
    CHECK(o->rank >= 2, ARGAND_UNSUPPORTED, "dist nufft: rank 1: give 2 or 3 axes");
    CHECK(!o->real_image, ARGAND_UNSUPPORTED, "dist nufft: real_image: give complex images");
    CHECK(o->order == ARGAND_NUFFT_CENTRED, ARGAND_UNSUPPORTED,
          "dist nufft: pixels in FFT order: give ARGAND_NUFFT_CENTRED");
    CHECK(o->type != ARGAND_C64 || device_has_double(device), ARGAND_UNSUPPORTED,
          "dist nufft: type c64: the device has no double precision; give ARGAND_C32, or the cpu device");
    return ARGAND_OK;
}

static argand_status make(argand_dist_nufft **out, argand_comm *comm, argand_device *device,
                          const argand_nufft_options *options)
{
    argand_dist_nufft *p;
    TRY(check_given("dist nufft", out, device, options));
    TRY(check(device, options));
    TRY(NEW(p, 1));
    p->options = *options;
    if (p->options.rank == 2) p->options.n[2] = 1;
    nufft_fill_defaults(&p->options, p->scale);
    if (!comm) {
        const argand_status status = argand_comm_self(&p->comm);
        if (status != ARGAND_OK) {
            memory_free(p);
            return status;
        }
    } else {
        p->comm = argand_comm_keep(comm);
    }
    p->device = device_keep(device);
    *out = p;
    return ARGAND_OK;
}

static argand_status check_same(const argand_dist_nufft *p)
{
    const argand_nufft_options *o = &p->options;
    const double numbers[] = {o->type,         o->rank,       (double)o->n[0], (double)o->n[1],
                              (double)o->n[2], o->tolerance,  o->oversampling, o->sign,
                              o->units,        o->every_pixel};
    return moved_same(p->comm, numbers, sizeof numbers / sizeof *numbers, "options of the NUFFT");
}

argand_status argand_dist_nufft_create(argand_dist_nufft **plan, argand_comm *comm, argand_device *device,
                                       const argand_nufft_options *options)
{
    argand_dist_nufft *made = NULL;
    if (plan) *plan = NULL;
    argand_status status = argand_comm_agree(comm, make(plan ? &made : NULL, comm, device, options));
    if (status == ARGAND_OK) status = check_same(made);
    if (status == ARGAND_OK) status = comm_choose(&made->exchanges, made->comm, device);
    if (status == ARGAND_OK)
        *plan = made;
    else
        argand_dist_nufft_destroy(made);
    return status;
}

void argand_dist_nufft_destroy(argand_dist_nufft *plan)
{
    if (!plan) return;
    dist_points_destroy(plan->points);
    argand_device_close(plan->device);
    argand_comm_destroy(plan->comm);
    memory_free(plan);
}

static void describe_points(const dist_points *p, argand_dist_nufft_info *info)
{
    info->expected_error = choice_error(&p->chosen);
    info->width = p->chosen.width;
    for (int axis = 0; axis < 3; axis++) info->grid[axis] = p->chosen.grid[axis];
    info->grid_planes = p->fft->y_own;
    info->points = p->total;
    info->points_given = p->route->given;
    info->points_held = p->route->held;
}

void argand_dist_nufft_describe(const argand_dist_nufft *plan, argand_dist_nufft_info *info)
{
    if (info) *info = (argand_dist_nufft_info){0};
    if (!plan || !info) return;
    const argand_nufft_options *o = &plan->options;
    *info = (argand_dist_nufft_info){
        .type = o->type, .rank = o->rank, .n = {o->n[0], o->n[1], o->n[2]}, .tolerance = o->tolerance};
    comm_share(o->n[o->rank - 1], argand_comm_size(plan->comm), argand_comm_rank(plan->comm), &info->first,
               &info->planes);
    if (plan->points) describe_points(plan->points, info);
}
