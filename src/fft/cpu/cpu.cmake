# SPDX-License-Identifier: BSD-3-Clause
# The engines on processors, from the ground up: lines and their algorithms, passes along an axis, passes with accessors.

# cpu_sources(folder file...): compiled once. cpu_variants(folder file...): for each precision and instruction set.
function(cpu_sources folder)
  list(TRANSFORM ARGN PREPEND cpu/${folder}/)
  target_sources(argand_fft PRIVATE ${ARGN})
endfunction()
function(cpu_variants folder)
  foreach(file ${ARGN})
    argand_variants(fft cpu/${folder}/${file})
  endforeach()
endfunction()

cpu_sources(line run.c line.c wanted.c measure.c moves.c)
cpu_variants(line move.c)

# Many lines at a time, one in each lane
cpu_sources(simd_batch simd_batch.c algorithm.c)
cpu_variants(simd_batch cell_stages.c column_stages.c rows.c multiplied_stages.c move.c run.c)

# One line in all lanes
cpu_sources(simd_single run.c matrix.c paired_plan.c plan.c chain.c factors.c algorithm.c real_codelets.c)
cpu_variants(simd_single kernels.c codelets.c codelets_of_many.c packed.c paired.c small_16.c small_32.c small_64.c)

# Planes and volumes with short axes, whole
cpu_sources(short_axes short_axes.c)
cpu_variants(short_axes stages.c)

# Lines of any length, and real lines: many at a time, and one
cpu_sources(any_length any_length.c cost.c tables.c spectra.c rader.c bluestein.c single_convolve.c kernel_table.c batch_algorithm.c real_batch_algorithm.c
            single_table.c sums_algorithm.c single_algorithm.c real_single_algorithm.c)
cpu_variants(any_length kernels.c move.c real_kernels.c single_kernels.c sums_kernels.c)

if(ARGAND_FFTW_LIBRARIES)
  cpu_sources(fftw algorithm.c calls_f32.c calls_f64.c planner_lock.c)
  target_compile_definitions(argand_fft PRIVATE ARGAND_HAVE_FFTW)
endif()

target_sources(argand_fft PRIVATE cpu/algorithms.c)

cpu_sources(passes engine.c schedule.c pass.c pass_list.c tile.c split.c scratch.c short_call.c
            short_planes.c whole_planes.c)
cpu_sources(access engine.c schedule.c pass.c block.c fused.c chain.c mirror.c)
cpu_variants(access move.c callback.c)
cpu_sources(bundle bundle.c)
cpu_variants(bundle stages.c)
