/* SPDX-License-Identifier: BSD-3-Clause */
/* Calibrations of frames that outlive their connection: if a client is cut off and connects again with the
 * same header, frames go on with its coil maps, compression and delays. They are kept in unnamed files
 * that the server opens before it starts processes, with the header, so that nothing but an equal one
 * finds them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "serve/serve.h"

enum { SLOTS = 4, MOST_BYTES = 256 << 20 };

typedef struct keep_head {
    char client[64]; /* address without its port */
    int64_t n[2], samples, header_bytes;
    double place[4][3]; /* centre and directions: maps are of one slice */
    int channels, coils, window, compress;
    argand_radial_delay delay;
} keep_head;

static struct {
    int file[SLOTS], seconds;
    atomic_int own;        /* this process's slot; -1: none */
    _Atomic int64_t *last; /* of each slot: time in ms at which its connection was alive; 0: empty */
    _Atomic int64_t *user; /* of each slot: the process that took or stored it last */
} keep = {.own = -1};

argand_status keep_open(int seconds)
{
    void *memory =
        mmap(NULL, 2 * SLOTS * sizeof *keep.last, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return report_error(ARGAND_MEMORY, "no memory for kept calibrations");
    keep.last = memory;
    keep.user = keep.last + SLOTS;
    keep.seconds = seconds;
    for (int i = 0; i < SLOTS; i++)
        if ((keep.file[i] = system_unnamed_file("argand calibration")) < 0)
            return report_error(ARGAND_FILE, "no file for kept calibrations: %s", strerror(errno));
    return ARGAND_OK;
}

static void use(int slot)
{
    atomic_store(&keep.user[slot], getpid());
    atomic_store(&keep.own, slot);
}

/* Returns the slot of this process; -1: the process has no slot, or another process has taken the slot. */
static int own_slot(void)
{
    const int own = atomic_load(&keep.own);
    return own >= 0 && atomic_load(&keep.user[own]) == getpid() ? own : -1;
}

static int64_t now(void)
{
    return (int64_t)(1e3 * seconds_now()) + 1;
}

static void lock(int slot, short type)
{
    struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
    while (fcntl(keep.file[slot], F_SETLKW, &whole) < 0 && errno == EINTR) continue;
}

static bool transfer(int slot, void *bytes, size_t count, off_t at, bool write)
{
    for (char *p = bytes; count > 0;) {
        const ssize_t done =
            write ? pwrite(keep.file[slot], p, count, at) : pread(keep.file[slot], p, count, at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        p += done;
        at += done;
        count -= (size_t)done;
    }
    return true;
}

static keep_head head_of(const keep_key *key)
{
    keep_head h;
    memset(&h, 0, sizeof h);
    snprintf(h.client, sizeof h.client, "%.*s", (int)strcspn(key->client, ":"), key->client);
    h.n[0] = key->n[0], h.n[1] = key->n[1];
    const double *const place[4] = {key->place->centre, key->place->read, key->place->phase,
                                    key->place->slice};
    for (int i = 0; i < 4; i++) memcpy(h.place[i], place[i], sizeof h.place[i]);
    h.samples = key->samples;
    h.channels = key->channels;
    h.window = key->window;
    h.compress = key->compress;
    h.header_bytes = (int64_t)strlen(key->header);
    return h;
}

static size_t maps_bytes(const keep_head *h)
{
    return (size_t)(h->n[0] * h->n[1] * h->coils) * 8;
}

static size_t matrix_bytes(const keep_head *h)
{
    return (size_t)h->coils * (size_t)h->channels * 16;
}

/* Returns true if a slot has the calibration of such a connection, which was alive not long ago. */
static bool fits(int slot, const keep_key *key, keep_head *found)
{
    keep_head wanted = head_of(key);
    const int64_t last = atomic_load(&keep.last[slot]);
    if (!last || now() - last > 1000 * (int64_t)keep.seconds) return false;
    if (!transfer(slot, found, sizeof *found, 0, false)) return false;
    wanted.coils = found->coils;
    wanted.delay = found->delay;
    if (memcmp(&wanted, found, sizeof wanted) != 0) return false;
    char *const header = malloc((size_t)wanted.header_bytes + 1);
    const bool same = header && transfer(slot, header, (size_t)wanted.header_bytes, sizeof wanted, false) &&
                      !memcmp(header, key->header, (size_t)wanted.header_bytes);
    free(header);
    return same;
}

/* Reads an array from the slot's file. */
static argand_status read_array(argand_array **array, int slot, argand_type type, int rank,
                                const int64_t *dims, size_t bytes, off_t at, argand_device *device)
{
    void *const numbers = malloc(bytes);
    if (!numbers || !transfer(slot, numbers, bytes, at, false)) {
        free(numbers);
        return report_error(ARGAND_FILE, "a kept calibration cannot be read");
    }
    argand_status status = argand_array_create(array, device, type, rank, dims);
    if (!status) status = argand_array_upload(*array, numbers);
    free(numbers);
    return status;
}

static argand_status read_slot(kept_calibration *k, int slot, const keep_head *h, argand_device *device)
{
    const off_t at = (off_t)sizeof *h + (off_t)h->header_bytes;
    TRY(read_array(&k->maps, slot, ARGAND_C32, 3, (int64_t[]){h->n[0], h->n[1], h->coils}, maps_bytes(h), at,
                   device));
    TRY(read_array(&k->matrix, slot, ARGAND_C64, 2, (int64_t[]){h->coils, h->channels}, matrix_bytes(h),
                   at + (off_t)maps_bytes(h), device));
    k->delay = h->delay;
    return ARGAND_OK;
}

argand_status keep_find(kept_calibration *k, const keep_key *key)
{
    argand_device *cpu;
    *k = (kept_calibration){0};
    if (!keep.last || keep.seconds <= 0) return ARGAND_OK;
    TRY(argand_device_open(&cpu, "cpu"));
    argand_status status = ARGAND_OK;
    for (int slot = 0; slot < SLOTS && !k->maps && !status; slot++) {
        keep_head found;
        lock(slot, F_RDLCK);
        if (fits(slot, key, &found)) {
            k->age = 1e-3 * (double)(now() - atomic_load(&keep.last[slot]));
            status = read_slot(k, slot, &found, cpu);
            use(slot);
        }
        lock(slot, F_UNLCK);
    }
    argand_device_close(cpu);
    return status;
}

void keep_free(kept_calibration *k)
{
    argand_array_destroy(k->maps);
    argand_array_destroy(k->matrix);
    *k = (kept_calibration){0};
}

/* Returns the slot that this process has, or the oldest; -1: another process goes on with this one's. */
static int choose_slot(void)
{
    int oldest = 0;
    if (atomic_load(&keep.own) >= 0) return own_slot();
    for (int i = 1; i < SLOTS; i++)
        if (atomic_load(&keep.last[i]) < atomic_load(&keep.last[oldest])) oldest = i;
    return oldest;
}

static bool write_array(int slot, const argand_array *array, size_t bytes, off_t at)
{
    void *const numbers = malloc(bytes);
    const bool done =
        numbers && !argand_array_download(array, numbers) && transfer(slot, numbers, bytes, at, true);
    free(numbers);
    return done;
}

void keep_store(const keep_key *key, const argand_frames *frames)
{
    argand_array *maps = NULL, *matrix = NULL;
    argand_frames_info info;
    keep_head h = head_of(key);
    const int slot = keep.last && keep.seconds > 0 ? choose_slot() : -1;
    if (slot < 0 || argand_frames_maps(frames, &maps, &matrix)) return;
    argand_frames_describe(frames, &info);
    h.coils = info.coils;
    h.delay = info.delay;
    const off_t at = (off_t)sizeof h + (off_t)h.header_bytes;
    lock(slot, F_WRLCK);
    atomic_store(&keep.last[slot], 0);
    keep.own = -1;
    if (maps_bytes(&h) + matrix_bytes(&h) <= MOST_BYTES && transfer(slot, &h, sizeof h, 0, true) &&
        transfer(slot, (void *)(uintptr_t)key->header, (size_t)h.header_bytes, sizeof h, true) &&
        write_array(slot, maps, maps_bytes(&h), at) &&
        write_array(slot, matrix, matrix_bytes(&h), at + (off_t)maps_bytes(&h)))
        use(slot);
    keep_alive();
    lock(slot, F_UNLCK);
    argand_array_destroy(maps);
    argand_array_destroy(matrix);
}

void keep_alive(void)
{
    const int own = own_slot();
    if (own >= 0) atomic_store(&keep.last[own], now());
}

void keep_forget(void)
{
    const int own = own_slot();
    atomic_store(&keep.own, -1);
    if (own >= 0) atomic_store(&keep.last[own], 0);
}
