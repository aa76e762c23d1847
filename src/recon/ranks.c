/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions that several ranks run together: how many of them share a volume, by predicted times; what they
 * must have in common; and how all get the image. The callers are the functions of sense.c. */
#include "recon/ranks.h"

#include <math.h>
#include <stdio.h>
#include "dist/op/across.h"
#include "recon/model/model.h"
#include "recon/transform/transform.h"

/* ---- prediction */

/* What a kind of communicator takes: seconds for an exchange of a few bytes with one rank, and bytes of an
 * image that a rank sends, receives and adds in a second. Slower than measured on one machine (dist.md), and
 * than usual between machines. Not measured at run time, so that the choice is the same in every run. */
typedef struct rates {
    double latency, bandwidth;
} rates;

static rates rates_of(const argand_comm_info *info)
{
    if (!strcmp(info->kind, "nccl")) return (rates){30e-6, 50e9};
    if (info->hosts > 1) return (rates){40e-6, 1e9};
    return (rates){20e-6, 2e9};
}

/* Exchanges of a few bytes in an iteration of CG: with a normal operator, and with pairs. */
enum { EXCHANGES_NORMAL = 3, EXCHANGES_PAIR = 6 };

/* Time of the exchanges of an iteration. */
static double exchange_seconds(const argand_sense *s, const rates *r, int ranks)
{
    double bytes = (double)argand_type_size(s->options.type) * s->options.sets * s->bands;
    for (int axis = 0; axis < 3; axis++) bytes *= (double)s->grid.n[axis];
    const int few = (s->toeplitz ? EXCHANGES_NORMAL : EXCHANGES_PAIR) + 3; /* a sum agrees, exchanges twice */
    return ranks == 1 ? 0
                      : few * r->latency * log2(2 * ranks) + 2 * bytes * (ranks - 1) / ranks / r->bandwidth;
}

static int64_t shots_of(const argand_sense *s)
{
    const recon_volume *v = &s->volumes[0];
    int64_t shots = 1;
    for (int64_t q = 1; q < v->count; q++) shots += v->rows[q].map != v->rows[q - 1].map;
    return s->options.phases == ARGAND_PHASES_NONE ? 1 : shots;
}

static argand_status seconds_of(const argand_sense *s, const rates *r, int ranks, double *seconds)
{
    const int64_t shots = shots_of(s), most = share_most(s, shots, ranks);
    const bool by_shots = share_is_of_shots(s, shots, ranks);
    TRY(normal_seconds(s, by_shots ? most : shots, by_shots ? s->coils : most, seconds));
    *seconds *= (double)s->options.sets * s->bands;
    *seconds += exchange_seconds(s, r, ranks);
    return ARGAND_OK;
}

/* Returns the option that does not allow shares, or NULL. */
static const char *obstacle(const argand_sense *s)
{
    if (s->options.joint) return "joint: repetitions that are solved together are not shared";
    if (s->options.spirit > 0) return "SPIRiT: the images of all coils are solved for together";
    if (s->options.method == ARGAND_METHOD_ADJOINT_RSS)
        return "the root of the sum of squares is not shared; take sense";
    return NULL;
}

/* More ranks are taken only if they save a twentieth. */
static argand_status predict(const argand_sense *s, const argand_comm_info *info, int most,
                             argand_sense_split *split)
{
    const rates r = rates_of(info);
    *split = (argand_sense_split){.ranks = 1};
    TRY(seconds_of(s, &r, 1, &split->one));
    split->seconds = split->one;
    for (int ranks = 2; ranks <= most && !obstacle(s); ranks++) {
        double seconds;
        TRY(seconds_of(s, &r, ranks, &seconds));
        if (seconds < 0.95 * split->seconds) *split = (argand_sense_split){ranks, false, split->one, seconds};
    }
    split->shots = share_is_of_shots(s, shots_of(s), split->ranks);
    return ARGAND_OK;
}

/* Gives numbers of rank 0 to all ranks. */
static argand_status take_first(argand_comm *comm, argand_status mine, double *numbers, int count)
{
    for (int i = 0; i < count && argand_comm_rank(comm); i++) numbers[i] = 0;
    TRY(argand_comm_agree(comm, mine));
    return argand_comm_sum_doubles(comm, numbers, count);
}

argand_status argand_sense_split_ranks(const argand_sense *s, argand_comm *comm, argand_sense_split *split)
{
    argand_sense_split own = {0};
    argand_comm_info info;
    if (split) *split = own;
    TRY(argand_comm_describe(comm, &info));
    const argand_status status =
        s && split ? predict(s, &info, argand_comm_size(comm), &own)
                   : status_set(ARGAND_ARGUMENT, "argand_sense_split_ranks: a pointer is NULL");
    double numbers[4] = {own.ranks, own.shots, own.one, own.seconds};
    TRY(take_first(comm, status, numbers, 4));
    *split = (argand_sense_split){(int)numbers[0], numbers[1] != 0, numbers[2], numbers[3]};
    return ARGAND_OK;
}

/* ---- a session's ranks */

/* Gives the matrix of rank 0, which mixes the channels, to all ranks: singular vectors may differ between
 * processors, and virtual coils must be those of the maps. */
static argand_status take_mix(argand_sense *s, argand_comm *comm)
{
    double rows = s->mix ? (double)argand_array_dim(s->mix, 0) : 0;
    const double own = rows;
    TRY(take_first(comm, ARGAND_OK, &rows, 1));
    const bool same = rows >= own && rows <= own;
    TRY(argand_comm_agree(comm, same ? ARGAND_OK
                                     : status_set(ARGAND_ARGUMENT,
                                                  "the channels are mixed to %g, on rank 0 to %g: all ranks "
                                                  "give the same scan and options",
                                                  own, rows)));
    return s->mix ? argand_comm_broadcast(comm, 0, s->mix) : ARGAND_OK;
}

/* All ranks compute with the choices of rank 0, which may be a faster machine. */
static argand_status take_choices(argand_sense *s, argand_comm *comm)
{
    double numbers[] = {s->transform,         s->toeplitz,        s->nufft_tolerance,
                        s->segment_tolerance, s->options.density, s->options.density_power};
    TRY(take_first(comm, ARGAND_OK, numbers, sizeof numbers / sizeof *numbers));
    s->transform = (argand_transform)numbers[0];
    s->toeplitz = numbers[1] != 0;
    s->nufft_tolerance = numbers[2];
    s->segment_tolerance = numbers[3];
    s->options.density = (argand_density)numbers[4];
    s->options.density_power = numbers[5];
    return take_mix(s, comm);
}

static argand_status check_asked(const argand_sense *s, int asked, int all)
{
    CHECK(asked >= 0 && asked <= all, ARGAND_ARGUMENT,
          "options.ranks is %d; give 1 to %d, the ranks of options.comm, or 0 for as many as are predicted "
          "to be "
          "fastest",
          asked, all);
    const char *why = obstacle(s);
    CHECK(asked < 2 || !why, ARGAND_UNSUPPORTED, "options.ranks is %d: %s", asked, why ? why : "");
    return ARGAND_OK;
}

static void note_split(argand_sense *s, int all, int asked)
{
    const argand_sense_split *p = &s->split;
    if (s->ranks > 1)
        text_add(&s->notes, "The %s of a volume are divided over %d ranks", p->shots ? "shots" : "coils",
                 s->ranks);
    else
        text_add(&s->notes, "One of %d ranks computes a volume", all);
    if (asked)
        text_add(&s->notes, ", as requested.\n");
    else
        text_add(&s->notes, ": predicted for an iteration: %.2g s, with one rank %.2g s.\n", p->seconds,
                 p->one);
}

/* Makes the communicator of the ranks that share volumes: the first ones. */
static argand_status make_team(argand_sense *s, argand_comm *comm)
{
    argand_comm *team;
    const int rank = argand_comm_rank(comm);
    s->idle = rank >= s->ranks;
    if (s->ranks == argand_comm_size(comm))
        team = argand_comm_keep(comm);
    else
        TRY(argand_comm_split(&team, comm, s->idle, rank));
    const argand_status status = s->idle || s->ranks == 1 ? ARGAND_OK : op_meeting_new(&s->meeting, team);
    argand_comm_destroy(team);
    return status;
}

static argand_status take(argand_sense *s, argand_comm *comm, int asked)
{
    const int all = argand_comm_size(comm);
    TRY(take_choices(s, comm));
    TRY(argand_sense_split_ranks(s, comm, &s->split));
    s->ranks = asked ? asked : s->split.ranks;
    s->split.shots = share_is_of_shots(s, shots_of(s), s->ranks);
    TRY(make_team(s, comm));
    note_split(s, all, asked);
    return s->notes.status;
}

argand_status ranks_take(argand_sense *s, argand_status status, argand_comm *comm, int asked)
{
    if (status == ARGAND_OK) status = check_asked(s, asked, argand_comm_size(comm));
    TRY(argand_comm_agree(comm, status));
    TRY(argand_comm_devices(&s->comm, comm, s->device)); /* NCCL between CUDA devices */
    return argand_comm_agree(comm, take(s, s->comm, asked));
}

void ranks_release(argand_sense *s)
{
    op_meeting_destroy(s->meeting);
    argand_comm_destroy(s->comm);
}

/* ---- runs */

/* Gives the image of rank 0 to all ranks: to those that have no share, and to those whose processor has
 * rounded differently. */
static argand_status hand_over(const argand_sense *s, argand_array *image)
{
    argand_array *place;
    int64_t dims[ARGAND_MAX_RANK];
    const int rank = argand_array_rank(image);
    for (int axis = 0; axis < rank; axis++) dims[axis] = argand_array_dim(image, axis);
    argand_status status =
        argand_array_create(&place, s->device, argand_array_type(image), rank, dims); /* s->comm's device */
    if (status == ARGAND_OK) status = argand_array_copy(place, image);
    status = argand_comm_agree(s->comm, status);
    if (status == ARGAND_OK) status = argand_comm_broadcast(s->comm, 0, place);
    if (status == ARGAND_OK && argand_comm_rank(s->comm)) status = argand_array_copy(image, place);
    argand_array_destroy(place);
    return argand_comm_agree(s->comm, status);
}

/* The volume counts as the last one if all that share it have its model: a run may be stopped before. */
static argand_status all_have_model(argand_sense *s, int volume)
{
    double missing = !s->idle && s->made_for != volume;
    TRY(argand_comm_sum_doubles(s->comm, &missing, 1));
    if (missing > 0) s->made_for = -1;
    return ARGAND_OK;
}

argand_status ranks_run(argand_sense *s, int volume, argand_array *image, argand_monitor monitor,
                        void *context, ranks_function *run)
{
    argand_status status = ARGAND_OK;
    char message[512];
    meeting_begin(s->meeting);
    if (!s->idle) status = meeting_end(s->meeting, run(s, volume, image, monitor, context));
    status = argand_comm_agree(s->comm, status);
    snprintf(message, sizeof message, "%s", argand_message());
    if (status != ARGAND_OK && status != ARGAND_STOPPED) {
        s->made_for = -1;
        return status;
    }
    if (status == ARGAND_STOPPED) TRY(all_have_model(s, volume));
    TRY(hand_over(s, image));
    return status == ARGAND_OK ? ARGAND_OK : status_set(status, "%s", message);
}
