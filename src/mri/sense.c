/* SPDX-License-Identifier: BSD-3-Clause */
/* SENSE: y_c = F(S_c x), x = sum_c conj(S_c) F^H y_c. Pruessmann, Weiger, Scheidegger, Boesiger, Magn.
 * Reson. Med. 42:952, 1999; for any trajectory: Pruessmann, Weiger, Boernert, Boesiger, 46:638, 2001. The
 * operator is the chain of the transform, for all coils at once, and the multiplication by the maps. */
#include <argand/mri.h>

#include "array/array.h"
#include "mri/coils_op.h"

argand_status argand_op_sense(argand_op **op, argand_op *transform, const argand_array *maps)
{
    argand_op *multiply;
    if (op) *op = NULL;
    CHECK_ARRAY(maps);
    CHECK(op && transform, ARGAND_ARGUMENT, "sense: no transform given");
    TRY(coils_check_maps("sense", argand_op_domain(transform), maps));
    TRY(coils_op(&multiply, maps));
    const argand_status status = argand_op_chain(op, transform, multiply);
    argand_op_destroy(multiply);
    return status;
}
