/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of our own kernels: a transform is a list of passes, each of which takes the data through one
 * shape of box (kernels/fft/tile/tile.krn). */
#ifndef FFT_GPU_BOX_H
#define FFT_GPU_BOX_H

#include "base/text.h"
#include "device/device.h"
#include "fft/gpu/codegen/access_side.h"
#include "fft/gpu/tuning/tuning.h"
#include "fft/engine.h"
#include "fft/host/roots.h"
#include "kernels/params.h"
#include "kernels/fft/params.h"

enum { BOX_STAGES = 10, BOX_PASSES = 4 * ARGAND_MAX_RANK };

/* Shared memory of a multiprocessor: what a single group may not have, and what each takes besides. */
enum { BOX_SHARED_LEFT = 4096, BOX_SHARED_OF_EACH = 1024 };

/* What a group of a device may use. */
typedef struct box_limits {
    argand_device *device;
    box_tuning tuning;
    bool is_double;
    int item_bytes;       /* of a complex number */
    int items;            /* in a group */
    int values;           /* points that an item holds */
    int cluster;          /* groups that reach each other's shared memory at most; 0: none */
    bool waves;           /* groups may wait for others */
    bool overlaps;        /* launches may begin before the one before has ended */
    int units;            /* multiprocessors */
    int64_t shared_bytes; /* of a group */
    int64_t work_bytes;   /* that a call may take at a time */
    bool keyed;           /* programs without tables (dry) get their kernels' keys all the same */
    bool outlined; /* of dry programs only the kinds of passes are wanted: no orders that take long to find */
    bool whole;    /* no waves but of whole transforms */
    bool unscaled; /* the plan's factors are 1 */
    bool apart;    /* in and out are two pieces of memory */
    bool convolves; /* composite radices above 16 as well, for as few exchanges as there may be */
    bool chirped;   /* Bluestein's lines, whose cost was fitted to measurements */
} box_limits;

int box_most_points(const box_limits *l);    /* that fit in a group */
int box_most_convolved(const box_limits *l); /* where one group at a time will do */

typedef struct box_stage {
    int radix, axis, length; /* length: L, the product of the radices before it along the axis */
    int turns;               /* where its table begins */
    int pitch, every, room; /* of shared memory behind it: rows are `pitch` apart, and `room` numbers are left
                             * free every `every` along the axis */
} box_stage;

typedef enum box_in { IN_COMPLEX, IN_REAL, IN_PAIRS, IN_HALF, IN_HALF_PACKED } box_in;
typedef enum box_out { OUT_COMPLEX, OUT_REAL, OUT_PAIRS, OUT_HALF, OUT_HALF_PACKED } box_out;

/* A line whose length has no radices, as a convolution. */
typedef enum fused_kind { FUSED_NONE, FUSED_BLUESTEIN, FUSED_RADER } fused_kind;
typedef struct box_fused {
    fused_kind kind;
    int points, convolution; /* of the line, and of the convolution, which has radices */
    int wrapped; /* of Bluestein's: results that the convolution is too short for by itself; 0: none */
    int origin;  /* where the line has its number 0, on both sides */
} box_fused;

/* What a pass does for a convolution that is too long for a box: element `along step + number` is turned by
 * the chirp and is nothing from `points` on, as it is loaded or stored; or, in the middle, the spectrum
 * `number + along n1` is multiplied and transformed again. */
typedef enum chirp_part { CHIRP_NONE, CHIRP_IN, CHIRP_OUT, CHIRP_MIDDLE } chirp_part;
typedef struct box_chirp {
    chirp_part part;
    int64_t points, step, convolution, origin;
    bool rader; /* in Rader's order instead, of a cluster; */
    const struct box_halves *halves;
} box_chirp;

/* All that a kernel is compiled for; see the head of fft/tile/tile.krn. */
typedef struct box_shape {
    int size[3];
    int items, values;
    int resident; /* groups that a multiprocessor is to hold, 0: as it comes */
    int stream;   /* groups that stay (fft/persistent/blocks.krn); 0: one for each box */
    int split;    /* points of the next box that these have a place of their own for */
    int bulk;     /* sides whose boxes are moved whole by bulk copies: 1 store, 2 load (fft/persistent/bulk.krn) */
    int stays;    /* bits: stages before which all of an item's points stay with it */
    int powers;   /* stages of at least that length and few points take powers of one turn; 0: none */
    int stages;
    box_stage stage[BOX_STAGES], back[BOX_STAGES]; /* back: of a convolution's second transform */
    int in_fast, mid_fast, out_fast;
    int lines; /* dimension, 3: none */
    bool ragged, wide, rotate, before_store;
    int shift[2][3]; /* how far points are rotated on both sides */
    int loops;
    int once;    /* sides that nobody will want soon: 1 read, 2 written; 4: the launch writes what is read */
    int ahead;   /* groups later, that what a group loads is asked for; 0: it is not; of a wave 1 */
    int near[2]; /* strides of dimension 1 that are constants; 0: not */
    bool plain;  /* results are not scaled here */
    int late;    /* and only when its results are there */
    int unit;    /* strides that the kernel has as constants */
    int planes, shared_numbers;
    int counted; /* 0; 1: the number of loop 0's line is known, 2: that of loop 1's */
    int twist, twist_axis, twist_shift, twist_from;
    chirp_part chirp;
    box_in in_kind;
    box_out out_kind;
    int real_points, real_axis, real_turns;
    int mirrored, real_lines; /* 1, 2: a packed half spectrum's points and their mirror images in one item */
    int together;             /* pairs of reals are one access: 1 on load, 2 on store */
    box_fused fused;
    int fused_axis, fused_table, fused_spectrum, wrap_table, origin;
    box_access access[3]; /* load, store, and between two transforms */
    int mirror;           /* bits: dimensions of the box along which X[-k] is at -k */
    int halved;      /* of boxes of lines and their images: the loop of which half is enough, as the rest are
                        images */
    int dims, words; /* coordinates; numbers that come with a launch */
    bool falling;    /* as box_job.order 2 */
    int next_line;   /* boxes begin with that line and end with the first ones */
    int still;       /* bits: dimensions whose distances are left to spans; from 3 on: of the store side */
    int at_part;     /* the coordinate along which calls are done in parts; -1: none */
    int at_with;     /* where chunks of a wave go on, and after how many points of at_part */
    int64_t at_with_n;
    int crossed;   /* of a cluster's first half: how far its results are moved on their way to the second */
    int turned[2]; /* the butterfly of the first and of the last stage that item 0 has */
    int boxes[BOX_LOOPS];        /* of the loops, where kernels have them as constants; 0: they have not */
    bool factors;                /* the load's array comes by way of shared memory */
    bool kept_arrays;            /* an array that is not small comes again and again */
    int first_loop, first_count; /* along that loop, not loop 0, so many boxes come first; 0: as numbered */
    int at_dim[3 + BOX_LOOPS];   /* the coordinate that grows along box and loops, from 1 on; 0: none */
    int64_t at_step[3 + BOX_LOOPS];
    const char *const *own; /* texts of the user's own for each set of chains, by name */
    int filled;      /* of Bluestein's lines: points along the axis that are not beyond the line's end */
    int chirp_angle; /* sides whose chirp is arithmetic: 1 load, 2 store */
    bool rader;      /* a long convolution's part is Rader's */
    bool spread;     /* Rader's lines: numbers lie where they meet no conflicts, rader.c */
    int turning;     /* turns of long stages: 0 from tables, 1 some, and products, 2 these by arithmetic */
    bool looped;     /* a convolution's stages are the same there and back, and a loop in the kernel */
} box_shape;

/* Whether the pass is one with accessors. */
static inline bool box_has_access(const box_shape *s)
{
    return s->access[0].on || s->access[1].on || s->access[2].on;
}

/* Whether the pass transforms, multiplies, and transforms back. */
static inline bool box_convolves(const box_shape *s)
{
    return s->fused.kind || s->chirp == CHIRP_MIDDLE || s->access[2].on;
}

/* Whether a dimension is transformed: else it has lines. */
static inline bool box_has_stages(const box_shape *s, int axis)
{
    for (int i = 0; i < s->stages; i++)
        if (s->stage[i].axis == axis) return true;
    return false;
}

static inline int box_points(const box_shape *s)
{
    return s->size[0] * s->size[1] * s->size[2];
}

/* Pairs of reals there, half their spectrum in the middle, and back. */
static inline bool box_is_real_middle(const box_shape *s)
{
    return s->in_kind == IN_PAIRS && s->out_kind == OUT_PAIRS;
}

/* Whether boxes have lines and those where X[-k] is. */
static inline bool box_has_images(const box_shape *s)
{
    return s->access[2].image.rank > 0;
}

/* Of a box's lines that follow each other: which part; the others are mirror images. */
static inline int box_fold(const box_shape *s)
{
    return s->mirrored == 2 || box_has_images(s) ? 2 : 1;
}

/* Of a mirrored shape, the one whose items have butterflies in pairs. */
static inline const box_stage *box_paired_stage(const box_shape *s)
{
    return &s->stage[s->in_kind == IN_HALF_PACKED ? 0 : s->stages - 1];
}

typedef enum box_memory { BOX_IN, BOX_OUT, BOX_WORK } box_memory;

/* A pass that leaves its results in the shared memory of the next one, in one launch (fft/cluster/cluster.krn): how.
 */
/* Of a convolution's passes in a cluster: which have their stages but once in the kernel. */
typedef enum box_round { ROUND_NONE, ROUND_ALL, ROUND_COLUMNS } box_round;

typedef struct box_cross {
    int groups; /* of a cluster; 0: a pass by itself */
    int passes; /* two, or the three of a convolution */
    int resident, shared_numbers;
    int u, v, u_tile, v_tile, row, row_back, order, way;
    box_round round;
} box_cross;

typedef struct box_pass {
    box_shape shape;
    struct box_params params; /* all but direction and factor; `at` counts from the memory's start */
    box_memory from, to;
    bool scaled; /* the plan's factor is applied here */
    bool back;   /* goes the other way than the call: after a chain at the spectrum */
    int axis;    /* of the problem, that its lines run along; the first of a plane's */
    char *key;   /* the kernel's name, with all defines */
    int64_t groups, bytes;
    size_t shared_bytes;
    box_cross cross;
} box_pass;

/* Turns: complex numbers exp(-2 pi i m / n), gathered while passes are made, then uploaded. */
typedef struct box_tables {
    double *numbers; /* pairs */
    int count, room;
    bool dry; /* counted, but not filled */
    int base; /* where those of the pass in making begin: what tables_* tell counts from here */
    struct {
        int kind, a, b, at; /* what lies where, so that nothing is there twice */
    } entry[96];
    int entries;
} box_tables;
/* Passes share nothing, so that equal passes of different plans are one kernel. */
void tables_begin(box_tables *t);
/* (r - 1) length + k: exp(-2 pi i r k / (length radix)) */
argand_status tables_stage(box_tables *t, int length, int radix, int *at);
/* exp(-2 pi i k step / n) for k < count */
argand_status tables_turns(box_tables *t, int64_t n, int64_t step, int count, int *at);
/* Room for that many; the pairs from number `at` on, until there is room for more. */
argand_status tables_room(box_tables *t, int count, int *at);
double *tables_at(const box_tables *t, int at);
/* exp(-2 pi i m / n) */
void tables_turn(double *to, int64_t m, int64_t n);
void tables_root(double *to, const roots *r, int64_t m); /* of the r->n, m < n: many of one n */
void tables_release(box_tables *t);

/* radices.c: the stages of n points and how many items share them; 0 where n has a factor that no radix has.
 */
typedef struct box_radices {
    int count, radix[BOX_STAGES];
    int items;   /* of one transform */
    double cost; /* a point, in operations */
    bool paired; /* items have pairs of butterflies at one end */
} box_radices;
bool radices_choose(box_radices *best, int n, const box_limits *l, int least_stages);
bool radices_choose_below(box_radices *best, int n, const box_limits *l, double cost); /* cheaper than that */
/* The same where each item has pairs of butterflies of the stage at one end, the last or the first. */
typedef enum paired_end { PAIRED_LAST = 1, PAIRED_FIRST } paired_end;
bool radices_choose_paired(box_radices *best, int n, const box_limits *l, paired_end end);

/* fused.c: a convolution of at most `most` points for n, its radices; false: none. */
bool fused_choose(box_fused *f, box_radices *r, int64_t n, int most, const box_limits *l);
/* Whether its stages there and back are to be a loop, if they are the same. */
bool fused_reaches(int64_t n, int64_t m); /* whether m points might do for n */
bool fused_may_loop(const box_fused *f, const box_limits *l);
bool fused_is_prime(int64_t n);
/* Its tables: Bluestein's chirp, the spectrum. */
argand_status fused_chirp(box_tables *t, const box_fused *f, argand_device *device, int *table);
/* What a convolution that is too short lacks. */
argand_status fused_wrapped(box_tables *t, const box_fused *f, int *table);
/* Behind a table that of the inverse: conjugates, of a spectrum from the other end. */
argand_status fused_conjugates(box_tables *t, int table, int count, bool spectrum);
/* lines > 1: spectrum number k lies with those of k mod lines. */
argand_status fused_spectrum(box_tables *t, const box_fused *f, int lines, argand_device *device,
                             int *spectrum);
/* spectrum.c: `count` rows of m are transformed in place. */
argand_status spectrum_transform(double *rows, int m, int count, argand_device *device);
/* symmetric.c: Bluestein's, by lines. */
argand_status spectrum_symmetric(double *to, const box_fused *f, int lines, argand_device *device);

double radix_operations(int radix); /* real ones, a point */

/* rader.c: Rader's orders. What lines are convolved with; */
argand_status rader_kernel(double *kernel, const box_fused *f);
/* the lists of one in a box, once it is known what lies where; */
argand_status rader_lists(box_tables *t, box_shape *s, bool is_double);
/* whether whole lines, point 0 among them, go to shared memory as they lie in memory, and how many numbers.
 */
bool rader_is_flat(const box_shape *s);
int rader_numbers(const box_shape *s, int banks);

/* banks.c: how many numbers of a kind meet no conflicts; the stages' pitch, every and room with the fewest
 * conflicts; fills shared_numbers. */
int banks_of(const box_shape *s, bool is_double);
/* tells what exchanges cost, */
int banks_choose(box_shape *s, bool is_double);
/* by which the radices of Rader's convolution get their order. */
void banks_order(box_shape *s, bool is_double);

/* One axis of a job, and one loop around it. */
typedef struct box_span {
    int64_t n, in, out; /* length, strides */
    int64_t number;     /* how numbers of points of a real line grow along it, where they are asked for */
    int dim;            /* the coordinate that accessors see grow along it, from 1 on; 0: none */
    int64_t step;       /* by how much a point */
} box_span;

enum { JOB_SPANS = 2 * ARGAND_MAX_RANK + 4 };

/* Lines of one length along an axis; loops over them. */
typedef struct box_job {
    box_span axis;
    int loops;
    box_span loop[JOB_SPANS];
    int counted_loop;     /* whose number the kernel must know; -1: none */
    int64_t twist_points; /* results are turned by exp(-2 pi i k number / twist_points); 0: not */
    box_chirp chirp;      /* of a long convolution */
    box_memory from, to;
    int64_t from_at, to_at;
    int shift_in, shift_out, /* element i of the transform lies at (i + shift) mod n */
        twist_from;          /* the line whose number is 0 for its turns */
    bool scaled;
    int once;  /* sides whose numbers nobody will want soon, as in box_shape */
    int order; /* of boxes: 0 rising; 1, 2: and falling, in turns, as what the pass before wrote last may
                * still be in the cache */
    box_in in_kind;
    box_out out_kind;
    int real_points;
    int64_t in_pair, out_pair; /* half a spectrum, not packed: between its elements */
    bool together;             /* pairs of reals lie together, at even places */
    bool folded;    /* counted lines g and n - g in one box, where a half spectrum's mirror images are */
    bool any_lines; /* boxes may begin with any line */
    int number;     /* of the axis in the problem */
    box_access access[3];
    int dims, at_part, at_with;
    int64_t at_with_n;
    const char *const *own; /* texts of each set of chains, by name */
} box_job;

/* Passes that go over chunks of the data in one launch (kernels/fft/persistent/passes.krn). */
enum { WAVE_MOST = 3 }; /* passes */
typedef struct box_wave {
    int begin, count; /* passes, and which is the first of them; count 0: none */
    struct wave_params params;
    int items;
    int resident;                /* groups that a multiprocessor is asked to hold; 0: as it comes */
    int early;                   /* see fft/persistent/passes_queue.krn */
    int64_t groups, work;        /* all of them; complex numbers of a slot of work memory */
    int64_t first[WAVE_MOST][3]; /* of accessors: coordinates and elements from chunk to chunk */
    char *key;
    size_t shared_bytes;
} box_wave;

typedef struct box_program {
    int count;
    box_pass pass[BOX_PASSES];
    box_wave wave;
    box_tables tables;
    unsigned folded[3]; /* scalars of chains that are factors of the results, as in access_plan */
    int64_t kept;       /* complex numbers of scratch that hold what passes go through before and after */
    int64_t work;       /* and all of it */
    bool together;      /* reals must begin at even places */
    bool apart;         /* the first pass does not work in place */
} box_program;

/* key.c */
argand_status key_make(char **key, const box_pass *pass, bool is_double);
/* access/places.c: coordinates, and what addresses leave to spans, of a pass that has its box and loops. */
void access_places(box_pass *pass, const box_job *job, const box_span span[3]);
/* access/words.c: what a pass with accessors is compiled for, added to its words; and its kernel, which has
 * such passes (false: it has not). */
void key_add_access(text *t, const box_shape *s);
/* Whether the chain at load is an array that may come by way of shared memory. */
bool access_has_factors(const box_shape *s, const box_limits *l);
bool key_add_kernel(text *t, const box_pass *pass, int count);
/* Where the numbers of a launch stand; and those of one: how many. first: see fft/tile/chain.krn. c: NULL
 * for stand-ins, zeros. */
void access_layout(box_shape *s);
enum { BOX_WORDS = 66 }; /* with the rest of what a kernel is given, OpenCL's 1024 bytes */
int access_words(INDEX *words, const box_shape *s, const access_call *c, const int64_t first[3],
                 bool is_double);
argand_status key_make_cluster(char **key, const box_pass *pass, const box_cross *c, bool is_double);
argand_status key_make_wave(char **key, const box_program *p, int shared_numbers, bool is_double);

/* What a wave's chunks are: `chunk` of the `all` places along span `span` (an axis or a loop), which the axes
 * before `axes` are transformed for in one launch. */
typedef struct wave_choice {
    int span, with; /* with: a loop that follows the span and counts as part of it; -1: none */
    int64_t n, with_n;
    int axes;
    int64_t chunk, all;
    box_span at;    /* the span as the first pass has it */
    int items;      /* that all passes have */
    bool kept;      /* what the wave leaves in work memory is for later passes, all of it */
    bool tail;      /* a line's last two passes, over chunks of the loop `at`, */
    box_span outer; /* for each of these; work memory before `base` is not the wave's */
    int64_t base;
} wave_choice;
/* wave.c: chunks for passes that were made without; false: no gain. spans: the problem's axes and loops. */
bool wave_choose(wave_choice *w, const box_program *p, const box_span *spans, int rank, int all,
                 const box_limits *l);
/* The same for a line that takes two passes: chunks of lines beside each other. */
bool wave_tail(wave_choice *w, const box_program *p, const box_job *job, const box_limits *l);
/* Makes the passes from 0 on, or a tail's, which take one chunk each, the program's wave. */
argand_status wave_finish(box_program *p, const wave_choice *w, const box_limits *l);

/* lines.c: appends the pass or passes of a job. */
argand_status program_lines(box_program *p, const box_job *job, const box_limits *l);
/* Whether a job that goes there and back can have boxes of lines and their images, where X[-k] is. */
bool images_fit(const box_job *job, int rank, const box_limits *l);
/* What such boxes, and those of a long line's middle, hold at most. */
box_limits middle_limits(const box_job *job, const box_limits *l);
/* The longest line of a box. Columns need neighbours beside them. */
int64_t longest(const box_job *job, const box_limits *l);
/* A long line in two parts, the first of n1 points: whether a rotated one may be; how both are rotated. */
bool job_may_divide(const box_job *job, int64_t n, int64_t n1, const box_limits *l);
void job_share_shift(box_job *first, box_job *second, int64_t n1, int64_t n2);
void divide_line(box_program *p, const box_job *job, int64_t n1, box_job *first, box_job *second);
/* halves.c: lines along the first axis of a real transform, given as a complex line's job of as many points
 * and strides: as pairs of reals where that goes. together: pairs lie together, at even places. */
argand_status program_real(box_program *p, const box_job *job, bool forward, bool together,
                           const box_limits *l);
/* The same there and back at once, through the chain of job->access[2]; where real_middle_fits. */
bool real_middle_fits(const box_job *job, const box_limits *l);
argand_status program_real_middle(box_program *p, const box_job *job, bool together, const box_limits *l);
/* Packed pairs' lines that are too long for a box, where halves_fit. */
bool halves_fit(const box_job *job, const box_limits *l);
argand_status program_halves(box_program *p, const box_job *job, const box_limits *l);
/* scrambled.c: the first of two parts of axis 0 where its frequencies (or its signal) may lie in the order
 * that the passes leave them in; 0: it stays natural. */
int64_t scrambled_factor(const fft_problem *p, const box_limits *l);
bool scrambled_is_output(const fft_problem *p, argand_direction direction); /* else the input is */
argand_status program_scrambled(box_program *p, const box_job *job, int64_t n1, bool output,
                                const box_limits *l);
/* middle.c: lines that are too long for a box, there, through the chain of job->access[2], and back; images:
 * with X[-k]. */
bool middle_fits(const box_job *job, bool images, const box_limits *l);
argand_status program_middle(box_program *p, const box_job *job, const box_limits *l);
/* convolved.c: lines without radices that are too long for a box. */
argand_status program_convolved(box_program *p, const box_job *job, const box_limits *l);
/* The longest part of such a line that leaves room for neighbours. */
int64_t longest_part(int64_t n, const box_limits *l);
/* The divisor of n that is best for the first of two parts; 0: none. */
int64_t first_factor(const box_job *job, int64_t n, const box_limits *l);
bool has_radices(int64_t n);       /* only prime factors that are radices of such lines */
bool has_small_radices(int64_t n); /* none above 31 */
/* plane.c: two axes in one box, the first contiguous; false where they do not fit. */
bool fits_group(const box_span *a, const box_span *b, const box_limits *l); /* without a cluster */
bool plane_fits(const box_span *a, const box_span *b, const box_limits *l);
argand_status program_plane(box_program *p, const box_job *job, const box_span *second, int second_shift,
                            const box_limits *l);

/* volume.c: three axes in two passes; false: it would take longer. How many volumes there are
 * does not matter, as results are to be the same. */
bool volume_fits(const box_span *s, const box_limits *l);
bool plane_is_shared(const box_span *a, const box_span *b, const box_limits *l); /* as s, and one point */
argand_status program_volume(box_program *p, const box_job *job, const box_span *s, const int shift[3],
                             const box_limits *l);
/* Three axes in three passes, where the tuning tells how the second and the third one are divided. */
bool volume_is_deep(const box_span *s, const box_limits *l);
argand_status program_volume_deep(box_program *p, const box_job *job, const box_span *s, const int shift[3],
                                  const box_limits *l);
/* The same for passes with accessors: how many points of the middle axis the first one has, 0: no gain; and
 * pass 0, whose job is along s[0] with s[2] among its loops, or 1, the other way round. */
int64_t volume_part(const box_span *s, const box_limits *l);
argand_status program_volume_pass(box_program *p, const box_job *job, const box_span *s, int pass,
                                  const box_limits *l);

/* cluster.c: lines that are too long for a group, and planes, as two passes in one launch: U x V points, of
 * which each pass has one side's lines. */
typedef struct box_halves {
    int groups, items;
    int u, v; /* lengths of the first and of the second half */
    int row;  /* 0; of a volume: u's are planes of rows of so many points */
    box_radices radices[2], along_rows;
    int way, resident; /* see fft/cluster/cluster.krn; groups of a multiprocessor, by what they will ask for */
    double cost;       /* of a point, in operations */
} box_halves;
bool cluster_line(box_halves *h, const box_job *job, const box_limits *l);
bool cluster_plane(box_halves *h, const box_span *a, const box_span *b, const box_limits *l);
argand_status program_cluster_line(box_program *p, const box_job *job, const box_halves *h,
                                   const box_limits *l);
argand_status program_cluster_plane(box_program *p, const box_job *job, const box_span *second,
                                    int second_shift, const box_halves *h, const box_limits *l);

/* cluster_volume.c: all of a small volume. */
bool cluster_volume(box_halves *h, const box_span *s, const box_limits *l);
argand_status program_cluster_volume(box_program *p, const box_job *job, const box_span *spans,
                                     const int shift[3], const box_halves *h, const box_limits *l);

/* Of a cluster's planning, for all files of it. */
enum { CLUSTER_SEGMENT = 64, CLUSTER_HELD = 16 }; /* bytes beside each other at least; points of an item */
enum { CROSS_HALF = 3 };                          /* an order of sending, see fft/cluster/cluster.krn */
int cluster_tile(int n, int groups);
int cluster_points(const box_halves *h); /* of a group, at most */
bool cluster_try(box_halves *h, int groups, int u, int v, int least_v, const box_limits *l);
/* Whether the tiles are large enough and groups have room for them. */
bool cluster_has_room(int groups, int u, int v, int least_v, const box_limits *l);
/* What a group has at most if it is as little as it should be; whether it is. */
int cluster_small_points(const box_limits *l);
bool cluster_is_small(const box_halves *h, const box_limits *l);
double cluster_cost(const box_halves *h);
double cluster_half_least(int n); /* operations a point of a half of n, which no choice has less of */
/* The passes of a cluster, whose `cross` says how they meet, become the launch of the first. */
argand_status cluster_launch(box_pass *pass, const box_halves *h, const box_limits *l);
/* rader.c: the three lists of such a cluster's first part, or, back, of its last one. */
argand_status rader_route(box_tables *t, const box_fused *f, const box_halves *h, bool back, bool is_double,
                          int *table);
/* The same of two. */
argand_status cluster_join(box_program *p, const box_halves *h, const box_limits *l);
/* A half of lines: the pass as far as its stages, and the whole of it. */
argand_status cluster_begin(box_program *p, const box_job *job, const box_halves *h, int half,
                            box_pass **pass);
argand_status cluster_half(box_program *p, const box_job *job, const box_halves *h, int half,
                           const int shift[2][3], const box_limits *l);
/* A job's loops with the one over a part's lines before them. */
void cluster_put_lines(box_job *job, box_span lines);
/* cluster_convolved.c: lines without radices as a convolution that a cluster holds; rader: of one point less.
 */
bool cluster_convolution(box_halves *h, bool *rader, const box_job *job, const box_limits *l);
argand_status program_cluster_convolution(box_program *p, const box_job *job, const box_halves *h, bool rader,
                                          const box_limits *l);

/* Shared memory that a pass is launched with: more than it uses where too many groups would fit. */
size_t pass_shared_bytes(const box_pass *pass, const box_limits *l);
/* stream.c: whether the pass becomes one by groups that stay; its order in shared memory is known. */
bool stream_make(box_pass *pass, const box_limits *l);
/* Sides on which boxes are moved by bulk copies, and room for that; before the size of shared memory is
 * taken. */
void bulk_choose(box_pass *pass, const box_limits *l);

/* job.c: an empty pass at the end of the list, with tables of its own. */
argand_status pass_begin(box_program *p, const box_job *job, box_pass **pass);
void shape_values(box_shape *s); /* how many points each item holds */
/* resident.c: groups at a time, as many as one wants and registers hold; and what the compiler is asked for,
 * 0: nothing. */
int shape_groups(const box_shape *s, const box_limits *l);
int shape_resident(const box_shape *s, const box_limits *l, size_t shared_bytes);
/* Loops that follow each other become one; unit ones go. */
void job_tidy(box_job *job);
/* Parameters, tables, banks and key of a pass whose shape has its sizes, stages (radix and axis), speeds and
 * kinds. span: the box's dimensions. */
argand_status pass_finish(box_program *p, box_pass *pass, const box_job *job, const box_span span[3],
                          const int shift[2][3], const box_limits *l);

/* program.c */
/* dry: only to see what passes there would be; tables stay empty. */
argand_status program_make(box_program *p, const fft_problem *problem, const fft_geometry *g,
                           argand_direction direction, const box_limits *l, bool dry);
void program_release(box_program *p);

/* build.c: what a pass starts; NULL where that is what one before has started: a wave's later passes, a
 * cluster's second half. */
const char *program_launch_key(const box_program *p, int pass);
/* Keys of one or more programs, which lend them. */
typedef struct box_kernels {
    const char *key[KERNELS_AT_ONCE];
    int count;
} box_kernels;
bool kernels_gather(box_kernels *k, const box_program *p); /* false: no room */
/* All kernels of a program, by the pass; those that are not there are built, one after the other. */
argand_status program_kernels(void *kernels[BOX_PASSES], const box_program *p, argand_device *device);
/* access/program.c: the passes of a problem with accessors, none of which needs a pass of its own. */
typedef struct access_plan {
    const fft_problem *problem;
    bool turned;            /* complex to real: what is the input's side is the output's */
    bool together;          /* pairs of reals may be one access, as arrays begin at even places */
    unsigned reals[3];      /* of the chains at load, spectrum and store, as in box_access */
    unsigned folded[3];     /* scalars of these that are factors of the results: bits */
    bool factor;            /* which are complex */
    const char *const *own; /* texts of the user's own of each set of chains (bits), by name */
    int part;               /* the coordinate along which calls are done in parts; -1: none */
} access_plan;
argand_status program_access(box_program *p, const access_plan *a, const fft_geometry *g, const box_limits *l,
                             bool dry);
/* access/factor.c: sets `folded`; whether there are such; their product as planned, and in a call. */
void factor_find(access_plan *a);
bool factor_is_any(const access_plan *a);
argand_scalar factor_planned(const access_plan *a);
argand_scalar factor_of(const unsigned folded[3], const access_call *call);
/* engine.c, for the engine with accessors: names of variants that can make a difference, what ESTIMATE takes
 * first; and what a variant means on the device. */
int box_list_variants(const fft_problem *p, argand_device *device, char (*names)[FFT_VARIANT_CHARS],
                      int most);
argand_status box_find_limits(box_limits *l, const fft_problem *p, argand_device *device,
                              const char *variant_name);
/* variants.c, for tests as well */
argand_status box_upload_tables(storage **to, const box_program *p, const box_limits *l,
                                argand_device *device);
/* engine.c */
int box_longest_loop(const fft_geometry *g); /* -1: none */
int64_t box_at_a_time(const fft_geometry *g, const box_program *p, const box_limits *l);
int64_t box_workspace(const fft_geometry *g, const box_program *p, const box_limits *l);

/* facts.c: for the planner. */
void program_passes(const box_program *p, const box_limits *l, fft_passes *list);
/* About how long its passes take, in bytes that are moved meanwhile. */
double program_cost(const box_program *p, const box_limits *l);

#endif
