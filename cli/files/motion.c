/* SPDX-License-Identifier: BSD-3-Clause */
#include "files/motion.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/bytes.h"
#include "common/path.h"

enum { LINE = 120 };
/* Motion is told from none by the F statistic, and by the part of the squared residual that it removes:
 * without noise, motion can lower the errors of estimated coil maps. */
static const double EVIDENCE = 4, PART = 0.01;

const char *motion_counter_name(argand_motion_counter by)
{
    static const char *const names[] = {"shot", "repetition", "segment"};
    return names[by];
}

static argand_motion_counter choose(const argand_scan *scan, int encoding, int counter)
{
    if (counter) return (argand_motion_counter)(counter - 1);
    if (argand_scan_motion_rows(scan, encoding, ARGAND_MOTION_REPETITIONS) > 1)
        return ARGAND_MOTION_REPETITIONS;
    return argand_scan_motion_rows(scan, encoding, ARGAND_MOTION_SEGMENTS) > 1 ? ARGAND_MOTION_SEGMENTS
                                                                               : ARGAND_MOTION_SHOTS;
}

static void tell(const motion_found *f, const argand_motion_report *r, report *out)
{
    report_note(out,
                "Motion between %lld %ss: up to %.2g mm and %.2g degrees from the first one. The residual of "
                "the samples within %.3g cycles per field of view goes from %.3g to %.3g (F = %.3g).%s",
                (long long)f->count, motion_counter_name(f->by), r->shift, r->rotation, r->cycles, r->before,
                r->after, r->evidence,
                f->moved ? " The coils are taken as moving with the object."
                         : " This may be noise or errors of the coil maps, and counts as no motion.");
    if (r->undetermined)
        report_note(
            out,
            "Positions without samples near the centre of k-space: %lld. They are taken as between their "
            "neighbours.",
            (long long)r->undetermined);
}

argand_status motion_find(motion_found *found, const argand_scan *scan, int counter, argand_device *device,
                          const argand_motion_search *search, report *out)
{
    argand_motion_search s = *search;
    argand_motion_report r;
    if (s.encoding >= scan->encoding_count)
        return report_error(ARGAND_ARGUMENT, "there is no encoding space %d; the last one of the scan is %d",
                            s.encoding, scan->encoding_count - 1);
    s.by = choose(scan, s.encoding, counter);
    *found = (motion_found){.by = s.by, .count = argand_scan_motion_rows(scan, s.encoding, s.by)};
    found->rows = calloc((size_t)found->count + 1, sizeof *found->rows);
    if (!found->rows) return report_error(ARGAND_MEMORY, "out of memory");
    const argand_status status = argand_scan_motion(found->rows, found->count, device, scan, &s, &r);
    if (status) return status;
    found->moved = r.evidence > EVIDENCE && r.after * r.after < (1 - PART) * r.before * r.before;
    for (int64_t i = 0; i < found->count && !found->moved; i++) found->rows[i] = (argand_rigid){{0}, {0}};
    tell(found, &r, out);
    return ARGAND_OK;
}

static argand_status write_array(const char *path, const motion_found *found)
{
    argand_device *host;
    argand_array *array = NULL;
    TRY(argand_device_open(&host, "cpu"));
    argand_status status = argand_array_create(&array, host, ARGAND_R64, 2, (int64_t[]){6, found->count});
    double *to = status ? NULL : argand_array_data(array);
    for (int64_t i = 0; i < found->count && !status; i++)
        for (int d = 0; d < 3; d++) {
            to[6 * i + d] = found->rows[i].shift[d];
            to[6 * i + 3 + d] = found->rows[i].rotation[d];
        }
    if (!status) status = argand_array_write(path, array);
    argand_array_destroy(array);
    argand_device_close(host);
    return status;
}

argand_status motion_write(const char *path, const motion_found *found)
{
    if (path_is_array(path)) return write_array(path, found);
    const size_t capacity = LINE * ((size_t)found->count + 1);
    char *table = malloc(capacity);
    if (!table) return report_error(ARGAND_MEMORY, "out of memory");
    size_t used = (size_t)snprintf(table, capacity, "tx\tty\ttz\trx\try\trz\n");
    for (int64_t i = 0; i < found->count; i++) {
        const double *t = found->rows[i].shift, *r = found->rows[i].rotation;
        used += (size_t)snprintf(table + used, capacity - used, "%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\n", t[0],
                                 t[1], t[2], r[0], r[1], r[2]);
    }
    const argand_status status = argand_bytes_write(path, table, used);
    free(table);
    return status;
}
