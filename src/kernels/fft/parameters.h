/* SPDX-License-Identifier: BSD-3-Clause */
/* What a key says of a transform's kernel, by groups, and the defaults of what it leaves out. A kernel of
 * several passes has these macros once for each pass, with the pass's number behind the name
 * (persistent/passes_names.h); those of PASSES and CLUSTER it has once. docs/internals/kernel-macros.md is
 * made from these tables.
 *
 * TILE: the points that a group holds, and which tiles there are.
 *   TILE_D0 TILE_D1 TILE_D2    the tile, dimension 0 fastest among items
 *   TILE_POINTS_PER_ITEM       points that an item holds at most
 *   TILE_LOOPS                 loops over tiles
 *   TILE_COUNTS                if defined: tiles along each loop, where that is known when compiled, else 0
 *   TILE_FIRST_LOOP TILE_FIRST_COUNT  if defined: so many tiles along that loop come one after the other, as
 *                               they have the same elements of a large array
 *   TILE_FALLING               1: tiles come in falling order along all loops but that of TILE_LINE_NUMBER
 *   TILE_LINES_DIM             the dimension (3: none) whose points are lines of loop 0
 *   TILE_RAGGED                1: their count is not a multiple of that dimension
 *   TILE_FIRST_LINE            if not 0: the line of loop 0 that the first tile begins with (TILE_LINES_DIM
 *                              0); the last tile ends with those before it
 *   TILE_LINE_NUMBER           0; 1: a line's index g is that along loop 0 with its place in the tile, 2:
 *                              that along loop 1
 *   TILE_UNIT_STRIDES          the sum of 1: on load dimension 0 has stride 1, 2: on store, 4 and 8: and rows
 *                              have stride TILE_D0
 *   TILE_WIDE_OFFSETS          1: offsets inside a tile need 64 bits
 *
 * LOAD, STORE: memory.
 *   LOAD_FAST_DIM STORE_FAST_DIM  the dimension along which neighbouring items load and store
 *   LOAD_CONSTANT_STRIDE STORE_CONSTANT_STRIDE  strides of dimension 1 that are constants, so that a
 *   butterfly's points have one address and constants; 0: not
 *   LOAD_LAYOUT                0 complex; 1 reals as (x, 0); 2 reals in pairs; 3 half a spectrum, mirrored; 4
 *                              half a spectrum as packed pairs
 *   STORE_LAYOUT               0 complex; 1 the real parts; 2 reals in pairs; 3 half of a spectrum; 4 half a
 *                              spectrum from packed pairs
 *   STORE_UNSCALED             1: results are not scaled
 *   STORE_COMPLEX_SCALE        1: they are scaled by a complex number
 *   STORE_BARRIER              1: a barrier before results are stored: in place, loads reach beyond an item's
 *                              own points
 *   STREAMING_ACCESS           the sum of 1: what is loaded, 2: what is stored is not wanted again soon
 *                              (evict first); 4: what is loaded was written by other groups of this launch
 *   PREFETCH_DISTANCE          if not 0: so many groups later a group begins when this one ends, and its
 *                              points are prefetched; of the first of persistent passes 1: passes.krn knows
 *                              which group it is
 *   PREFETCH_LATE              1: not before this group's results are there
 *   SHIFT_MODE                 circular shifts of input and output (centred transforms): 0 none, 1 by numbers
 *                              of the launch, 2 by SHIFT_AMOUNTS
 *   SHIFT_AMOUNTS              those of loads along each dimension, then of stores
 *
 * STAGE, INVERSE: the stages, and those of the inverse transform in the same kernel (CONVOLUTION_FUSED,
 * CONVOLUTION_PART 3, ACCESS 4): the same radices in reverse, so that its first stage takes its points where
 * the last one of the forward transform left them.
 *   STAGE_COUNT                stages
 *   STAGE_RADICES STAGE_AXES STAGE_LENGTHS  of each its radix, its dimension, and the product L of the
 *                               radices before it along that dimension
 *   STAGE_TWIDDLES             where its twiddles begin in `tables`
 *   STAGE_PITCHES STAGE_PADDING_INTERVALS STAGE_PADDINGS  how points lie in shared memory after it
 *   (tile_exchange_address)
 *   INVERSE_RADICES INVERSE_AXES INVERSE_LENGTHS INVERSE_TWIDDLES INVERSE_PITCHES INVERSE_PADDING_INTERVALS
 *   INVERSE_PADDINGS           the same of the inverse transform
 *
 * EXCHANGE: shared memory between stages.
 *   EXCHANGE_MODE              1: real and imaginary parts go through shared memory one after the other, 2:
 *                              together, 3: and lie there in pairs
 *   EXCHANGE_REALS             reals of shared memory
 *   EXCHANGE_FAST_DIM          as LOAD_FAST_DIM, between the first and the last stage, and in all of
 *                              CONVOLUTION_FUSED 2
 *   EXCHANGE_IN_REGISTERS      bits: stages before which an item's points are kept with it
 *                              (tile_exchange_in_registers)
 *
 * TWIDDLE, INTERPASS: factors.
 *   TWIDDLE_MODE               0: each twiddle from its table; long stages: 1 some of them and products, 2
 *                              these by arithmetic; all stages: 3 as 1; 4 more: where an item's butterflies
 *                              have a constant stride, the first one's twiddles are also those of the others,
 *                              times constants (TILE_BUTTERFLY_STEP)
 *   INTERPASS_MODE             inter-pass twiddles: 1, 2: result k of line g is multiplied by exp(-2 pi i k g
 *                              / n), from tables or by arithmetic
 *   INTERPASS_ORIGIN           if not 0: the line that has index 0 there, of those before the shift; k
 *                              counts from where it is after it
 *   INTERPASS_AXIS             k's dimension, along which the transform runs
 *   INTERPASS_TABLE_SHIFT      of mode 1: the second table has steps of 2 to this power
 *
 * REAL: lines of reals (layouts 1 to 4).
 *   REAL_POINTS REAL_AXIS      their length, and the dimension that they lie along
 *   REAL_TWIDDLES              where exp(-2 pi i k / length) begins in `tables`
 *   REAL_MIRRORED              layout 4, and half spectra between two transforms: 1, 2: items hold points and
 *                              their mirror images (tile/real.krn)
 *   REAL_LINE_TWIDDLES         where exp(-2 pi i k1 / length) of REAL_MIRRORED 2 begins, whose REAL_TWIDDLES
 *                              are of length 2 TILE_D1
 *   REAL_FOLD FOLD_PAIRS       of the pass between half spectra and those of pairs (real_fold.krn): 1 and
 *                              2: forward and inverse; pairs of an item
 *   REAL_PAIR_ACCESS           layout 2: pairs lie together and are loaded (1) and stored (2) as one
 *
 * CONVOLUTION: lengths that have no radices.
 *   CONVOLUTION_FUSED          0; 1: lines of CONVOLUTION_POINTS by Bluestein's convolution (1970) of D
 *                              points, 2: by Rader's (1968) of CONVOLUTION_POINTS - 1
 *   CONVOLUTION_POINTS CONVOLUTION_AXIS  the lines' length and dimension
 *   CONVOLUTION_TABLE          where the chirp exp(-pi i j^2 / CONVOLUTION_POINTS) begins, or where shared
 *                              memory has Rader's points, in three lists: point root^i of the line, result
 *                              root^-i, and result -root^-i, which is where the inverse has it
 *   CONVOLUTION_PERMUTED       1: each line has lists of its own, and then come the tile's points, and its
 *                              results, as they lie in memory
 *   CONVOLUTION_SPECTRUM       where the spectrum begins that is multiplied by
 *   CONVOLUTION_WRAPPED        results that a short convolution lacks something in
 *   CONVOLUTION_WRAP_TABLE     where the factors of what they lack begin
 *   CONVOLUTION_LOOPED         1: forward and inverse transform are one loop over the same stages
 *   CONVOLUTION_PART           0; parts of a long convolution: 1 chirp on load, 2 chirp on store, 3 product
 *                              with the spectrum and inverse
 *   CONVOLUTION_FILLED         of CONVOLUTION_PART 1, 2 and CONVOLUTION_FUSED 1: points along the dimension
 *                              that are part of the line at all
 *   CONVOLUTION_CHIRP_ARITHMETIC  the sum of 1: the chirp on load, 2: that on store is made by arithmetic
 *   CONVOLUTION_ORIGIN         if not 0: where the line has its point 0, for chirps by arithmetic and Rader
 *   CONVOLUTION_RADER          1: parts 1 and 2 are Rader's orders, part 3 has what they leave out
 *
 * ACCESS: accessors (tile/chain.krn).
 *   ACCESS                     the sum of 1: the load has accessors, 2: the store, 4: between two
 *                              transforms, or their sum
 *   ACCESS_ANY                 1: some pass of the kernel has accessors
 *   ACCESS_ARGUMENTS           how many arguments come with the launch
 *   ACCESS_DIMS                coordinates
 *   ACCESS_AT_DIMS ACCESS_AT_STEPS  of the tile's dimensions, then of the loops: which coordinate grows along
 *                               them (9: none), by how much a point
 *   ACCESS_AT_PART             the coordinate along which a call may be done in parts, or persistent passes
 *                              in chunks (9: none): argument 0 is where the part begins, or how much of it a
 *                              chunk has; 1 and 2: elements from chunk to chunk of input and output
 *   ACCESS_AT_CARRY ACCESS_AT_CARRY_POINTS  where chunks go on along another coordinate: which; how many
 *                               points ACCESS_AT_PART has before that; 9: none
 *   ACCESS_STILL_STRIDES       dimensions of the tile, 3 bits each for load and store, whose strides are left
 *                              to the windows
 *   ACCESS_ARRAYS_KEPT         1: many groups want the same elements of arrays, which caches should keep
 *   LOAD_SHARED_FACTORS        1: the load chain is one complex array, which comes through shared memory
 *                              (tile_copy_factors)
 *   LOAD_SHIFT_BUTTERFLY LOAD_SHIFT_AXIS LOAD_SHIFT_RADIX  if not 0: of stages of that radix along that axis
 *   item 0 has that butterfly, as the first one's points then lie in whole lines of memory, where a window
 *   moves them
 *   STORE_SHIFT_BUTTERFLY STORE_SHIFT_AXIS STORE_SHIFT_RADIX  the same of the last stage's results
 *   LOAD_TYPE LOAD_SPLIT       of the array (access/point.h); argument + 1, real types have their imaginary
 *                              parts at that stride; 0: none
 *   LOAD_OUTSIDE               argument + 1 of the value that stands outside; 0: zero
 *   LOAD_WINDOWS               axes whose points are not simply the array's elements
 *   LOAD_WINDOW_DIMS LOAD_WINDOW_POINTS LOAD_WINDOW_FIRST LOAD_WINDOW_COUNT LOAD_WINDOW_BORDER  of each its
 *   coordinate, points, element 0's point, elements, border
 *   LOAD_WINDOW_ARGUMENTS LOAD_WINDOW_STRIDES  the first argument of the distances of elements, or these,
 *   where they are not 0; addresses leave those axes out
 *   LOAD_LINKS LOAD_KINDS LOAD_CALL_0 LOAD_CALL_1 LOAD_CALL_2 LOAD_CALL_3  accessors: how many, each one's
 *   kind (1 scalar, 2 array, 3 function) and function
 *   LOAD_CONJUGATES LOAD_REALS  of arrays: whether conjugate; the sum of 1: a real array, 2: one that wants
 *                               offsets of 64 bits, 4: steps are known, 8: the array may be what is stored;
 *                               then, where any are known, each one's steps along the coordinates
 *   LOAD_ARGUMENTS             the first argument of each: a scalar's value; where an array begins, then
 *                              distances; where a function's array begins, then parameters
 *   LOAD_IMAGE                 if not 0: the chain is given X[-k] along with X[k], which lies as far from it
 *                              as SPECTRUM_STEPS say, of axes 0 to LOAD_IMAGE - 1, of SPECTRUM_POINTS
 *   STORE_TYPE STORE_SPLIT STORE_WINDOWS STORE_WINDOW_DIMS STORE_WINDOW_POINTS STORE_WINDOW_FIRST
 *   STORE_WINDOW_COUNT STORE_WINDOW_BORDER STORE_WINDOW_ARGUMENTS STORE_WINDOW_STRIDES STORE_LINKS
 *   STORE_KINDS
 *   STORE_CALL_0 STORE_CALL_1 STORE_CALL_2 STORE_CALL_3 STORE_CONJUGATES STORE_REALS STORE_ARGUMENTS  the
 *   same of the store, where what is outside is not stored
 *
 * SPECTRUM: between two transforms (ACCESS 4). After its last stage the pass has a spectrum, which goes
 * through a chain and back at once. Lines of pairs of reals (LOAD_LAYOUT 2) are REAL_MIRRORED, and what goes
 * through the chain is half a spectrum.
 *   SPECTRUM_LINKS SPECTRUM_KINDS SPECTRUM_CALL_0 SPECTRUM_CALL_1 SPECTRUM_CALL_2 SPECTRUM_CALL_3
 *   SPECTRUM_CONJUGATES SPECTRUM_REALS SPECTRUM_ARGUMENTS  the chain, as LOAD_LINKS and so on
 *   SPECTRUM_MIRROR            the chain is given X[-k] too: the dimensions of the tile along which -k is
 *                              counted, bit by bit
 *   SPECTRUM_IMAGE             if not 0: how many axes there are; X[-k] is in the upper half of the tile's
 *                              lines, images of the lower half's
 *   SPECTRUM_POINTS SPECTRUM_STEPS  points of the axes along which there are images; elements from one to the
 *                               next
 *   SPECTRUM_HALVED_LOOP       the loop of which half is gone over
 *
 * PERSISTENT, BULK: tiles that come to shared memory as they lie in memory.
 *   PERSISTENT_SPLIT           points of the next tile that have a place of their own (persistent/blocks.krn)
 *   BULK_COPY                  the sum of 1: results leave, 2: points come by bulk copies
 *                              (persistent/bulk.krn)
 *
 * PASSES: several passes in one launch (persistent/passes.krn).
 *   PASSES_COUNT               2 or 3
 *   PASSES_PREFETCH            1: what groups ask of the device's memory is on its way while they work
 *                              (persistent/passes_tickets.krn)
 *   PASSES_SHARED_REALS        shared memory of the pass that wants most
 *   PASS_FROM_0 PASS_TO_0 PASS_FROM_1 PASS_TO_1 PASS_FROM_2 PASS_TO_2  which memory each pass reads and
 *   writes: 0 in, 1 out, 2 a ring of slots in work memory, 3 all of work memory
 *
 * CLUSTER: what a cluster of groups holds in its distributed shared memory (cluster/).
 *   CLUSTER_SIZE               groups of a cluster
 *   CLUSTER_SHARED_REALS       reals of shared memory, which stages and what comes from other groups have one
 *                              after the other
 *   CLUSTER_U CLUSTER_V        lengths of the first and of the second pass; of a convolution rows and columns
 *   CLUSTER_U_TILE CLUSTER_V_TILE  lines of a group in the second pass, and in the first
 *   CLUSTER_EXCHANGE_MODE      2: results are sent to the group that needs them, [u of its tile][v], before
 *                              what the stages use; 3: in the place of what the stages use, when all groups
 *                              of the cluster are done with it
 *   CLUSTER_ROW CLUSTER_ROW_INVERSE  complex numbers from one u to the next there; of a convolution's last
 *                               part from one column to the next
 *   CLUSTER_SHIFT              if defined: results u go where u + CLUSTER_SHIFT (modulo CLUSTER_U) would, as
 *                              a window moves them
 *   CLUSTER_SEND_ORDER         which group's memory comes first: 0 each group begins with its own, 1 all with
 *                              group 0, 2 each warp elsewhere, 3 half of them with group 0
 *   CLUSTER_LOOPED             1: a convolution's rows and columns have the same stages, which are one loop
 *                              for both, forward and inverse; 2: columns alone */

/* What keys leave out. A kernel of several passes needs no defaults: a name with a number that nobody has
 * defined is 0 to #if. */
#if !defined(PASSES_COUNT) && !defined(CLUSTER_SIZE)
#ifndef PREFETCH_DISTANCE
#define PREFETCH_DISTANCE 0
#endif
#ifndef PREFETCH_LATE
#define PREFETCH_LATE 0
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
#ifndef LOAD_IMAGE
#define LOAD_IMAGE 0
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
