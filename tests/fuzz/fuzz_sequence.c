/* SPDX-License-Identifier: BSD-3-Clause */
/* Pulseq sequences: what is read is finite, and the readouts have all samples. */
#include <math.h>
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char path[128];
    argand_sequence *sequence = NULL;
    int64_t samples = 0;
    const argand_status status =
        argand_sequence_read(&sequence, fuzz_file(path, sizeof path, "a.seq", bytes, count));
    unlink(path);
    if (status != ARGAND_OK) {
        if (sequence || !*argand_message()) abort();
        return 0;
    }
    for (int64_t i = 0; i < sequence->readout_count; i++) samples += sequence->sizes[i];
    if (samples != sequence->sample_count) abort();
    for (int64_t i = 0; i < samples; i++)
        if (!isfinite(sequence->k[0][i] + sequence->k[1][i] + sequence->k[2][i] + sequence->t[i])) abort();
    argand_sequence_destroy(sequence);
    return 0;
}
