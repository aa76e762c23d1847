/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between the ranks of a reconstruction: finished volumes, progress, failures. Rank 0 takes them
 * while it iterates, so that a failure of any rank ends the job within an iteration. */
#include "sense/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Begins each message. */
typedef enum letter_kind { LETTER_VOLUME, LETTER_PROGRESS, LETTER_FAILURE, LETTER_RELEASE } letter_kind;
typedef struct letter_head {
    int32_t kind, number; /* number: the volume, or the status of a failure */
    double done;          /* finished iterations */
} letter_head;

typedef struct verdict {
    int32_t status;
    char message[2044];
} verdict;

enum { KEPT = -1, IDLE = -2 };   /* owner of a volume that is not dealt; group of a rank without volumes */
static const double often = 0.1; /* seconds between messages about progress */

bool ranks_expected(void)
{
    const char *off = getenv("ARGAND_MPI");
    if (off && !strcmp(off, "off")) return false;
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_RANK") || getenv("PMIX_RANK");
}

void ranks_alone(sense_ranks *r)
{
    *r = (sense_ranks){.size = 1, .groups = 1, .leads = true};
}

argand_status ranks_open(sense_ranks *r)
{
    ranks_alone(r);
    TRY(argand_comm_open(&r->comm));
    r->rank = argand_comm_rank(r->comm);
    r->size = argand_comm_size(r->comm);
    return ARGAND_OK;
}

argand_status ranks_open_threads(sense_ranks *all, int count)
{
    argand_comm *comms[DEVICES_MOST];
    TRY(argand_comm_threads(comms, count));
    for (int rank = 0; rank < count; rank++)
        all[rank] = (sense_ranks){.comm = comms[rank], .rank = rank, .size = count, .threads = true};
    return ARGAND_OK;
}

void ranks_close(sense_ranks *r, argand_status status)
{
    if (r->size > 1 && !r->threads && (status == ARGAND_STOPPED || interrupted()))
        argand_comm_abort(r->comm, 130);
    if (r->size > 1 && !r->threads && r->failed) argand_comm_abort(r->comm, (int)r->failed);
    argand_comm_destroy(r->team);
    argand_comm_destroy(r->comm);
    free(r->owner);
    free(r->done);
    ranks_alone(r);
}

/* Sets the message of a rank's failure; without the rank if all have the same. */
static argand_status name_rank(const sense_ranks *r, const verdict *failure, int rank, bool all)
{
    char name[64] = "";
    if (!all) snprintf(name, sizeof name, "rank %d of %d: ", rank, r->size);
    return report_error((argand_status)failure->status, "%s%.*s", name, (int)sizeof failure->message - 1,
                        failure->message);
}

argand_status ranks_meet(sense_ranks *r, argand_status status)
{
    verdict mine = {(int32_t)status, ""}, *all;
    if (r->size == 1) return status;
    if (status) snprintf(mine.message, sizeof mine.message, "%s", report_message());
    if (!(all = calloc((size_t)r->size, sizeof *all))) return report_error(ARGAND_MEMORY, "out of memory");
    argand_status result = argand_comm_gather(r->comm, all, &mine, sizeof mine);
    int failed = 0, same = 0;
    while (!result && failed < r->size && !all[failed].status) failed++;
    for (int rank = 0; rank < r->size && !result; rank++) same += !strcmp(all[rank].message, all[0].message);
    if (!result && failed < r->size) result = name_rank(r, &all[failed], failed, same == r->size);
    free(all);
    return result;
}

argand_status ranks_agree(sense_ranks *r, argand_status status)
{
    return r->threads ? status : ranks_meet(r, status);
}

argand_status ranks_compare(sense_ranks *r, const char *what, const char *text)
{
    enum { LENGTH = 256 };
    char mine[LENGTH] = "", (*all)[LENGTH];
    argand_status status = ARGAND_OK;
    if (r->size == 1 || r->threads) return ARGAND_OK;
    snprintf(mine, sizeof mine, "%s", text);
    if (!(all = calloc((size_t)r->size, sizeof *all))) return report_error(ARGAND_MEMORY, "out of memory");
    status = argand_comm_gather(r->comm, all, mine, sizeof mine);
    for (int rank = 1; rank < r->size && !status; rank++)
        if (strncmp(all[rank], all[0], LENGTH))
            status = report_error(ARGAND_ARGUMENT,
                                  "rank %d has another %s (%.*s) than rank 0 (%.*s): all ranks need the same",
                                  rank, what, LENGTH - 1, all[rank], LENGTH - 1, all[0]);
    free(all);
    return status;
}

/* Sets the group of a rank: groups are runs of ranks of about equal size. */
static void find_group(sense_ranks *r, int volumes, bool share)
{
    r->groups = volumes < r->size ? volumes : r->size;
    r->group = (int)((int64_t)r->rank * r->groups / r->size);
    r->leads = !r->rank || (int)((int64_t)(r->rank - 1) * r->groups / r->size) != r->group;
    if (!share && !r->leads) r->group = IDLE;
}

argand_status ranks_group(sense_ranks *r, int volumes, bool share)
{
    find_group(r, volumes, share);
    return r->groups == r->size || !share ? ARGAND_OK
                                          : argand_comm_split(&r->team, r->comm, r->group, r->rank);
}

argand_status ranks_group_threads(sense_ranks *all, int count, int volumes, bool share)
{
    argand_comm *teams[DEVICES_MOST];
    for (int rank = 0; rank < count; rank++) find_group(&all[rank], volumes, share);
    for (int first = 0, next; share && first < count && all[0].groups < count; first = next) {
        for (next = first + 1; next < count && !all[next].leads;) next++;
        TRY(argand_comm_threads(teams, next - first));
        for (int rank = first; rank < next; rank++) all[rank].team = teams[rank - first];
    }
    return ARGAND_OK;
}

/* Deals as the library recommends; what an interrupted run has left, in runs of equal length. */
static argand_status deal(sense_ranks *r, const argand_sense *session, const kept_run *kept, int lacking)
{
    int next = 0, *of_group = calloc((size_t)r->volumes, sizeof *of_group);
    if (!of_group) return report_error(ARGAND_MEMORY, "out of memory");
    for (int group = 0; group < r->groups; group++) {
        const int count = argand_sense_deal(session, group, r->groups, of_group);
        for (int i = 0; i < count; i++) r->owner[of_group[i]] = group;
    }
    free(of_group);
    for (int v = 0; v < r->volumes; v++) {
        if (!kept_lacks(kept, v))
            r->owner[v] = KEPT;
        else if (lacking < r->volumes)
            r->owner[v] = (int)((int64_t)next++ * r->groups / lacking);
        r->missing += r->owner[v] > 0;
    }
    return ARGAND_OK;
}

argand_status ranks_deal(sense_ranks *r, const argand_sense *session, const kept_run *kept, report *out)
{
    const int lacking = kept_lacking(kept);
    r->volumes = kept->volumes;
    r->owner = calloc((size_t)r->volumes, sizeof *r->owner);
    r->done = calloc((size_t)r->size, sizeof *r->done);
    if (!r->owner || !r->done) return report_error(ARGAND_MEMORY, "out of memory");
    TRY(deal(r, session, kept, lacking));
    if (r->size > 1)
        report_note(out, "%d %s share %d volume%s.", r->size, r->threads ? "devices" : "ranks", lacking,
                    lacking == 1 ? "" : "s");
    return ARGAND_OK;
}

double ranks_progress(sense_ranks *r, double done)
{
    const double now = seconds_now();
    const letter_head head = {LETTER_PROGRESS, 0, done};
    double sum = 0;
    r->done[r->rank] = done;
    if (r->rank && r->leads && now - r->posted > often) {
        r->posted = now;
        if (argand_comm_post(r->comm, 0, &head, sizeof head)) return done; /* the next call reports it */
    }
    for (int rank = 0; rank < r->size; rank++) sum += r->done[rank];
    return sum;
}

argand_status ranks_send(sense_ranks *r, const output *images, int volume)
{
    byte_buffer letter = {0};
    const letter_head head = {LETTER_VOLUME, volume, r->done[r->rank]};
    if (!r->rank || !r->leads) return ARGAND_OK;
    bytes_put(&letter, &head, sizeof head);
    argand_status status = output_pack(images, volume, NULL, &letter);
    if (!status) status = argand_comm_post(r->comm, 0, letter.data, letter.size);
    free(letter.data);
    return status;
}

/* A failure within a group names the rank already. */
static argand_status hear_failure(const sense_ranks *r, argand_status status, int from, const char *text,
                                  size_t count)
{
    if (r->groups < r->size && count > 5 && !strncmp(text, "rank ", 5))
        return report_error(status, "%.*s", (int)count, text);
    return report_error(status, "rank %d of %d: %.*s", from, r->size, (int)count, text);
}

/* Takes one message. */
static argand_status take(sense_ranks *r, output *images, int from, const char *bytes, size_t count)
{
    letter_head head;
    char name[32];
    int volume;
    snprintf(name, sizeof name, "rank %d", from);
    if (count < sizeof head) return report_error(ARGAND_DEVICE, "%s sent %zu bytes", name, count);
    memcpy(&head, bytes, sizeof head);
    bytes += sizeof head;
    count -= sizeof head;
    r->done[from] = head.done;
    if (head.kind == LETTER_FAILURE) return hear_failure(r, (argand_status)head.number, from, bytes, count);
    if (head.kind == LETTER_RELEASE) r->released = true;
    if (head.kind != LETTER_VOLUME) return ARGAND_OK;
    TRY(output_unpack(images, name, bytes, count, NULL, &volume, NULL));
    r->missing--;
    return ARGAND_OK;
}

bool ranks_listen(sense_ranks *r, output *images)
{
    int from = 0;
    while (r->size > 1 && !r->failed && from >= 0) {
        void *bytes;
        size_t count;
        argand_status status = argand_comm_collect(r->comm, &from, &bytes, &count);
        if (!status && from >= 0) status = take(r, images, from, bytes, count);
        argand_comm_free(bytes);
        if (status) {
            r->failed = status;
            snprintf(r->message, sizeof r->message, "%s", report_message());
        }
    }
    return !r->failed;
}

argand_status ranks_wait(sense_ranks *r, output *images, void (*each)(void *), void *context)
{
    const struct timespec moment = {0, 2000000};
    while (!r->rank && r->missing && ranks_listen(r, images)) {
        if (interrupted()) return ARGAND_STOPPED;
        each(context);
        if (r->missing) nanosleep(&moment, NULL);
    }
    return r->failed ? report_error(r->failed, "%s", r->message) : ARGAND_OK;
}

void ranks_release(sense_ranks *r)
{
    const letter_head head = {LETTER_RELEASE, 0, 0};
    for (int rank = 1; rank < r->size && !r->threads; rank++)
        if (argand_comm_post(r->comm, rank, &head, sizeof head)) r->failed = ARGAND_DEVICE;
}

void ranks_rest(sense_ranks *r)
{
    const struct timespec moment = {0, 5000000};
    while (!r->released && !interrupted() && ranks_listen(r, NULL)) nanosleep(&moment, NULL);
}

argand_status ranks_fail(sense_ranks *r, argand_status status)
{
    const struct timespec moment = {0, 10000000};
    if (r->size == 1 || !status || interrupted()) return status;
    if (!r->rank) {
        if (r->failed) return report_error(r->failed, "%s", r->message);
        r->failed = status;
        return status;
    }
    byte_buffer letter = {0};
    const letter_head head = {LETTER_FAILURE, (int32_t)status, 0};
    bytes_put(&letter, &head, sizeof head);
    bytes_put(&letter, report_message(), strlen(report_message()));
    (void)!argand_comm_post(r->comm, 0, letter.data, letter.size);
    free(letter.data);
    while (!interrupted() && ranks_listen(r, NULL)) nanosleep(&moment, NULL);
    return status;
}
