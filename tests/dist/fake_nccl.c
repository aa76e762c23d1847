/* SPDX-License-Identifier: BSD-3-Clause */
/* A libnccl.so.2 for tests without a GPU, over the fake CUDA driver, whose device memory is the host's.
 * Ranks are threads or processes of this machine. Data from one rank to another are files of a folder in
 * the present one; the identifier names it; a receiver waits until the file is there. Sums are taken in the
 * order of the ranks. Each function can be made to fail, and communicators are counted. */
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "dist/comm/nccl_calls.h"
#include "fake_nccl.h"

#define EXPORT __attribute__((visibility("default")))
#define DECLARE(result, name, symbol, parameters) EXPORT result fake##name parameters __asm__(symbol);
NCCL_FUNCTIONS(DECLARE)
NCCL_OPTIONAL_FUNCTIONS(DECLARE)

enum { INVALID_ARGUMENT = 4, INVALID_USAGE = 5, REMOTE_ERROR = 6, MOST_RANKS = 16, PATH_BYTES = 512 };

struct ncclComm {
    char folder[128];
    int rank, size;
    long sent[MOST_RANKS], received[MOST_RANKS]; /* numbers of the next messages to and from each rank */
};

static struct fake_nccl fake;
static char last_error[256];

EXPORT struct fake_nccl *fake_nccl_state(void);
struct fake_nccl *fake_nccl_state(void)
{
    return &fake;
}

static int count(int *counter, int change)
{
    return __atomic_add_fetch(counter, change, __ATOMIC_SEQ_CST);
}

static int enter(const char *function)
{
    return fake.fail_function && !strcmp(fake.fail_function, function) ? fake.fail_with : 0;
}
#define ENTER                                                    \
    do {                                                         \
        const int entered = enter(__func__ + sizeof "fake" - 1); \
        if (entered) return entered;                             \
    } while (0)

static int device_now(void)
{
    int (*get)(void);
    void *address = dlsym(dlopen("libcuda.so.1", RTLD_NOW), "fake_cuda_current");
    memcpy(&get, &address, sizeof get);
    return get();
}

/* Writes a file at once: a reader sees all of it or nothing. */
static int put(const char *path, const void *bytes, size_t size)
{
    char unfinished[PATH_BYTES + 8];
    snprintf(unfinished, sizeof unfinished, "%s.part", path);
    FILE *file = fopen(unfinished, "wb");
    if (!file) return REMOTE_ERROR;
    const int failed = size && fwrite(bytes, size, 1, file) != 1;
    return fclose(file) || failed || rename(unfinished, path) ? REMOTE_ERROR : 0;
}

/* Waits for a file and reads it. */
static int get(const char *path, void *bytes, size_t size)
{
    enum { MOST_TRIES = 1500000, MICROSECONDS = 200 }; /* five minutes: a guard */
    FILE *file = NULL;
    for (int i = 0; i < MOST_TRIES && !(file = fopen(path, "rb")); i++) usleep(MICROSECONDS);
    if (!file) return REMOTE_ERROR;
    const int failed = (size && fread(bytes, size, 1, file) != 1) || fgetc(file) != EOF;
    fclose(file);
    return failed ? INVALID_ARGUMENT : 0; /* the sizes differ */
}

static void message_path(char *path, const struct ncclComm *c, int from, int to, long number)
{
    snprintf(path, PATH_BYTES, "%s/%d-%d-%ld", c->folder, from, to, number);
}

static int send_now(struct ncclComm *c, const void *bytes, size_t size, int peer)
{
    char path[PATH_BYTES];
    message_path(path, c, c->rank, peer, c->sent[peer]++);
    return put(path, bytes, size);
}

static int receive_now(struct ncclComm *c, void *bytes, size_t size, int peer)
{
    char path[PATH_BYTES];
    message_path(path, c, peer, c->rank, c->received[peer]++);
    const int result = get(path, bytes, size);
    remove(path);
    return result;
}

int fakeGetVersion(int *version)
{
    ENTER;
    return *version = 22809, 0;
}

const char *fakeGetErrorString(int result)
{
    return result == INVALID_USAGE ? "invalid usage" : "so the test wants it";
}

const char *fakeGetLastError(ncclComm_t comm)
{
    return (void)comm, last_error;
}

int fakeGetUniqueId(ncclUniqueId *id)
{
    ENTER;
    snprintf(id->internal, sizeof id->internal, "fake-nccl-XXXXXX");
    return mkdtemp(id->internal) ? 0 : REMOTE_ERROR;
}

/* Each rank says which device it has. */
static int find_duplicates(struct ncclComm *c)
{
    const int mine = device_now();
    int devices[MOST_RANKS];
    if (mine < 0) return INVALID_USAGE;
    for (int r = 0; r < c->size; r++)
        if (send_now(c, &mine, sizeof mine, r)) return REMOTE_ERROR;
    for (int r = 0; r < c->size; r++)
        if (receive_now(c, &devices[r], sizeof mine, r)) return REMOTE_ERROR;
    for (int r = 0; r < c->size; r++)
        if (r != c->rank && devices[r] == mine) {
            snprintf(last_error, sizeof last_error,
                     "Duplicate GPU detected : rank %d and rank %d both on CUDA device %d",
                     c->rank < r ? c->rank : r, c->rank < r ? r : c->rank, mine);
            return INVALID_USAGE;
        }
    return 0;
}

/* The last rank to leave removes the folder. */
static void leave(struct ncclComm *c)
{
    char path[PATH_BYTES + 260];
    int left = 0;
    snprintf(path, sizeof path, "%s/left-%d", c->folder, c->rank);
    put(path, "", 0);
    for (int r = 0; r < c->size; r++) {
        snprintf(path, sizeof path, "%s/left-%d", c->folder, r);
        left += !access(path, F_OK);
    }
    DIR *folder = left == c->size ? opendir(c->folder) : NULL;
    for (struct dirent *e; folder && (e = readdir(folder));) {
        snprintf(path, sizeof path, "%s/%s", c->folder, e->d_name);
        remove(path); /* "." and ".." stay: they are not empty */
    }
    if (folder) closedir(folder);
    if (left == c->size) rmdir(c->folder);
    free(c);
}

int fakeCommInitRank(ncclComm_t *comm, int size, ncclUniqueId id, int rank)
{
    const int failed = enter("CommInitRank");
    if (failed) return rmdir(id.internal), failed;
    struct ncclComm *c = calloc(1, sizeof *c);
    if (!c || size > MOST_RANKS) return INVALID_ARGUMENT;
    snprintf(c->folder, sizeof c->folder, "%s", id.internal);
    c->rank = rank;
    c->size = size;
    const int result = find_duplicates(c);
    if (result) return leave(c), result;
    count(&fake.alive, 1);
    return *comm = c, 0;
}

static void end(ncclComm_t comm)
{
    leave(comm);
    count(&fake.alive, -1);
}

/* Ends also on failure, as NCCL does. */
int fakeCommDestroy(ncclComm_t comm)
{
    const int result = enter("CommDestroy");
    return end(comm), result;
}

int fakeCommAbort(ncclComm_t comm)
{
    count(&fake.aborted, 1);
    return end(comm), 0;
}

int fakeCommGetAsyncError(ncclComm_t comm, int *error)
{
    ENTER;
    return (void)comm, *error = fake.async_error, 0;
}

/* Calls of a group, which run at its end. */
enum { MOST_CALLS = 256 };
static _Thread_local struct group_call {
    int (*run)(struct ncclComm *, void *, size_t, int);
    struct ncclComm *comm;
    void *memory;
    size_t bytes;
    int peer;
} calls[MOST_CALLS];
static _Thread_local int call_count, depth, group_error; /* as in NCCL, a group with an error does nothing */

static int send_call(struct ncclComm *c, void *bytes, size_t size, int peer)
{
    return send_now(c, bytes, size, peer);
}

static int add_call(const char *name, int type, const void *stream, struct group_call call)
{
    int result = enter(name);
    if (!result && (type != NCCL_BYTES || !stream || !depth || call_count == MOST_CALLS || call.peer < 0 ||
                    call.peer >= call.comm->size))
        result = INVALID_ARGUMENT;
    if (result) return group_error = result;
    return calls[call_count++] = call, 0;
}

int fakeGroupStart(void)
{
    ENTER;
    return depth++, 0;
}

int fakeGroupEnd(void)
{
    int result = depth < 1 ? INVALID_USAGE : group_error ? group_error : enter("GroupEnd");
    depth--;
    for (int receives = 0; receives < 2 && !result;
         receives++) /* sends first, so that no rank waits for ever */
        for (int i = 0; i < call_count && !result; i++)
            if ((calls[i].run == receive_now) == receives)
                result = calls[i].run(calls[i].comm, calls[i].memory, calls[i].bytes, calls[i].peer);
    call_count = group_error = 0;
    return result;
}

int fakeSend(const void *from, size_t bytes, int type, int peer, ncclComm_t comm, void *stream)
{
    count(&fake.sends, 1);
    return add_call("Send", type, stream, (struct group_call){send_call, comm, (void *)from, bytes, peer});
}

int fakeRecv(void *to, size_t bytes, int type, int peer, ncclComm_t comm, void *stream)
{
    return add_call("Recv", type, stream, (struct group_call){receive_now, comm, to, bytes, peer});
}

static void add(void *sum, const void *term, size_t count_of, int type)
{
    for (size_t i = 0; i < count_of; i++)
        if (type == NCCL_FLOAT64)
            ((double *)sum)[i] += ((const double *)term)[i];
        else
            ((float *)sum)[i] += ((const float *)term)[i];
}

int fakeAllReduce(const void *from, void *to, size_t numbers, int type, int operation, ncclComm_t comm,
                  void *stream)
{
    ENTER;
    const size_t bytes = numbers * (type == NCCL_FLOAT64 ? sizeof(double) : sizeof(float));
    int result = 0;
    count(&fake.sums, 1);
    if ((type != NCCL_FLOAT32 && type != NCCL_FLOAT64) || operation != NCCL_SUM || !stream)
        return INVALID_ARGUMENT;
    void *term = malloc(bytes);
    for (int r = 0; r < comm->size && !result; r++) result = send_now(comm, from, bytes, r);
    for (int r = 0; r < comm->size && !result; r++) {
        result = receive_now(comm, r ? term : to, bytes, r);
        if (r && !result) add(to, term, numbers, type);
    }
    free(term);
    return result;
}
