/* SPDX-License-Identifier: BSD-3-Clause */
/* A finished volume as bytes: a head (magic, format, byte order, size, hash of the rest), then label, volume,
 * the session's facts, steps, notes, image, pixel maps, coil maps. Files of volumes and processes that
 * share a reconstruction use it. All sizes in it are checked, because a file may be damaged or foreign. */
#include "output/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 2, BYTE_ORDER_MARK = 0x01020304, HEAD = 40, MOST_STEPS = 1 << 24 };
static const char magic[] = "ARGANDVO";

/* ---- the facts of a volume, written and read by one list each */

static void put_info(byte_buffer *to, const output_volume *v)
{
    const argand_sense_info *i = &v->info;
    const char *const texts[] = {i->transform, i->interpolator, i->solver, i->density, i->stop};
    const int numbers[] = {i->shots,     i->segments,       i->convolutions, i->iterations,
                           i->iteration, i->coils_doubtful, (int)i->coils};
    const double reals[] = {i->segment_error, i->density_power, i->noise, v->energy, v->residual};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) bytes_put_text(to, texts[t]);
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) bytes_put_int(to, numbers[n]);
    for (size_t r = 0; r < sizeof reals / sizeof *reals; r++) bytes_put_number(to, reals[r]);
}

static void take_info(bytes_reader *from, output_volume *v)
{
    argand_sense_info *i = &v->info;
    int doubtful = 0, coils = 0;
    int *const numbers[] = {&i->shots, &i->segments, &i->convolutions, &i->iterations, &i->iteration,
                            &doubtful, &coils};
    double *const reals[] = {&i->segment_error, &i->density_power, &i->noise, &v->energy, &v->residual};
    bytes_text(from, v->transform, sizeof v->transform);
    bytes_text(from, v->interpolator, sizeof v->interpolator);
    bytes_text(from, v->solver, sizeof v->solver);
    bytes_text(from, v->density, sizeof v->density);
    bytes_text(from, v->stop, sizeof v->stop);
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        *numbers[n] = (int)bytes_int(from, INT32_MIN, INT32_MAX);
    for (size_t r = 0; r < sizeof reals / sizeof *reals; r++) *reals[r] = bytes_number(from);
    i->coils_doubtful = doubtful != 0;
    i->coils = (argand_coils)coils;
}

static void put_steps(byte_buffer *to, const output_volume *v)
{
    bytes_put_int(to, v->step_count);
    for (int64_t s = 0; s < v->step_count; s++) {
        const argand_progress *p = &v->steps[s];
        const double reals[] = {p->residual, p->gradient, p->penalty, p->seconds};
        bytes_put_int(to, p->iteration);
        bytes_put_int(to, p->iterations);
        for (size_t r = 0; r < sizeof reals / sizeof *reals; r++) bytes_put_number(to, reals[r]);
    }
}

static void take_steps(bytes_reader *from, output_volume *v)
{
    const int64_t count = bytes_int(from, 0, MOST_STEPS);
    if (from->failed || (uint64_t)count > (from->size - from->at) / sizeof(double)) {
        from->failed = true;
        return;
    }
    v->steps = calloc((size_t)count + 1, sizeof *v->steps);
    if (!v->steps) from->failed = true;
    for (int64_t s = 0; s < count && !from->failed; s++) {
        argand_progress *p = &v->steps[s];
        double *const reals[] = {&p->residual, &p->gradient, &p->penalty, &p->seconds};
        p->iteration = (int)bytes_int(from, INT32_MIN, INT32_MAX);
        p->iterations = (int)bytes_int(from, 0, INT32_MAX);
        for (size_t r = 0; r < sizeof reals / sizeof *reals; r++) *reals[r] = bytes_number(from);
    }
    v->step_count = v->step_capacity = count;
}

/* ---- arrays */

static argand_status put_array(byte_buffer *to, const argand_array *array)
{
    const argand_type type = argand_array_type(array);
    const int rank = argand_array_rank(array);
    bytes_put_int(to, type);
    bytes_put_int(to, rank);
    for (int d = 0; d < rank; d++) bytes_put_int(to, argand_array_dim(array, d));
    void *place = bytes_place(to, (size_t)argand_array_count(array) * argand_type_size(type));
    return place ? argand_array_download(array, place) : report_error(ARGAND_MEMORY, "out of memory");
}

typedef struct blob_array {
    argand_type type;
    int rank;
    int64_t dims[ARGAND_MAX_RANK];
    const void *data;
} blob_array;

static void take_array(bytes_reader *from, blob_array *a)
{
    uint64_t count = 1;
    a->type = (argand_type)bytes_int(from, ARGAND_R32, ARGAND_C64);
    a->rank = (int)bytes_int(from, 1, ARGAND_MAX_RANK);
    for (int d = 0; d < a->rank && !from->failed; d++) {
        a->dims[d] = bytes_int(from, 1, INT32_MAX);
        if ((uint64_t)a->dims[d] > from->size / count) from->failed = true; /* also before an overflow */
        count *= (uint64_t)a->dims[d];
    }
    const size_t element = from->failed ? 0 : argand_type_size(a->type);
    if (!element || count > from->size / element) from->failed = true;
    a->data = from->failed ? NULL : bytes_take(from, (size_t)count * element);
}

/* ---- packing */

static argand_status put_volume_of(byte_buffer *to, const output *o, int volume, const argand_array *whole)
{
    argand_array *place;
    TRY(output_volume_place(&place, o, volume, whole));
    const argand_status status = put_array(to, place);
    argand_array_destroy(place);
    return status;
}

static argand_status put_arrays(byte_buffer *to, const output *o, int volume)
{
    const output_place *at = &o->places[volume];
    const output_image *image = &o->images[at->image];
    const argand_array *maps = output_saves_maps(o, volume) && o->coil_maps ? o->coil_maps[at->slice] : NULL;
    TRY(put_volume_of(to, o, volume, image->array));
    for (int m = 0; m < OUTPUT_PIXEL_MAPS; m++) {
        bytes_put_int(to, image->pixel_map[m] != NULL);
        if (image->pixel_map[m]) TRY(put_volume_of(to, o, volume, image->pixel_map[m]));
    }
    bytes_put_int(to, maps != NULL);
    return maps ? put_array(to, maps) : ARGAND_OK;
}

argand_status output_pack(const output *o, int volume, const char *label, byte_buffer *to)
{
    const output_volume *v = &o->volumes[volume];
    const size_t start = to->size;
    bytes_put(to, magic, sizeof magic - 1);
    bytes_put_int(to, FORMAT);
    bytes_put_int(to, BYTE_ORDER_MARK);
    bytes_put_int(to, 0);
    bytes_put_int(to, 0);
    bytes_put_text(to, label);
    bytes_put_int(to, volume);
    bytes_put_int(to, argand_sense_volumes(o->run.session));
    put_info(to, v);
    put_steps(to, v);
    bytes_put_text(to, v->notes);
    TRY(put_arrays(to, o, volume));
    if (to->failed) return report_error(ARGAND_MEMORY, "out of memory");
    const int64_t size = (int64_t)(to->size - start);
    unsigned char *head = to->data + start;
    memcpy(head + 24, &size, sizeof size);
    const uint64_t hash = bytes_hash(head + HEAD, (size_t)size - HEAD, 0);
    memcpy(head + 32, &hash, sizeof hash);
    return ARGAND_OK;
}

/* ---- unpacking */

typedef struct blob {
    int volume;
    output_volume facts;
    blob_array image, pixel_map[OUTPUT_PIXEL_MAPS], maps; /* data NULL: none */
} blob;

static void blob_free(blob *b)
{
    free(b->facts.steps);
    free(b->facts.notes);
    *b = (blob){0};
}

static argand_status check_head(const char *name, const unsigned char *data, size_t size)
{
    int64_t head[4];
    if (size < HEAD || memcmp(data, magic, sizeof magic - 1) != 0)
        return report_error(ARGAND_FORMAT, "%s: is not a volume of Argand's", name);
    memcpy(head, data + 8, sizeof head);
    if (head[1] != BYTE_ORDER_MARK || head[0] != FORMAT)
        return report_error(ARGAND_FORMAT,
                            "%s: has another format (%" PRId64 ", this program has %d) or byte order: it was "
                            "written by another version of Argand or on another kind of machine",
                            name, head[0], FORMAT);
    if (head[2] != (int64_t)size)
        return report_error(ARGAND_FORMAT, "%s: is damaged: it has %zu bytes, its head says %" PRId64, name,
                            size, head[2]);
    if ((uint64_t)head[3] != bytes_hash(data + HEAD, size - HEAD, 0))
        return report_error(ARGAND_FORMAT, "%s: is damaged: its checksum does not agree", name);
    return ARGAND_OK;
}

static bool has_size(const blob_array *a, const output *o)
{
    int64_t n[3];
    argand_sense_grid(o->run.session, n);
    return a->data && a->rank >= 3 && a->dims[0] == n[0] && a->dims[1] == n[1] && a->dims[2] == n[2];
}

static bool fits(const blob_array *map, const argand_array *to, const output *o)
{
    return !map->data || (to && map->rank == 3 && has_size(map, o) && map->type == argand_array_type(to));
}

/* Refuses arrays that this output cannot take. */
static argand_status check_arrays(const char *name, const blob *b, const output *o)
{
    const output_image *to = &o->images[o->places[b->volume].image];
    bool good = has_size(&b->image, o) && b->image.rank == 3 && (!b->maps.data || has_size(&b->maps, o));
    for (int m = 0; m < OUTPUT_PIXEL_MAPS; m++) good = good && fits(&b->pixel_map[m], to->pixel_map[m], o);
    if (!good)
        return report_error(ARGAND_FORMAT, "%s: its arrays do not have the shape of this scan's images",
                            name);
    if (b->image.type != argand_array_type(to->array))
        return report_error(ARGAND_ARGUMENT,
                            "%s: was kept as %s, and these options (--part, --report) need %s: use the "
                            "same, or remove the file to reconstruct its volume again",
                            name, argand_type_name(b->image.type),
                            argand_type_name(argand_array_type(to->array)));
    const char *lacks = output_saves_maps(o, b->volume) && !b->maps.data ? "coil maps (--save-maps)" : NULL;
    for (int m = 0; m < OUTPUT_PIXEL_MAPS; m++)
        if (to->pixel_map[m] && !b->pixel_map[m].data) lacks = m ? "g-factor map" : "noise map";
    if (!lacks) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT,
                        "%s: was kept without %s: remove the file to reconstruct its volume again", name,
                        lacks);
}

static void take_rest(bytes_reader *r, blob *b)
{
    take_info(r, &b->facts);
    take_steps(r, &b->facts);
    b->facts.notes = bytes_long_text(r);
    take_array(r, &b->image);
    for (int m = 0; m < OUTPUT_PIXEL_MAPS; m++)
        if (bytes_int(r, 0, 1)) take_array(r, &b->pixel_map[m]);
    if (bytes_int(r, 0, 1)) take_array(r, &b->maps);
    r->failed |= r->at != r->size;
}

static argand_status check_label(const char *name, bytes_reader *r, const char *label, char **found)
{
    char *has = bytes_long_text(r);
    if (!has) return ARGAND_OK; /* take_rest fails */
    const bool same = !strcmp(has, label ? label : "");
    if (!same && found)
        *found = has;
    else
        free(has);
    return same ? ARGAND_OK
                : report_error(ARGAND_ARGUMENT, "%s: belongs to another scan, version or options", name);
}

static argand_status read_blob(blob *b, const output *o, const char *name, const void *data, size_t size,
                               const char *label, char **found)
{
    const int volumes = argand_sense_volumes(o->run.session);
    bytes_reader r = {.data = data, .size = size, .at = HEAD};
    *b = (blob){0};
    TRY(check_head(name, data, size));
    TRY(check_label(name, &r, label, found));
    b->volume = (int)bytes_int(&r, 0, volumes - 1);
    bytes_int(&r, volumes, volumes);
    take_rest(&r, b);
    argand_status status =
        r.failed ? report_error(ARGAND_FORMAT, "%s: is damaged: its contents contradict each other", name)
                 : check_arrays(name, b, o);
    if (status != ARGAND_OK) blob_free(b);
    return status;
}

argand_status output_examine(const output *o, const char *name, const void *data, size_t size,
                             const char *label, int *volume, char **found)
{
    blob b;
    TRY(read_blob(&b, o, name, data, size, label, found));
    *volume = b.volume;
    blob_free(&b);
    return ARGAND_OK;
}

static argand_status upload_volume(const output *o, int volume, const argand_array *whole,
                                   const blob_array *from)
{
    argand_array *place;
    TRY(output_volume_place(&place, o, volume, whole));
    const argand_status status = argand_array_upload(place, from->data);
    argand_array_destroy(place);
    return status;
}

static argand_status upload_maps(output *o, const blob *b)
{
    argand_array *maps;
    const int64_t slice = o->places[b->volume].slice;
    if (!b->maps.data || !output_saves_maps(o, b->volume)) return ARGAND_OK;
    if (!o->coil_maps) o->coil_maps = calloc((size_t)o->images[0].slices, sizeof *o->coil_maps);
    if (!o->coil_maps) return report_error(ARGAND_MEMORY, "out of memory");
    TRY(argand_array_create(&maps, o->run.device, b->maps.type, b->maps.rank, b->maps.dims));
    const argand_status status = argand_array_upload(maps, b->maps.data);
    argand_array_destroy(status == ARGAND_OK ? o->coil_maps[slice] : maps);
    if (status == ARGAND_OK) o->coil_maps[slice] = maps;
    return status;
}

/* Moves the facts of a blob to the output. */
static void move_facts(output *o, blob *b)
{
    output_volume *v = &o->volumes[b->volume];
    free(v->steps);
    free(v->notes);
    *v = b->facts;
    v->info.transform = v->transform;
    v->info.interpolator = v->interpolator;
    v->info.solver = v->solver;
    v->info.density = v->density;
    v->info.stop = v->stop;
    v->done = true;
    b->facts = (output_volume){0};
}

argand_status output_unpack(output *o, const char *name, const void *data, size_t size, const char *label,
                            int *volume, char **found)
{
    blob b;
    TRY(read_blob(&b, o, name, data, size, label, found));
    const output_image *to = &o->images[o->places[b.volume].image];
    argand_status status = upload_volume(o, b.volume, to->array, &b.image);
    for (int m = 0; m < OUTPUT_PIXEL_MAPS; m++)
        if (status == ARGAND_OK && to->pixel_map[m])
            status = upload_volume(o, b.volume, to->pixel_map[m], &b.pixel_map[m]);
    if (status == ARGAND_OK) status = upload_maps(o, &b);
    if (status == ARGAND_OK) status = output_add_notes(&o->notes, b.facts.notes, o->run.console);
    if (status == ARGAND_OK) {
        *volume = b.volume;
        move_facts(o, &b);
    }
    blob_free(&b);
    return status;
}
