/* SPDX-License-Identifier: BSD-3-Clause */
/* Macros that a key defines for a transform's kernel, by groups, and the defaults of those that the key
 * omits. A kernel of several passes has these macros once for each pass, with the pass's number appended to
 * the name (persistent/passes_names.h); it has those of PASSES and CLUSTER once. tools/kernel_macros.py
 * makes docs/internals/kernel-macros.md from these tables.
 *
 * TILE: the points that a group holds, and the loops over tiles.
 *   TILE_D0 TILE_D1 TILE_D2    size of the tile; neighbouring items differ in dimension 0 first
 *   TILE_POINTS_PER_ITEM       maximum number of points of an item
 *   TILE_LOOPS                 number of loops over tiles
 *   TILE_COUNTS                if defined: tiles along each loop; 0: known only at launch
 *   TILE_FIRST_LOOP TILE_FIRST_COUNT  if defined: this many tiles along this loop follow each other,
 *                             because they use the same elements of a large array
 *   TILE_FALLING               1: tiles come in falling order along all loops but that of TILE_LINE_NUMBER
 *   TILE_LINES_DIM             dimension whose points are lines of loop 0; 3: none
 *   TILE_RAGGED                1: the number of lines is not a multiple of that dimension's size
 *   TILE_FIRST_LINE            if not 0: first line of the first tile in loop 0 (TILE_LINES_DIM 0); the
 *                             last tile ends with the lines before it
 *   TILE_LINE_NUMBER           index g of a line: 0 index along loop 0; 1 index along loop 0 combined with
 *                             the position in the tile; 2 index along loop 1
 *   TILE_UNIT_STRIDES          sum of 1: dimension 0 has stride 1 on load; 2: on store; 4 and 8: also, rows
 *                             have stride TILE_D0
 *   TILE_WIDE_OFFSETS          1: offsets inside a tile need 64 bits
 *
 * LOAD, STORE: memory.
 *   LOAD_FAST_DIM STORE_FAST_DIM  dimension along which neighbouring items load and store
 *   LOAD_CONSTANT_STRIDE STORE_CONSTANT_STRIDE  constant stride of dimension 1, which makes the addresses
 *                             of a butterfly one address plus constants; 0: the stride is an argument
 *   LOAD_LAYOUT                0 complex; 1 reals as (x, 0); 2 reals in pairs; 3 half a spectrum, mirrored;
 *                             4 half a spectrum as packed pairs; 5 half the spectrum of a plane of pairs
 *   STORE_LAYOUT               0 complex; 1 the real parts; 2 reals in pairs; 3 half of a spectrum; 4 half
 *                             a spectrum from packed pairs; 5 half the spectrum of a plane of pairs
 *   STORE_UNSCALED             1: results are not scaled
 *   STORE_COMPLEX_SCALE        1: results are scaled by a complex number
 *   STORE_BARRIER              1: a barrier precedes the stores; needed in place if an item loads points
 *                             that other items store
 *   STREAMING_ACCESS           sum of 1: streaming loads, 2: streaming stores (evict first); 4: other
 *                             groups of this launch wrote the input
 *   PREFETCH_DISTANCE          if not 0: prefetch the points of the group this many groups later, which
 *                             begins when this one ends. In the first of persistent passes 1: passes.krn
 *                             knows the group
 *   PREFETCH_AT_STORE          1: prefetch only after the stages of this group
 *   SHIFT_MODE                 circular shifts of input and output (centred transforms): 0 none, 1 by
 *                             arguments of the launch, 2 by SHIFT_AMOUNTS
 *   SHIFT_AMOUNTS              shifts of loads along each dimension, then of stores
 *
 * STAGE, INVERSE: the stages, and those of the inverse transform in the same kernel (CONVOLUTION_FUSED,
 * CONVOLUTION_PART 3, ACCESS 4). The inverse has the same radices in reverse order, so that its first stage
 * takes its points where the last stage of the forward transform left them.
 *   STAGE_COUNT                number of stages
 *   STAGE_RADICES STAGE_AXES STAGE_LENGTHS  for each stage its radix, its dimension, and the product L of
 *                             the radices before it along that dimension
 *   STAGE_TWIDDLES             for each stage the start of its twiddles in `tables`
 *   STAGE_PITCHES STAGE_PADDING_INTERVALS STAGE_PADDINGS  layout of points in shared memory after each
 *                             stage (tile_exchange_address)
 *   INVERSE_RADICES INVERSE_AXES INVERSE_LENGTHS INVERSE_TWIDDLES INVERSE_PITCHES INVERSE_PADDING_INTERVALS
 *   INVERSE_PADDINGS           the same for the inverse transform
 *
 * EXCHANGE: shared memory between stages.
 *   EXCHANGE_MODE              1: real parts are exchanged first, then imaginary parts; 2: both at once, in
 *                             two arrays; 3: both at once, as pairs
 *   EXCHANGE_REALS             reals of shared memory
 *   EXCHANGE_FAST_DIM          as LOAD_FAST_DIM, between the first and the last stage, and in all of
 *                              CONVOLUTION_FUSED 2
 *   EXCHANGE_IN_REGISTERS      bits: stages before which an item's points stay in its registers
 *                             (tile_exchange_in_registers)
 *
 * TWIDDLE, INTERPASS: factors.
 *   TWIDDLE_MODE               0: all twiddles come from tables. Long stages: 1 some come from tables, the
 *                             others are products; 2 these by arithmetic. All stages: 3 as 1. Add 4 if an
 *                             item's butterflies have a constant stride: the twiddles of the first one,
 *                             times constants, serve the others (TILE_BUTTERFLY_STEP)
 *   INTERPASS_MODE             inter-pass twiddles, exp(-2 pi i k g / n) for result k of line g: 0 none, 1
 *                             from tables, 2 by arithmetic
 *   INTERPASS_ORIGIN           if not 0: line with index g = 0, before the circular shift; k counts from the
 *                             shifted origin
 *   INTERPASS_AXIS             dimension of k, along which the transform runs
 *   INTERPASS_TABLE_SHIFT      for INTERPASS_MODE 1: log2 of the step of the coarse table
 *
 * REAL: lines of reals (layouts 1 to 5).
 *   REAL_POINTS REAL_AXIS      length and dimension of the lines
 *   REAL_TWIDDLES              start of exp(-2 pi i k / length) in `tables`
 *   REAL_MIRRORED              layout 4, and half spectra between two transforms: 1, 2: items hold points
 *                             and their mirror images (tile/real.krn)
 *   REAL_LINE_TWIDDLES         for REAL_MIRRORED 2: start of exp(-2 pi i k1 / length); REAL_TWIDDLES then
 *                             are those of length 2 TILE_D1
 *   REAL_PLANE                 layout 5: 1, 2: pairs along dimension 0, 1; 3: pairs of rows; 4: pairs of
 *                             planes; 5: none, the results' real parts count; 6: as 4, of an odd number
 *                             (tile/half_plane.krn)
 *   REAL_FOLD FOLD_PAIRS       pass between half spectra and spectra of pairs (real_fold.krn): direction (1
 *                             forward, 2 inverse) and pairs of an item
 *   REAL_PAIR_ACCESS           layout 2, sum of 1: a pair is loaded as one element, 2: stored as one
 *
 * CONVOLUTION: lengths that have no radices.
 *   CONVOLUTION_FUSED          0 none; lines of CONVOLUTION_POINTS points: 1 by Bluestein's convolution
 *                             (1970) of as many points as the tile has along the line, 2 by Rader's (1968)
 *                             of CONVOLUTION_POINTS - 1
 *   CONVOLUTION_POINTS CONVOLUTION_AXIS  length and dimension of the lines
 *   CONVOLUTION_TABLE          Bluestein: start of the chirp exp(-pi i j^2 / CONVOLUTION_POINTS). Rader:
 *                             start of three lists of addresses in shared memory: of point root^i of the
 *                             line, of result root^-i, and of result -root^-i for the inverse
 *   CONVOLUTION_PERMUTED       1: each line has its own lists; two more follow, of the tile's points and
 *                             results in memory order
 *   CONVOLUTION_SPECTRUM       start of the spectrum that points are multiplied by
 *   CONVOLUTION_WRAPPED        number of results that a short convolution must correct
 *   CONVOLUTION_WRAP_TABLE     start of the factors of the correction
 *   CONVOLUTION_LOOPED         1: forward and inverse transform are one loop over the same stages
 *   CONVOLUTION_PART           0 none; part of a long convolution: 1 chirp on load, 2 chirp on store, 3
 *                             product with the spectrum and inverse
 *   CONVOLUTION_FILLED         for CONVOLUTION_PART 1, 2 and CONVOLUTION_FUSED 1: points along the
 *                             dimension that belong to the line
 *   CONVOLUTION_CHIRP_ARITHMETIC  sum of 1: the chirp on load, 2: the chirp on store is computed
 *   CONVOLUTION_ORIGIN         if not 0: position of the line's point 0, for computed chirps and for Rader
 *   CONVOLUTION_RADER          1: parts 1 and 2 permute as Rader's convolution does, part 3 adds point 0
 *
 * ACCESS: accessors (tile/chain.krn).
 *   ACCESS                     sum of 1: the load has accessors, 2: the store, 4: the spectrum between two
 *                             transforms
 *   ACCESS_ANY                 1: some pass of the kernel has accessors
 *   ACCESS_ARGUMENTS           number of arguments at launch
 *   ACCESS_DIMS                number of coordinates
 *   ACCESS_AT_DIMS ACCESS_AT_STEPS  for each dimension of the tile, then each loop: the coordinate that
 *                             grows along it (9: none), and its step for a point
 *   ACCESS_AT_PART             coordinate along which a call may be done in parts, or persistent passes in
 *                             chunks (9: none). Argument 0: start of the part, or size of a chunk; 1 and 2:
 *                             stride between chunks of input and output, in elements
 *   ACCESS_AT_CARRY ACCESS_AT_CARRY_POINTS  coordinate along which chunks continue after this many points
 *                             of ACCESS_AT_PART; 9: none
 *   ACCESS_STILL_STRIDES       bits, 3 each for load and store: dimensions of the tile whose strides are
 *                             left to the windows
 *   ACCESS_ARRAYS_KEPT         1: many groups use the same elements of arrays, which caches should keep
 *   LOAD_SHARED_FACTORS        1: the load chain is one complex array, which is copied to shared memory
 *                             (tile_copy_factors)
 *   LOAD_SHIFT_BUTTERFLY LOAD_SHIFT_AXIS LOAD_SHIFT_RADIX  if not 0: butterfly of item 0 in stages of that
 *                             radix along that axis; with it, items load whole cache lines where a window
 *                             shifts them
 *   STORE_SHIFT_BUTTERFLY STORE_SHIFT_AXIS STORE_SHIFT_RADIX  the same for the last stage's results
 *   LOAD_TYPE LOAD_SPLIT       element type (access/point.h); 1 + the argument with the stride between real
 *                             and imaginary parts in separate arrays, 0: none
 *   LOAD_OUTSIDE               1 + the argument with the value of points outside the array; 0: they are
 *                             zero
 *   LOAD_WINDOWS               number of axes whose points are not simply the array's elements
 *   LOAD_WINDOW_DIMS LOAD_WINDOW_POINTS LOAD_WINDOW_FIRST LOAD_WINDOW_COUNT LOAD_WINDOW_BORDER  for each
 *                             window its coordinate, points, the point of element 0, elements, border
 *   LOAD_WINDOW_ARGUMENTS LOAD_WINDOW_STRIDES  the first argument with strides of elements; constant
 *                             strides where not 0. Other addresses leave these axes out
 *   LOAD_LINKS LOAD_KINDS LOAD_CALL_0 LOAD_CALL_1 LOAD_CALL_2 LOAD_CALL_3  number of accessors, their kinds
 *                             (1 scalar, 2 array, 3 function) and their functions
 *   LOAD_CONJUGATES LOAD_REALS  for arrays: 1: conjugate; sum of 1: a real array, 2: offsets need 64 bits,
 *                             4: strides are constants, 8: the array may overlap the output. After these,
 *                             if any are constants, each array's strides along the coordinates
 *   LOAD_ARGUMENTS             first argument of each accessor: a scalar's value; an array's offset, then
 *                             its strides; the offset of a function's array, then its parameters
 *   LOAD_IMAGE                 if not 0: the chain also sees X[-k], along axes 0 to LOAD_IMAGE - 1 of
 *                             SPECTRUM_POINTS points, at the distance given by SPECTRUM_STEPS
 *   STORE_TYPE STORE_SPLIT STORE_WINDOWS STORE_WINDOW_DIMS STORE_WINDOW_POINTS STORE_WINDOW_FIRST
 *   STORE_WINDOW_COUNT STORE_WINDOW_BORDER STORE_WINDOW_ARGUMENTS STORE_WINDOW_STRIDES STORE_LINKS
 *   STORE_KINDS
 *   STORE_CALL_0 STORE_CALL_1 STORE_CALL_2 STORE_CALL_3 STORE_CONJUGATES STORE_REALS STORE_ARGUMENTS  the
 *                             same for the store; points outside are not stored
 *
 * SPECTRUM: between two transforms (ACCESS 4). After its last stage the pass has a spectrum, passes it
 * through a chain and transforms it back. Lines of pairs of reals (LOAD_LAYOUT 2) are REAL_MIRRORED, and
 * the chain sees half a spectrum.
 *   SPECTRUM_LINKS SPECTRUM_KINDS SPECTRUM_CALL_0 SPECTRUM_CALL_1 SPECTRUM_CALL_2 SPECTRUM_CALL_3
 *   SPECTRUM_CONJUGATES SPECTRUM_REALS SPECTRUM_ARGUMENTS  the chain, as LOAD_LINKS and so on
 *   SPECTRUM_MIRROR            if not 0: the chain also sees X[-k]; bits: dimensions of the tile along
 *                             which k is negated
 *   SPECTRUM_IMAGE             if not 0: number of axes; X[-k] is in the upper half of the tile's lines,
 *                             which are images of the lower half's
 *   SPECTRUM_POINTS SPECTRUM_STEPS  sizes and strides, in elements, of the axes that have images
 *   SPECTRUM_HALVED_LOOP       the loop of which only half is processed
 *
 * PERSISTENT, BULK: tiles that are copied to shared memory in memory order.
 *   PERSISTENT_SPLIT           points of the next tile that have a buffer of their own
 *                             (persistent/blocks.krn)
 *   BULK_COPY                  sum of 1: results are stored, 2: points are loaded by bulk copies
 *                             (persistent/bulk.krn)
 *
 * PASSES: several passes in one launch (persistent/passes.krn).
 *   PASSES_COUNT               2 or 3
 *   PASSES_PREFETCH            1: accesses to tickets and counters overlap with computation
 *                             (persistent/passes_tickets.krn)
 *   PASSES_SHARED_REALS        maximum of the passes' shared memory, in reals
 *   PASS_FROM_0 PASS_TO_0 PASS_FROM_1 PASS_TO_1 PASS_FROM_2 PASS_TO_2  memory that each pass reads and
 *                             writes: 0 input, 1 output, 2 a ring of slots in work memory, 3 all of work
 *                             memory
 *
 * CLUSTER: transforms in the distributed shared memory of a cluster of groups (cluster/).
 *   CLUSTER_SIZE               groups of a cluster
 *   CLUSTER_SHARED_REALS       reals of shared memory, used by the stages and by received data in
 *                             alternation
 *   CLUSTER_U CLUSTER_V        lengths of the first and of the second pass; for a convolution rows and
 *                             columns
 *   CLUSTER_U_TILE CLUSTER_V_TILE  lines of a group in the second pass, and in the first
 *   CLUSTER_EXCHANGE_MODE      results are sent to the group that needs them, [u of its tile][v]: 2 to a
 *                             buffer before that of the stages, 3 to the buffer of the stages, once all
 *                             groups of the cluster are done with it
 *   CLUSTER_ROW CLUSTER_ROW_INVERSE  stride between two u in that buffer, in complex numbers; in a
 *                             convolution's last part, stride between columns
 *   CLUSTER_SHIFT              if defined: a window shifts results u to u + CLUSTER_SHIFT modulo CLUSTER_U
 *   CLUSTER_SEND_ORDER         group that receives first: 0 the sender itself, 1 group 0 for all, 2 another
 *                             one for each warp, 3 group 0 for half of the senders
 *   CLUSTER_LOOPED             1: a convolution's rows and columns have the same stages, in one loop for
 *                             forward and inverse; 2: columns alone */

/* Defaults of macros that keys omit. A kernel of several passes needs none: #if takes an undefined name with
 * a number as 0. */
#if !defined(PASSES_COUNT) && !defined(CLUSTER_SIZE)
#ifndef PREFETCH_DISTANCE
#define PREFETCH_DISTANCE 0
#endif
#ifndef PREFETCH_AT_STORE
#define PREFETCH_AT_STORE 0
#endif
#ifndef STORE_UNSCALED
#define STORE_UNSCALED 0
#endif
#ifndef STORE_COMPLEX_SCALE
#define STORE_COMPLEX_SCALE 0
#endif
#ifndef STREAMING_ACCESS
#define STREAMING_ACCESS 0
#endif
#ifndef EXCHANGE_IN_REGISTERS
#define EXCHANGE_IN_REGISTERS 0
#endif
#ifndef INTERPASS_ORIGIN
#define INTERPASS_ORIGIN 0
#endif
#ifndef CONVOLUTION_ORIGIN
#define CONVOLUTION_ORIGIN 0
#endif
#ifndef CONVOLUTION_WRAPPED
#define CONVOLUTION_WRAPPED 0
#endif
#ifndef CONVOLUTION_LOOPED
#define CONVOLUTION_LOOPED 0
#endif
#ifndef ACCESS
#define ACCESS 0
#endif
#ifndef ACCESS_ANY
#define ACCESS_ANY 0
#endif
#ifndef ACCESS_ARRAYS_KEPT
#define ACCESS_ARRAYS_KEPT 0
#endif
#ifndef LOAD_SHARED_FACTORS
#define LOAD_SHARED_FACTORS 0
#endif
#ifndef TILE_FIRST_LINE
#define TILE_FIRST_LINE 0
#endif
#ifndef TILE_FALLING
#define TILE_FALLING 0
#endif
#ifndef SPECTRUM_MIRROR
#define SPECTRUM_MIRROR 0
#endif
#ifndef SPECTRUM_IMAGE
#define SPECTRUM_IMAGE 0
#endif
#ifndef SPECTRUM_HALVED_LOOP
#define SPECTRUM_HALVED_LOOP 0
#endif
#ifndef LOAD_SHIFT_BUTTERFLY
#define LOAD_SHIFT_BUTTERFLY 0
#endif
#ifndef STORE_SHIFT_BUTTERFLY
#define STORE_SHIFT_BUTTERFLY 0
#endif
#endif
