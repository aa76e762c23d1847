/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders of ParaVision: acqp, method, traj and fid (or rawdata.job0), one after the other, with a NUL behind
 * each of the first two and the length of traj in bytes, one byte times 16, before it. */
#include <string.h>
#include <sys/stat.h>
#include "fuzz/fuzz.h"
#include "fuzz/scan_check.h"

static void put(const char *folder, const char *name, const uint8_t *bytes, size_t count)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || (count && fwrite(bytes, 1, count, file) != count) || fclose(file)) abort();
}

/* Writes a text of parameters with the last line that whole ones have. */
static void put_text(const char *folder, const char *name, const uint8_t *bytes, size_t count)
{
    static const char last[] = "\n##END=\n";
    char path[160];
    put(folder, name, bytes, count);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "ab");
    if (!file || fwrite(last, 1, sizeof last - 1, file) != sizeof last - 1 || fclose(file)) abort();
}

static void drop(const char *folder, const char *name)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

/* Returns how many bytes there are up to a NUL. */
static size_t part(const uint8_t *bytes, size_t count)
{
    const uint8_t *end = count ? memchr(bytes, 0, count) : NULL;
    return end ? (size_t)(end - bytes) : count;
}

/* The data of acqp with ACQ_jobs are rawdata.job0, as in ParaVision 360. */
static const char *data_name(const uint8_t *acqp, size_t count)
{
    static const char jobs[] = "$ACQ_jobs=";
    for (size_t i = 0; i + sizeof jobs <= count; i++)
        if (!memcmp(acqp + i, jobs, sizeof jobs - 1)) return "rawdata.job0";
    return "fid";
}

static void put_all(const char *folder, const uint8_t *bytes, size_t count)
{
    static const char *const names[] = {"acqp", "method"};
    const char *data = data_name(bytes, part(bytes, count));
    for (int i = 0; i < 2; i++) {
        const size_t length = part(bytes, count), used = length < count ? length + 1 : count;
        put_text(folder, names[i], bytes, length);
        bytes += used;
        count -= used;
    }
    size_t points = count ? (size_t)16 * *bytes : 0;
    if (count) bytes++, count--;
    if (points > count) points = count;
    if (points) put(folder, "traj", bytes, points);
    put(folder, data, bytes + points, count - points);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char folder[128];
    argand_scan *scan = NULL;
    snprintf(folder, sizeof folder, "/dev/shm/argand-fuzz-%ld-bruker", (long)getpid());
    mkdir(folder, 0700);
    put_all(folder, bytes, count);
    const argand_status status = argand_scan_read(&scan, folder, NULL);
    MUST(status == ARGAND_OK ? scan != NULL : !scan && *argand_message());
    if (scan) scan_promises(scan, true);
    argand_scan_destroy(scan);
    drop(folder, "acqp");
    drop(folder, "method");
    drop(folder, "traj");
    drop(folder, "fid");
    drop(folder, "rawdata.job0");
    rmdir(folder);
    return 0;
}
