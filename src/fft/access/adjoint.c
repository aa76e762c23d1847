/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the adjoint of load . transform . store: the conjugate transpose of each, in opposite order.
 * Padding by a border rule is the adjoint of cropping by the same rule; a loop that repeats is the adjoint
 * of a loop that sums. */
#include "fft/access/access.h"

static argand_status reverse_chain(argand_accessor *to, const argand_accessor *from)
{
    int count = 0;
    while (count < ARGAND_MAX_ACCESSORS && from[count].kind) count++;
    for (int i = 0; i < ARGAND_MAX_ACCESSORS; i++) to[i] = (argand_accessor){0};
    for (int i = 0; i < count; i++) {
        to[i] = from[count - 1 - i];
        CHECK(to[i].kind != ARGAND_ACCESS_CALL, ARGAND_UNSUPPORTED,
              "argand_fft_adjoint: the adjoint of a user's function is unknown; write the adjoint's options "
              "yourself");
        to[i].conjugate = !to[i].conjugate;
    }
    return ARGAND_OK;
}

/* Exchanges input and output strides. A loop repeats if its input stride is 0, and sums if its bit is set. */
static void reverse_loops(argand_fft_options *to, const argand_fft_options *from)
{
    for (int i = 0; i < ARGAND_MAX_RANK; i++) {
        to->axes[i] = (argand_axis){from->axes[i].n, from->axes[i].out_stride, from->axes[i].in_stride};
        to->loop[i] = (argand_axis){from->loop[i].n, from->loop[i].out_stride, from->loop[i].in_stride};
        if (from->sum >> i & 1) to->loop[i].in_stride = 0;
        if (i < from->loops && from->loop[i].n > 1 && from->loop[i].in_stride == 0) to->sum |= 1u << i;
    }
}

argand_status argand_fft_adjoint(argand_fft_options *adjoint, const argand_fft_options *options)
{
    CHECK(adjoint && options, ARGAND_ARGUMENT, "argand_fft_adjoint: no %s",
          adjoint ? "options" : "place for the options");
    const argand_fft_options from = *options;
    argand_fft_options to = from;
    TRY(access_check_gaps(&from.access, "argand_fft_adjoint"));
    CHECK(type_is_complex(from.type), ARGAND_UNSUPPORTED,
          "argand_fft_adjoint: a real transform's adjoint weights the half spectrum; use complex ones");
    for (int axis = 0; axis < ARGAND_MAX_RANK; axis++)
        CHECK(from.input.window[axis].border != ARGAND_BORDER_CONSTANT, ARGAND_UNSUPPORTED,
              "argand_fft_adjoint: with a constant border the plan is not linear");
    CHECK(from.scale != ARGAND_SCALE_INVERSE || from.access.spectrum[0].kind, ARGAND_UNSUPPORTED,
          "argand_fft_adjoint: with ARGAND_SCALE_INVERSE the two directions are not each other's adjoints; "
          "take "
          "ARGAND_SCALE_NONE or ARGAND_SCALE_UNITARY");
    to.input = from.output;
    to.output = from.input;
    to.sum = 0;
    if (from.axes_given) reverse_loops(&to, &from);
    TRY(reverse_chain(to.access.load, from.access.store));
    TRY(reverse_chain(to.access.store, from.access.load));
    TRY(reverse_chain(to.access.spectrum, from.access.spectrum));
    *adjoint = to;
    return ARGAND_OK;
}
