# SPDX-License-Identifier: BSD-3-Clause
# The engines with native GPU kernels. Each folder uses those before it.
target_sources(argand_fft PRIVATE
  gpu/tuning/candidates.c gpu/tuning/limits.c gpu/tuning/tuning.c
  gpu/radix/lengths.c gpu/radix/radices.c gpu/radix/tables.c
  gpu/estimate/few.c gpu/estimate/guess.c gpu/estimate/limits.c gpu/estimate/nearby.c
  gpu/convolution/convolution.c gpu/convolution/rader.c gpu/convolution/spectrum.c
    gpu/convolution/bluestein.c
  gpu/codegen/access_key.c gpu/codegen/access_places.c gpu/codegen/banks.c gpu/codegen/bulk_copy.c
    gpu/codegen/job.c gpu/codegen/key.c gpu/codegen/min_blocks.c gpu/codegen/params.c gpu/codegen/pass.c
    gpu/codegen/persistent_blocks.c gpu/codegen/program.c gpu/codegen/rader_places.c gpu/codegen/stages.c
    gpu/codegen/twiddles.c
  gpu/cluster/cluster.c gpu/cluster/convolution.c gpu/cluster/launch.c gpu/cluster/split.c
   
  gpu/schedule/columns.c gpu/schedule/divide.c gpu/schedule/facts.c gpu/schedule/fits.c gpu/schedule/lines.c
    gpu/schedule/long_convolution.c gpu/schedule/long_real.c gpu/schedule/long_round_trip.c gpu/schedule/one_pass.c
    gpu/schedule/persistent_passes.c gpu/schedule/plane.c gpu/schedule/program.c gpu/schedule/real_fold.c gpu/schedule/real_lines.c
    gpu/schedule/real_plane.c gpu/schedule/scrambled.c gpu/schedule/tile_cost.c gpu/schedule/volume.c
  gpu/access/factor.c gpu/access/jobs.c gpu/access/steps.c gpu/access/passes.c gpu/access/order.c gpu/access/program.c gpu/access/variant.c
  gpu/access_engine.c gpu/build.c gpu/engine.c gpu/general.c gpu/run.c gpu/parts.c gpu/variants.c)
