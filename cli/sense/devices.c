/* SPDX-License-Identifier: BSD-3-Clause */
/* The device of each rank: lists of devices ("cuda:0-3", "cuda:0,cuda:2"), one GPU for each rank of a
 * host, and threads shared among the ranks that may use the same processors. */
#include "sense/ranks.h"
#include "common/system.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the index-th device of a range such as "cuda:0-3" (count devices) to `name`. Returns the number of
 * devices of the range; 0: it is no range. */
static int range_of(const char *word, int index, char *name, size_t size)
{
    const char *colon = strchr(word, ':');
    char *end;
    if (!colon || !isdigit((unsigned char)colon[1])) return 0;
    const long first = strtol(colon + 1, &end, 10);
    if (*end != '-' || !isdigit((unsigned char)end[1])) return 0;
    const long last = strtol(end + 1, &end, 10);
    if (*end || last < first || last - first >= DEVICES_MOST) return 0;
    snprintf(name, size, "%.*s:%ld", (int)(colon - word), word, first + index);
    return (int)(last - first) + 1;
}

int devices_list(const char *list, device_name_text *names)
{
    char copy[DEVICES_MOST * sizeof *names], *rest = copy, *word;
    int count = 0;
    if (!list || strlen(list) >= sizeof copy) return 0;
    snprintf(copy, sizeof copy, "%s", list);
    for (char *c = copy; *c; c++) *c = (char)tolower((unsigned char)*c);
    while ((word = strsep(&rest, ","))) {
        device_name_text name;
        if (!*word) return 0;
        int of_range = range_of(word, 0, name, sizeof name);
        if (!of_range) snprintf(name, sizeof name, "%.*s", (int)sizeof name - 1, word);
        for (int i = 0; i < (of_range ? of_range : 1); i++) {
            if (count == DEVICES_MOST) return 0;
            if (of_range) range_of(word, i, name, sizeof name);
            memcpy(names[count++], name, sizeof name);
        }
    }
    return count;
}

static int cuda_devices(void)
{
    const char *name, *reason;
    int devices;
    for (int b = 0; b < argand_backend_count(); b++)
        if (!argand_backend_describe(b, &name, &devices, &reason) && !strcmp(name, "cuda"))
            return *reason ? 0 : devices;
    return 0;
}

/* The name of a rank's device; NULL: the default. */
static const char *name_for(const common_options *common, int local_rank, int local_size, char *text,
                            size_t size)
{
    device_name_text names[DEVICES_MOST];
    const int listed = devices_list(common->device, names);
    if (listed > 1) {
        snprintf(text, size, "%s", names[local_rank % listed]);
        return text;
    }
    const char *given = common->device ? common->device : getenv("ARGAND_DEVICE");
    const int gpus = local_size > 1 && (!given || !strcmp(given, "auto")) ? cuda_devices() : 0;
    if (!gpus) return common->device;
    snprintf(text, size, "cuda:%d", local_rank % gpus);
    return text;
}

static bool has_processor(const system_processors *set, int p)
{
    return set->words[p / 64] >> p % 64 & 1;
}

/* Returns the number of threads for this rank: each processor is shared by the ranks of the host that may
 * use it. */
static argand_status threads_for(sense_ranks *r, int allowed, int *threads)
{
    typedef struct seat {
        char host[64];
        system_processors processors;
    } seat;
    argand_comm_info info;
    seat mine = {0}, *all;
    double share = 0;
    int own = 0;
    TRY(argand_comm_describe(r->comm, &info));
    memcpy(mine.host, info.host, sizeof mine.host);
    mine.processors = system_own_processors();
    if (!(all = calloc((size_t)r->size, sizeof *all))) return report_error(ARGAND_MEMORY, "out of memory");
    const argand_status status = argand_comm_gather(r->comm, all, &mine, sizeof mine);
    for (int p = 0; p < SYSTEM_PROCESSORS; p++) {
        int users = 0;
        if (!has_processor(&mine.processors, p)) continue;
        for (int q = 0; q < r->size; q++)
            users += !strcmp(all[q].host, mine.host) && has_processor(&all[q].processors, p);
        own++;
        share += users ? 1.0 / users : 1;
    }
    free(all);
    *threads = own ? (int)(allowed * share / own + 1e-6) : allowed / info.local_size;
    if (*threads < 1) *threads = 1;
    return status;
}

/* Opens a thread's device of the list. CPU devices share the threads that one of them would have. */
static argand_status thread_device(const sense_ranks *r, const common_options *common, argand_device **device)
{
    device_name_text names[DEVICES_MOST];
    argand_device_info info;
    common_options own = *common;
    const int count = devices_list(common->device, names);
    own.device = names[r->rank % count];
    TRY(common_open(&own, device));
    TRY(argand_device_describe(*device, &info));
    if (strcmp(info.backend, "cpu") || common->threads) return ARGAND_OK;
    const int threads = argand_device_threads(*device) / count;
    return argand_device_set_threads(*device, threads > 1 ? threads : 1);
}

argand_status ranks_place(sense_ranks *r, const common_options *common, common_options *own,
                          device_name_text name)
{
    argand_comm_info info;
    argand_device *device = NULL;
    *own = *common;
    if (r->size == 1 || r->threads) return ARGAND_OK;
    TRY(argand_comm_describe(r->comm, &info));
    own->device = name_for(common, info.local_rank, info.local_size, name, sizeof(device_name_text));
    argand_status status = ranks_agree(r, common_open(own, &device));
    if (status == ARGAND_OK && !common->threads && !getenv("OMP_NUM_THREADS"))
        status = threads_for(r, argand_device_threads(device), &own->threads);
    argand_device_close(device);
    return status;
}

argand_status ranks_device(sense_ranks *r, const common_options *common, argand_device **device)
{
    common_options own;
    device_name_text name;
    if (r->threads) return thread_device(r, common, device);
    TRY(ranks_place(r, common, &own, name));
    return common_open(&own, device);
}
