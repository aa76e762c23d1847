/* SPDX-License-Identifier: BSD-3-Clause */
/* argand_sequence_read: walks through the blocks of a Pulseq sequence, integrates gradients, and writes k and
 * t of each sample and the labels of each readout. An excitation sets k to 0 at the centre of its pulse, a
 * refocusing pulse negates k. */
#include <math.h>

#include "base/memory.h"
#include "io/pulseq/pulseq.h"

enum { MOST_SAMPLES = 1 << 25 };

typedef struct sequence_owner {
    argand_sequence sequence; /* first: argand_sequence_destroy casts back */
    int64_t *sizes;
    double *numbers; /* kx, ky, kz, t of all samples */
    double *excited; /* of all readouts */
    argand_counters *counters;
    text notes;
} sequence_owner;

/* Where the walk is. */
typedef struct walk {
    pulseq_file *file;
    sequence_owner *owner;
    double time, moment[3]; /* at the beginning of the block */
    double excited;         /* time of the last excitation's centre */
    double shift[3];        /* k is the moment plus this */
    double before[3];       /* gradients at the end of the block before */
    pulseq_wave *waves[3];
    int64_t readout, sample;
    pulseq_effects effects;
} walk;

/* ---- counting */

static argand_status count_samples(int64_t *readouts, int64_t *samples, const pulseq_file *file)
{
    *readouts = *samples = 0;
    for (int64_t i = 0; i < file->blocks.count; i++) {
        const double id = file->blocks.rows[i].v[6];
        if (id == 0) continue;
        const int64_t at = pulseq_find(&file->readouts, id);
        CHECK(at >= 0, ARGAND_FORMAT, "%s: block %lld has the readout %.9g, which [ADC] does not have",
              file->path, (long long)i + 1, id);
        const double *v = file->readouts.rows[at].v;
        CHECK(v[1] >= 1 && v[1] == floor(v[1]) && v[1] <= MOST_SAMPLES - (double)*samples, ARGAND_FORMAT,
              "%s: the readout %.9g has %.9g samples; whole numbers, and at most %d in all, are read",
              file->path, id, v[1], MOST_SAMPLES);
        *samples += (int64_t)v[1];
        ++*readouts;
    }
    CHECK(*readouts, ARGAND_FORMAT, "%s: the sequence has no readout ([ADC])", file->path);
    return ARGAND_OK;
}

/* ---- a block */

static argand_status find_waves(walk *w, const pulseq_row *block)
{
    const double duration = block->v[1] * w->file->block_raster, accuracy = 1e-9;
    for (int d = 0; d < 3; d++) {
        const double id = block->v[3 + d];
        w->waves[d] = NULL;
        if (id != 0) TRY(pulseq_make_wave(&w->waves[d], w->file, id, w->before[d]));
        const pulseq_wave *wave = w->waves[d];
        w->before[d] = wave && wave->t[wave->count - 1] + accuracy >= duration ? wave->last : 0;
    }
    return ARGAND_OK;
}

static double moment_at(const walk *w, int d, double t)
{
    double sum = w->moment[d];
    for (int from = 0; from < 3; from++) {
        const double part = w->effects.rotated ? w->effects.rotation[d][from] : from == d;
        if (part != 0 && w->waves[from]) sum += part * pulseq_moment(w->waves[from], t);
    }
    return sum;
}

/* Writes the labels of a readout. */
static argand_status take_counters(const walk *w)
{
    argand_counters *c = &w->owner->counters[w->readout];
    uint16_t *const to[PULSEQ_LABELS] = {&c->shot,  &c->partition,  &c->average, &c->slice,  &c->contrast,
                                         &c->phase, &c->repetition, &c->set,     &c->segment};
    for (int i = 0; i < PULSEQ_LABELS; i++) {
        const double value = w->effects.label[i];
        CHECK(value >= 0 && value <= UINT16_MAX && value == floor(value), ARGAND_FORMAT,
              "%s: a label of the readout %lld is %.9g; whole numbers from 0 to 65535 are read",
              w->file->path, (long long)w->readout, value);
        *to[i] = (uint16_t)value;
    }
    return ARGAND_OK;
}

static void take_pulse(walk *w, const pulseq_pulse *pulse)
{
    for (int d = 0; d < 3; d++) {
        const double moment = moment_at(w, d, pulse->centre);
        if (pulse->use == 'e') w->shift[d] = -moment;
        if (pulse->use == 'r') w->shift[d] = -2 * moment - w->shift[d];
    }
    if (pulse->use == 'e') w->excited = w->time + pulse->centre;
}

/* Writes the samples of a readout; a pulse in the middle of them counts from its centre on. */
static void take_readout(walk *w, const pulseq_row *readout, const pulseq_pulse *pulse)
{
    const int64_t count = (int64_t)readout->v[1], all = w->owner->sequence.sample_count;
    const double dwell = readout->v[2] * 1e-9, delay = readout->v[3] * 1e-6;
    double *to = w->owner->numbers + w->sample;
    bool done = !pulse;
    for (int64_t i = 0; i < count; i++, to++) {
        const double t = delay + ((double)i + 0.5) * dwell;
        if (!done && t >= pulse->centre) {
            take_pulse(w, pulse);
            done = true;
        }
        for (int d = 0; d < 3; d++) to[d * all] = moment_at(w, d, t) + w->shift[d];
        to[3 * all] = w->time + t;
    }
    w->owner->excited[w->readout] = w->excited;
    if (!done) take_pulse(w, pulse);
    w->owner->sizes[w->readout++] = count;
    w->sample += count;
}

static argand_status take_block(walk *w, const pulseq_row *block)
{
    const pulseq_file *file = w->file;
    const pulseq_pulse *pulse = NULL;
    const double duration = block->v[1] * file->block_raster;
    TRY(find_waves(w, block));
    TRY(pulseq_extend(&w->effects, file, block->v[7]));
    if (block->v[2] != 0) {
        const int64_t at = pulseq_find(&file->pulses, block->v[2]);
        CHECK(at >= 0, ARGAND_FORMAT, "%s: block %.0f has the pulse %.9g, which [RF] does not have",
              file->path, block->v[0], block->v[2]);
        pulse = &file->centres[at];
    }
    if (block->v[6] != 0) TRY(take_counters(w));
    if (block->v[6] != 0)
        take_readout(w, &file->readouts.rows[pulseq_find(&file->readouts, block->v[6])], pulse);
    else if (pulse)
        take_pulse(w, pulse);
    for (int d = 0; d < 3; d++) w->moment[d] = moment_at(w, d, INFINITY);
    w->time += duration;
    return ARGAND_OK;
}

static argand_status check_finite(const pulseq_file *file, const sequence_owner *owner)
{
    for (int64_t i = 0; i < 4 * owner->sequence.sample_count; i++)
        CHECK(isfinite(owner->numbers[i]), ARGAND_FORMAT, "%s: k or t of sample %lld is not finite",
              file->path, (long long)(i % owner->sequence.sample_count));
    return ARGAND_OK;
}

/* ---- the sequence */

static argand_status read_sequence(sequence_owner *owner, pulseq_file *file)
{
    argand_sequence *s = &owner->sequence;
    TRY(pulseq_read_text(file));
    if (file->minor < 4) TRY(pulseq_from_early(file));
    TRY(count_samples(&s->readout_count, &s->sample_count, file));
    TRY(NEW(file->waves, file->gradients.count + file->trapezoids.count + 1));
    TRY(NEW(file->centres, file->pulses.count + 1));
    TRY(pulseq_make_pulses(file));
    TRY(NEW(owner->sizes, s->readout_count));
    TRY(NEW(owner->numbers, 4 * s->sample_count));
    TRY(NEW(owner->excited, s->readout_count));
    TRY(NEW(owner->counters, s->readout_count));
    s->excited = owner->excited;
    s->counters = file->set.count || file->increased.count ? owner->counters : NULL;
    s->sizes = owner->sizes;
    memcpy(s->field_of_view, file->field_of_view, sizeof s->field_of_view);
    for (int d = 0; d < 3; d++) s->k[d] = owner->numbers + d * s->sample_count;
    s->t = owner->numbers + 3 * s->sample_count;
    walk w = {.file = file, .owner = owner};
    for (int64_t i = 0; i < file->blocks.count; i++) TRY(take_block(&w, &file->blocks.rows[i]));
    if (file->minor < 5 && file->pulses.count)
        text_add(&owner->notes,
                 "Pulseq 1.%d does not say what RF pulses are for: those of more than 90 degrees "
                 "are taken as refocusing, or as fat saturation.\n",
                 file->minor);
    s->notes = text_chars(&owner->notes);
    TRY(owner->notes.status);
    return check_finite(file, owner);
}

static void close_file(pulseq_file *file)
{
    for (int64_t i = 0; i < file->shape_count; i++) memory_free(file->shapes[i].values);
    for (int64_t i = 0; file->waves && i < file->gradients.count + file->trapezoids.count; i++)
        memory_free(file->waves[i].t);
    pulseq_table *const tables[] = {&file->blocks,    &file->pulses,     &file->gradients, &file->trapezoids,
                                    &file->readouts,  &file->extensions, &file->rotations, &file->set,
                                    &file->increased, &file->delays};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) memory_free(tables[i]->rows);
    memory_free(file->shapes);
    memory_free(file->waves);
    memory_free(file->centres);
    memory_free(file->chars);
}

argand_status argand_sequence_read(argand_sequence **sequence, const char *path)
{
    sequence_owner *owner;
    if (sequence) *sequence = NULL;
    CHECK(sequence && path, ARGAND_ARGUMENT, "argand_sequence_read: sequence and path must not be NULL");
    pulseq_file file = {.path = path, .gradient_raster = 1e-5, .pulse_raster = 1e-6, .block_raster = 1e-5};
    TRY(NEW(owner, 1));
    const argand_status status = read_sequence(owner, &file);
    close_file(&file);
    if (status == ARGAND_OK)
        *sequence = &owner->sequence;
    else
        argand_sequence_destroy(&owner->sequence);
    return status;
}

void argand_sequence_destroy(argand_sequence *sequence)
{
    sequence_owner *owner = (sequence_owner *)(void *)sequence;
    if (!owner) return;
    memory_free(owner->sizes);
    memory_free(owner->numbers);
    memory_free(owner->excited);
    memory_free(owner->counters);
    text_free(&owner->notes);
    memory_free(owner);
}
