/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the keys of kernels from tile shapes. */
#ifndef FFT_GPU_CODEGEN_KEY_H
#define FFT_GPU_CODEGEN_KEY_H

#include "fft/gpu/codegen/program.h"

argand_status key_make(char **key, const tile_pass *pass, bool is_double);
argand_status key_make_cluster(char **key, const tile_pass *pass, const pass_exchange *c, bool is_double);
argand_status key_make_persistent(char **key, const pass_program *p, int shared_elements, bool is_double);
/* Makes the key of a pass of kernels/fft/real_fold.krn. pairs: pairs of one thread. */
argand_status key_make_fold(char **key, const tile_pass *pass, int pairs, bool is_double);

#endif
