/* SPDX-License-Identifier: BSD-3-Clause */
/* Volumes over the ranks of a communicator: processes that mpirun started, or threads with a device each.
 * Rank 0 shows progress, collects the volumes of all ranks and writes the files. */
#ifndef CLI_SENSE_RANKS_H
#define CLI_SENSE_RANKS_H

#include "kept/kept.h"

/* devices.c: names of the devices of a list such as "cuda:0-3" or "cuda:0,cuda:2". */
enum { DEVICES_MOST = 64 };
typedef char device_name_text[64];
/* Returns the number of devices; 0: there are too many, or a name is missing. */
int devices_list(const char *list, device_name_text *names);

typedef struct sense_ranks {
    argand_comm *comm; /* NULL: one rank alone */
    int rank, size;
    /* With fewer volumes than ranks, a group of ranks shares each volume. */
    int group, groups;
    bool leads;        /* the first rank of its group, which sends the group's volumes to rank 0 */
    argand_comm *team; /* of the group; NULL: the rank is alone in its group */
    bool threads; /* ranks are threads of this process, which the main thread prepares one after the other */
    int volumes;
    int *owner;           /* the rank of each volume */
    double *done;         /* rank 0: finished iterations of each rank */
    int missing;          /* rank 0: volumes of other ranks that have not arrived */
    bool released;        /* rank 0 needs no more of this rank than the last agreement */
    double posted;        /* time of the last message about progress */
    argand_status failed; /* failure of another rank that has arrived, with its */
    char message[2048];
} sense_ranks;

/* Returns true if an MPI launcher started this process. */
bool ranks_expected(void);
/* Makes one rank alone, which owns all volumes. */
void ranks_alone(sense_ranks *r);
/* Joins the MPI job that started this process. Without one, there is one rank. */
argand_status ranks_open(sense_ranks *r);
/* Makes ranks that are threads of this process. */
argand_status ranks_open_threads(sense_ranks *all, int count);
/* Frees the ranks. status: that of the command; a rank that ends alone ends the job. */
void ranks_close(sense_ranks *r, argand_status status);
/* Returns the failure of the lowest rank that failed, on all ranks, with its message. ranks_meet: every rank
 * calls this; ranks_agree: the main thread of every process does. */
argand_status ranks_meet(sense_ranks *r, argand_status status);
argand_status ranks_agree(sense_ranks *r, argand_status status);
/* Refuses ranks whose text differs from that of rank 0: another version, scan or options. */
argand_status ranks_compare(sense_ranks *r, const char *what, const char *text);
/* Finds the device and the number of threads of this process; own->device may be `name`. */
argand_status ranks_place(sense_ranks *r, const common_options *common, common_options *own,
                          device_name_text name);
/* Opens this rank's device: on a host with several ranks, one GPU each, or a share of the processors. */
argand_status ranks_device(sense_ranks *r, const common_options *common, argand_device **device);
/* Forms the groups for a number of volumes; ranks that are threads form them all at once. share: the ranks
 * of a group share its volumes; otherwise the first one reconstructs them alone. */
argand_status ranks_group(sense_ranks *r, int volumes, bool share);
argand_status ranks_group_threads(sense_ranks *all, int count, int volumes, bool share);
/* Deals the volumes that are not kept yet to the groups. */
argand_status ranks_deal(sense_ranks *r, const argand_sense *session, const kept_run *kept, report *out);
static inline bool ranks_own(const sense_ranks *r, int volume)
{
    return r->owner[volume] == r->group;
}
/* Tells rank 0 how many iterations are done; returns those of all ranks, on rank 0. */
double ranks_progress(sense_ranks *r, double done);
/* Sends a finished volume to rank 0. */
argand_status ranks_send(sense_ranks *r, const output *images, int volume);
/* Takes what has arrived. Returns false if the rank has to stop, because another one has failed. */
bool ranks_listen(sense_ranks *r, output *images);
/* Rank 0 waits for the volumes of all others; `each` is called meanwhile. */
argand_status ranks_wait(sense_ranks *r, output *images, void (*each)(void *), void *context);
/* Rank 0 releases the others, before the last agreement. They wait for this without using a processor,
 * which the other ranks of the host may need: MPI libraries wait by asking again and again. */
void ranks_release(sense_ranks *r);
void ranks_rest(sense_ranks *r);
/* Tells rank 0 about a failure, and waits for the end of the job. On rank 0: returns the first failure. */
argand_status ranks_fail(sense_ranks *r, argand_status status);

#endif
