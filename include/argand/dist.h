/* SPDX-License-Identifier: BSD-3-Clause */
/* dist.h: arrays that are divided over the ranks of a communicator (comm.h), and their Fourier transforms.
 *
 * A box says which part of the global array a rank holds, and where its elements lie in the rank's memory:
 * element (i0, i1, i2) with lower <= i < upper is (i0 - lower[0]) strides[0] + (i1 - lower[1]) strides[1] +
 * ... elements after the first element of the rank's array. One description serves for both ends of every
 * exchange, and for Argand's slabs and pencils as for any other division of the array.
 *
 *     argand_comm *comm;
 *     argand_dist_fft *plan;
 *     argand_dist_fft_info info;
 *     const argand_dist_fft_options options = {.type = ARGAND_C32, .rank = 3, .n = {256, 256, 256}};
 *
 *     if (argand_comm_open(&comm) || argand_dist_fft_create(&plan, comm, device, &options) ||
 *         argand_dist_fft_describe(plan, &info) ||
 *         argand_dist_fft_apply(plan, out, image, ARGAND_FORWARD))
 *         fprintf(stderr, "%s\n", argand_message());
 *
 * image and out have the shapes of the rank's boxes info.in and info.out.
 *
 * Limits: transforms of 2 and 3 axes; boxes of up to ARGAND_MAX_RANK axes; limits of fft.h for each axis;
 * 4096 ranks for boxes of the caller. Threads: as comm.h: all ranks call create, apply and copy in the same
 * order, and a communicator and its plans are for one thread at a time. Refused with ARGAND_ARGUMENT: boxes
 * outside the array, boxes that leave out elements or hold elements twice, arrays whose type, shape or
 * strides are not those of the rank's box. Errors of one rank are errors of all ranks (argand_comm_agree),
 * except for errors of the communication itself. NULL: see argand.h; a NULL communicator is one rank; the
 * array of an empty box is NULL. */
#ifndef ARGAND_DIST_H
#define ARGAND_DIST_H

#include "comm.h"
#include "fft.h"
#include "op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A rank's part of a global array: lower is inclusive, upper exclusive. A box is empty if upper <= lower on
 * any axis. Strides count elements; if all strides are 0, the part is contiguous, the first axis fastest. */
typedef struct argand_box {
    int64_t lower[ARGAND_MAX_RANK], upper[ARGAND_MAX_RANK], strides[ARGAND_MAX_RANK];
} argand_box;

/* Makes the box of part `number` if axis d is divided into parts[d] parts. The number of the parts counts
 * along the first axis fastest. If a length is no multiple, the first parts hold one element more. If there
 * are more parts than elements, the last boxes are empty. Boxes are contiguous. */
ARGAND_API ARGAND_MUST_USE argand_status argand_box_grid(argand_box *box, int rank, const int64_t *n,
                                                         const int *parts, int number);
/* Makes slab `number` of `parts`: axis `axis` is divided, the others are whole. */
ARGAND_API ARGAND_MUST_USE argand_status argand_box_slab(argand_box *box, int rank, const int64_t *n,
                                                         int axis, int parts, int number);
/* Makes pencil `number` of `parts` in three dimensions: axis `axis` is whole, the others are divided by the
 * most even grid. */
ARGAND_API ARGAND_MUST_USE argand_status argand_box_pencil(argand_box *box, const int64_t n[3], int axis,
                                                           int parts, int number);
/* Returns the number of elements; 0 if the box is empty. */
ARGAND_API int64_t argand_box_count(const argand_box *box, int rank);

/* Redistributes a global array of `rank` axes: each rank gives its boxes of both distributions. Input boxes
 * hold no element twice. Output boxes may overlap, for example with ghost cells; elements that no input box
 * holds keep their values. Arrays have one type, and the shapes and strides of the rank's boxes. */
ARGAND_API ARGAND_MUST_USE argand_status argand_dist_copy(argand_comm *comm, int rank, argand_array *out,
                                                          const argand_box *out_box, const argand_array *in,
                                                          const argand_box *in_box);

typedef struct argand_dist_fft argand_dist_fft;

/* How the array is divided. Slabs: one axis at a time is divided, and data are exchanged once. Pencils
 * (three axes): two axes are divided, and data are exchanged twice, each time among fewer ranks. AUTO takes
 * the one with the shorter predicted time. */
typedef enum argand_dist_division {
    ARGAND_DIST_AUTO = 0,
    ARGAND_DIST_SLAB = 1,
    ARGAND_DIST_PENCIL = 2
} argand_dist_division;

/* Zero means default. All ranks give the same options, except for boxes. */
typedef struct argand_dist_fft_options {
    argand_type type; /* C32, C64: complex; R32, R64: forward real to complex (half spectrum along axis 0) */
    int rank;         /* 2 or 3 */
    int64_t n[3];     /* the global array, first axis fastest */
    int64_t batch;    /* number of arrays; 0 means 1. Axis `rank` of boxes and arrays, whole on every rank */
    bool centred;     /* as in fft.h: complex transforms only */
    argand_fft_scale scale;
    argand_effort effort;
    argand_dist_division division;
    int grid[2]; /* pencils: grid of ranks; 0: the fastest by prediction. Otherwise grid[0] grid[1] ranks */
    /* Leave the spectrum divided as the last transform needs it: along axis rank - 2 (slabs), or along the
     * first two axes (pencils). Otherwise it is divided as the plan divides an input without `in`, which
     * needs one more exchange. `out` overrides both. */
    bool transposed;
    /* This rank's boxes; NULL: the plan's own (argand_dist_fft_describe). All ranks give a box or none. */
    const argand_box *in, *out;
    int groups; /* exchange in so many parts, while later parts are transformed; 0 means chosen */
    /* The input serves as work memory and loses its values; it shares no memory with the output. Complex
     * transforms then need no work memory, in transposed order. */
    bool overwrite;
    bool work_given; /* the caller gives the work memory (argand_dist_fft_set_work) */
    /* Do not make errors of apply known to all ranks. This saves two messages to and from each rank. After a
     * failure of one rank the others may wait for ever (argand_comm_abort). */
    bool unchecked;
    const struct argand_dist_machine *machine; /* for AUTO; NULL: rough constants of the device's kind */
} argand_dist_fft_options;

/* Creates a plan; all ranks call it. Kernels and work memory are made here. */
ARGAND_API ARGAND_MUST_USE argand_status argand_dist_fft_create(argand_dist_fft **plan, argand_comm *comm,
                                                                argand_device *device,
                                                                const argand_dist_fft_options *options);
/* Transforms: forward from the input boxes to the output boxes, inverse from the output boxes to the input
 * boxes. The input keeps its values (see overwrite), unless it shares memory with the output: with two
 * ranks or more both may overlap in any way, with one rank as in fft.h. */
ARGAND_API ARGAND_MUST_USE argand_status argand_dist_fft_apply(argand_dist_fft *plan, argand_array *out,
                                                               const argand_array *in,
                                                               argand_direction direction);
/* Gives the work memory: a contiguous complex array of at least work_elements elements, which must outlive
 * the plan or be replaced. NULL is allowed if none is needed. */
ARGAND_API ARGAND_MUST_USE argand_status argand_dist_fft_set_work(argand_dist_fft *plan, argand_array *work);

typedef struct argand_dist_fft_info {
    argand_box in, out; /* this rank's boxes, with strides */
    argand_dist_division division;
    int grid[2];           /* of pencils */
    int exchanges, groups; /* exchanges of a transform, and parts of each */
    int64_t work_elements; /* complex elements of work memory */
    int64_t work_bytes;    /* all memory of the plan on this rank, without the arrays and the FFTs' own */
    int64_t sent_bytes;    /* bytes that this rank sends to others in a forward transform */
    int messages;          /* messages that this rank sends to others in a forward transform */
} argand_dist_fft_info;
ARGAND_API ARGAND_MUST_USE argand_status argand_dist_fft_describe(const argand_dist_fft *plan,
                                                                  argand_dist_fft_info *info);
ARGAND_API void argand_dist_fft_destroy(argand_dist_fft *plan); /* NULL is allowed */

/* ---- predicted times ----
 * For each transform: the longer of operations / fft_rate and bytes read and written / memory_bandwidth,
 * plus `start`. For each exchange: messages times their latency, plus the longer of the bytes to ranks of
 * the same node / bandwidth and the bytes to other nodes / far_bandwidth. docs/performance/dist.md compares
 * with measurements. */
typedef struct argand_dist_machine {
    double fft_rate;                   /* of one rank: 5 n log2 n operations per second */
    double memory_bandwidth;           /* of one rank: bytes per second, reads and writes together */
    double start;                      /* seconds to start a transform */
    double latency, bandwidth;         /* seconds per message; bytes per second that a rank sends, own node */
    double far_latency, far_bandwidth; /* the same to other nodes, with all ranks of a node sending */
    int node_ranks;                    /* ranks of a node; 0: all */
    double packs;                      /* copies of what is sent, on the device: 1 with NCCL, 0 with MPI */
    double memory;                     /* bytes of one rank's memory; 0: unknown */
} argand_dist_machine;
/* Constants of "cpu", "a100", "h100" or "h200": nodes of 8 GPUs with NVLink, and InfiniBand between nodes;
 * docs/performance/dist.md has the sources. */
ARGAND_API ARGAND_MUST_USE argand_status argand_dist_machine_named(argand_dist_machine *machine,
                                                                   const char *name);
/* Measures the machine in about a second; all ranks call it, and get the values of the slowest rank.
 * Messages within a node and between nodes get the same values. */
ARGAND_API ARGAND_MUST_USE argand_status argand_dist_machine_measure(argand_dist_machine *machine,
                                                                     argand_comm *comm,
                                                                     argand_device *device);

typedef struct argand_dist_times {
    double one;                    /* seconds of one rank alone; infinite if its memory is too small */
    double slab, pencil;           /* seconds of a forward transform; infinite if not possible */
    argand_dist_division division; /* the faster one */
    int grid[2];                   /* the best grid of pencils */
    double transform, exchange;    /* parts of the faster one's time */
    double messages, sent_bytes;   /* that a rank sends to others */
    bool is_faster;                /* the ranks are faster than one rank */
} argand_dist_times;
/* Predicts the times of a transform by so many ranks. Nothing is created and nothing is communicated. If
 * is_faster is false, gather the array (argand_dist_copy) and use argand_fft on one rank. */
ARGAND_API ARGAND_MUST_USE argand_status argand_dist_fft_predict(argand_dist_times *times,
                                                                 const argand_dist_fft_options *options,
                                                                 int ranks,
                                                                 const argand_dist_machine *machine);

/* Operators whose data are spread over the ranks of a communicator (comm.h): the coils or shots of
 * one volume, say. Each rank has the same image x, and its own part y_r = A_r x of the data.
 *
 *     argand_op_across(&op, own, comm);               on each rank, `own` is its A_r
 *     argand_solve_cg(image, op, y, &options);        y: the data of this rank; the image is that of all
 *
 * Solvers take these operators as any other: inner products of data are sums over the ranks, and all ranks
 * stop in the same iteration with the same bits in the image (on processors that differ: up to rounding).
 * Calls of these operators, of argand_op_check and of the functions of solve.h are collective: all ranks make
 * them in the same order. If one rank fails, all fail, with its message.
 *
 * argand_op_chain, _sum, _scale, _adjoint_of and _normal_of keep the places of the data. Operators for
 * several shots, bands or repetitions refuse such parts (ARGAND_UNSUPPORTED). Operators of your own that call
 * these lose the places: a solver would take inner products of one rank. Apply argand_op_across to them
 * instead.
 *
 * Limits: those of comm.h. Threads: those of op.h; each rank is one thread at a time. Refused: images that
 * differ between ranks (ARGAND_ARGUMENT). NULL: see argand.h; a NULL communicator is one rank. */

/* Creates A of all ranks from this rank's `local` A_r. Apply: y_r = A_r x on each rank. Adjoint: x = sum_r
 * A_r^H y_r on all. The normal operator sum_r A_r^H A_r uses the one of `local`, and needs one sum over the
 * ranks. The data of the ranks count as one array, in the order of the ranks. Devices may differ. Keeps
 * references to both. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_across(argand_op **op, argand_op *local,
                                                          argand_comm *comm);
/* Creates the sum over the ranks, y = sum_r B_r x on all ranks, from this rank's `local` B_r: for normal
 * operators B_r = A_r^H W_r A_r, such as Toeplitz operators. The adjoint is sum_r B_r^H. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_sum_across(argand_op **op, argand_op *local,
                                                              argand_comm *comm);

#ifdef __cplusplus
}
#endif
#endif
