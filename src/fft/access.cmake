# SPDX-License-Identifier: BSD-3-Clause
# Accessors (docs/internals/fft-access.md)
target_sources(argand_fft PRIVATE access.c access_bind.c access_adjoint.c access_key.c access_own.c access_text.c access_staged.c measure_access.c
                                  host/access_engine.c host/access_schedule.c host/access_pass.c host/access_fused.c host/access_chain.c host/access_mirror.c)
argand_variants(fft host/access_move.c)
argand_variants(fft host/access_edge.c)
