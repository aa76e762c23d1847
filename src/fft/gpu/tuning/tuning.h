/* SPDX-License-Identifier: BSD-3-Clause */
/* What may be chosen freely of the engine of our own kernels, and its names. */
#ifndef FFT_GPU_TUNING_TUNING_H
#define FFT_GPU_TUNING_TUNING_H

#include "fft/engine/engine.h"

/* Words of variants (tuning.c), and what they are. */
typedef struct box_tuning {
    int items;  /* that a group should have */
    int values; /* points that an item should hold at most */
    int planes; /* parts of numbers that go through shared memory at a time, 1 or 2; 0: by size */
    int near;   /* strides that an instruction can have are constants; 2: rows' too, which clusters want */
    int large;  /* composite radices above 16, too */
    int pairs;  /* both parts of a number are one access of shared memory where they go through it together */
    int sharing;  /* items that share a line at most, the fewer the more points each; 0: as the device */
    int points;   /* of a group at most; 0: as many as the device has room for */
    int no_plane; /* axes one by one */
    int segment;  /* bytes of neighbours in tiles of columns: 32 where that spares a pass, 64 (0), 128 */
    int any_run;  /* rows are loaded and stored as the radices have them, however short the runs of neighbours
                   */
    int work_mib; /* work memory that passes share at a time, if the device has many times that */
    int wave_kib; /* of one side of a chunk of a wave; 0: no waves */
    int tail_kib; /* of a chunk of the waves that a long line ends with; 0: none of those */
    int head;     /* points of the first pass along a long line, of three about; 0: as the others */
    int columns;  /* bytes of neighbours that tiles of columns should have at least; more may be two passes */
    int powers;   /* length from which stages of radix 3 and 4 take powers of one turn; 0: never */
    int once;    /* numbers pass by the caches: 1: into and out of waves, 2: all, 3: into the first pass along
                  * axes and out of the last, 0: none */
    int reverse; /* 1: every second pass goes over its boxes in falling order */
    int spread;  /* 1: no multiprocessor gets more groups of a launch than its share */
    int early;   /* waves ask early for what they will need, fft/persistent/passes_queue.krn */
    int ahead;   /* groups of a multiprocessor after which the one comes that a group asks memory for; 0: none
                  */
    int access_ahead; /* `ahead` is for passes that load through accessors, too */
    int load_images;  /* X[-k] of several axes is loaded, instead of lines and their images in one box */
    int factors;      /* a load's array comes by way of shared memory */
    int late;         /* and it asks only before it stores */
    int stream; /* 1: groups that stay and fetch their next box, where one or two fill a multiprocessor */
    int bulk;   /* sides whose boxes are moved whole by bulk copies, where they have no gaps: 1 store, 2 load,
                 * 3 both; 4: 1 of half spectra, none of others */
    int lag;    /* of a wave's passes, in chunks; 0: by the size of the device */
    int first_large; /* radices of passes that turn their results are in falling order, as all others */
    int tables;      /* turns between the parts of long lines from tables, not by arithmetic */
    int pdl;         /* 1: a launch may begin before the one before has ended (EARLIER_DONE) */
    int replay_kib;  /* data of a call up to which its launches start together */
    int no_cluster;
    int cluster;     /* groups of a cluster at most */
    int any_cluster; /* clusters also where waves should be faster */
    int share;  /* points of the second axis that the first pass of a volume, or a plane, has; 1: none such */
    int deep;   /* points of the last axis that its second pass has beside the rest of the middle one; 0: none
                 */
    int pick;   /* which choice of those, the best is 0 */
    int tile;   /* neighbours of its second pass */
    int groups; /* of a plane's cluster, that many; 1: none; 0: by size; of a line's, too */
    int whole;  /* of a volume's cluster, likewise */
    int cluster_points;         /* of a cluster's group at best; 0: as the device */
    int cluster_items;          /* of a cluster's group; 0: by cost */
    int cross_order, cross_way; /* see fft/cluster/cluster.krn; way 4: 2 or 3, by cost */
    int fused;                  /* longest convolution of one group; 0: what fits */
    int convolution;            /* points of Bluestein's; 0: by cost */
    int resident;               /* groups that a multiprocessor is to hold; 0: by size and registers */
    int products;               /* stages of other passes have few turns and products, as `turning` */
    int turning;                /* of convolutions, see fft/tile/stages.krn */
    int looped;  /* stages there and back are a loop: 1 of long convolutions and of one group's longest, 2 of
                  * all that can; 0: of none */
    int round;   /* and so are a cluster's rows and columns, where they have the same stages */
    int across;  /* lines of a convolution from which neighbouring items have those; 0: 4, 5 */
    int chirp;   /* sides whose chirp is a table in single precision, too: 1 load, 2 store */
    int radices; /* of lengths that are their product, two digits each: 140908; 0: by cost */
    int also;    /* the same of another length */
    int lines;   /* that a box of rows has; 0: as many as make a group of `items` */
    int team;    /* items of such a group, however many each of its lines would have by itself; 0: these */
} box_tuning;

/* tuning.c: variant i by name, and back; false where there is none. */
bool tuning_name(int i, char *name, size_t size);
bool tuning_parse(box_tuning *t, const char *name);
/* Refuses what ARGAND_FFT_BOX has and nobody knows. */
argand_status tuning_check(void);
/* One choice that may be changed of any variant; NULL: there are no more. And a variant with it changed;
 * false: its name would be too long. */
const char *tuning_change(int i);
bool tuning_changed(const char *name, const char *change, char *to, size_t size);
bool tuning_of_clusters(int i); /* whether variant i differs in them alone; those come last */
bool tuning_of_convolutions(int i);
int tuning_convolution(int i); /* of how many points; 0: as it is */
bool tuning_of_volumes(int i); /* in what only three axes have, */
bool tuning_of_planes(int i);  /* or two that no cluster holds */

#endif
