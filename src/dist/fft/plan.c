/* SPDX-License-Identifier: BSD-3-Clause */
/* Creation, queries and destruction of a distributed transform. */
#include "dist/fft/plan.h"

#include "base/memory.h"

/* Takes the caller's division and grid, or the fastest by the model. */
static argand_status choose_division(argand_dist_fft *plan, const argand_dist_machine *machine)
{
    const argand_dist_fft_options *o = &plan->options;
    argand_dist_times times;
    TRY(argand_dist_fft_predict(&times, o, argand_comm_size(plan->comm),
                                machine ? machine : dist_machine_of(plan->device)));
    plan->division = o->division ? o->division : times.division;
    for (int i = 0; i < 2 && plan->division == ARGAND_DIST_PENCIL; i++) plan->grid[i] = times.grid[i];
    return ARGAND_OK;
}

/* All ranks take rank 0's choice: on other machines they might have chosen differently. */
static argand_status same_division(argand_dist_fft *plan)
{
    const int32_t mine[3] = {(int32_t)plan->division, plan->grid[0], plan->grid[1]};
    const int32_t *all = plan->comm->work;
    TRY(argand_comm_gather(plan->comm, plan->comm->work, mine, sizeof mine));
    plan->division = (argand_dist_division)all[0];
    plan->grid[0] = all[1];
    plan->grid[1] = all[2];
    return ARGAND_OK;
}

static argand_status make_work(argand_dist_fft *plan)
{
    const int64_t elements = plan->first + plan->second;
    if (plan->options.work_given || !elements) return ARGAND_OK;
    TRY(argand_array_create(&plan->own_work, plan->device, dist_complex(plan), 1, &elements));
    plan->work = plan->own_work;
    return ARGAND_OK;
}

static argand_status make(argand_dist_fft *plan, const dist_given *given)
{
    TRY(dist_stages_make(plan, given));
    dist_places_choose(plan);
    TRY(make_work(plan));
    return dist_steps_make(plan);
}

/* Makes a communicator of one rank where none was given. */
static argand_status take_comm(argand_dist_fft *plan, argand_comm *comm)
{
    if (!comm) return argand_comm_self(&plan->comm);
    plan->comm = argand_comm_keep(comm);
    return ARGAND_OK;
}

/* made: NULL if the caller has no place for the plan */
static argand_status begin(argand_dist_fft **made, argand_comm *comm, argand_device *device,
                           const argand_dist_fft_options *options)
{
    argand_dist_fft *plan;
    CHECK(made, ARGAND_ARGUMENT, "argand_dist_fft_create: plan is NULL");
    CHECK(device, ARGAND_ARGUMENT, "argand_dist_fft_create: device is NULL");
    CHECK(options, ARGAND_ARGUMENT, "argand_dist_fft_create: no options");
    TRY(NEW(plan, 1));
    *plan = (argand_dist_fft){.options = *options, .device = device_keep(device), .dims = options->rank + 1};
    plan->options.in = plan->options.out = NULL;
    plan->options.machine = NULL;
    if (!options->batch) plan->options.batch = 1;
    const argand_status status = take_comm(plan, comm);
    if (status)
        argand_dist_fft_destroy(plan);
    else
        *made = plan;
    return status;
}

argand_status argand_dist_fft_create(argand_dist_fft **plan, argand_comm *comm, argand_device *device,
                                     const argand_dist_fft_options *options)
{
    argand_dist_fft *made = NULL;
    dist_given given = {0};
    if (plan) *plan = NULL;
    TRY(comm_choose(&comm, comm, device));
    argand_status status = argand_comm_agree(comm, begin(plan ? &made : NULL, comm, device, options));
    if (!status) status = dist_gather(&given, made->comm, options);
    if (!status) status = argand_comm_agree(made->comm, choose_division(made, options->machine));
    if (!status) status = same_division(made);
    if (!status) status = argand_comm_agree(made->comm, make(made, &given));
    memory_free(given.in);
    memory_free(given.out);
    if (status)
        argand_dist_fft_destroy(made);
    else
        *plan = made;
    return status;
}

void argand_dist_fft_destroy(argand_dist_fft *plan)
{
    if (!plan) return;
    dist_memory_free(&plan->memory);
    dist_steps_free(plan);
    for (int i = 0; i <= DIST_STEPS; i++) memory_free(plan->node[i].parts);
    argand_array_destroy(plan->own_work);
    argand_comm_destroy(plan->comm);
    argand_device_close(plan->device);
    memory_free(plan);
}

argand_status argand_dist_fft_set_work(argand_dist_fft *plan, argand_array *work)
{
    CHECK(plan, ARGAND_ARGUMENT, "argand_dist_fft_set_work: plan is NULL");
    const int64_t needed = plan->first + plan->second;
    plan->work = NULL;
    if (!work && !needed) return ARGAND_OK;
    CHECK(work, ARGAND_ARGUMENT, "argand_dist_fft_set_work: work is NULL, and %lld elements are needed",
          (long long)needed);
    CHECK(work->type == dist_complex(plan) && argand_array_is_contiguous(work) && work->count >= needed,
          ARGAND_ARGUMENT,
          "argand_dist_fft_set_work: the array is %s of %lld elements; give a contiguous %s of %lld or more",
          argand_type_name(work->type), (long long)work->count, argand_type_name(dist_complex(plan)),
          (long long)needed);
    CHECK(argand_array_device(work) == plan->device, ARGAND_ARGUMENT,
          "argand_dist_fft_set_work: the array is on another device");
    plan->work = work;
    return ARGAND_OK;
}

/* Bytes of the tables of blocks. */
static int64_t table_bytes(const dist_work *work)
{
    int64_t entries = 0;
    for (int g = 0; work->moves && g < work->groups; g++)
        entries += work->moves[g].sends + work->moves[g].receives + 2 * work->moves[g].owns;
    return entries * (int64_t)(sizeof(comm_block) + sizeof(int64_t));
}

static int64_t plan_bytes(const argand_dist_fft *plan)
{
    int64_t bytes = (plan->first + plan->second) * (int64_t)argand_type_size(dist_complex(plan));
    for (int i = 0; i < plan->steps; i++)
        for (int d = 0; d < 2; d++) bytes += table_bytes(&plan->step[i].work[d]);
    return bytes + (plan->steps + 1) * (int64_t)sizeof(dist_part) * argand_comm_size(plan->comm);
}

argand_status argand_dist_fft_describe(const argand_dist_fft *plan, argand_dist_fft_info *info)
{
    CHECK(info, ARGAND_ARGUMENT, "argand_dist_fft_describe: info is NULL");
    *info = (argand_dist_fft_info){0};
    if (!plan) return ARGAND_OK;
    const int me = argand_comm_rank(plan->comm);
    *info = (argand_dist_fft_info){.in = plan->node[0].parts[me].box,
                                   .out = plan->node[plan->steps].parts[me].box,
                                   .division = plan->division,
                                   .grid = {plan->grid[0], plan->grid[1]},
                                   .groups = 1,
                                   .work_elements = plan->first + plan->second,
                                   .work_bytes = plan_bytes(plan)};
    for (int i = 0; i < plan->steps; i++) {
        const dist_work *work = &plan->step[i].work[DIST_FORWARD];
        info->exchanges += !plan->step[i].axes;
        if (work->groups > info->groups) info->groups = work->groups;
        for (int g = 0; work->moves && g < work->groups; g++) {
            info->sent_bytes += work->moves[g].sent_bytes;
            info->messages += work->moves[g].sends;
        }
    }
    return ARGAND_OK;
}
