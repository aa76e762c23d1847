/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of the Richardson-Lucy iteration: made, begun and stored alike with and without tiles. */
#include "conv/deconv/lucy.h"

#include <math.h>
#include "base/memory.h"

/* Lower bound of w: elements of x that contribute less than this to the image are not determined by the
 * image. */
static const double LEAST_WEIGHT = 0.01;

argand_status lucy_array_of(argand_array **array, const argand_deconv *d, argand_device *device,
                            argand_type type, const int64_t *n, int64_t channels, bool scratch)
{
    int64_t dims[4];
    const int rank = d->conv->options.rank;
    for (int i = 0; i < rank; i++) dims[i] = n[i];
    dims[rank] = channels;
    return scratch ? array_scratch(array, device, type, rank + 1, dims)
                   : argand_array_create(array, device, type, rank + 1, dims);
}

argand_status lucy_array(argand_array **array, const argand_deconv *d, argand_device *device,
                         const int64_t *n, bool scratch)
{
    const argand_conv_options *o = &d->conv->options;
    return lucy_array_of(array, d, device, o->type, n, o->channels, scratch);
}

argand_status lucy_invert_weights(argand_array *weights)
{
    const bool is_double = type_is_double(weights->type);
    const int64_t count = argand_array_count(weights);
    double largest = 0;
    void *w;
    TRY(memory_take(&w, memory_product((size_t)count, argand_type_size(weights->type))));
    argand_status status = argand_array_download(weights, w);
    for (int64_t i = 0; i < count && status == ARGAND_OK; i++)
        largest = fmax(largest, is_double ? ((double *)w)[i] : ((float *)w)[i]);
    for (int64_t i = 0; i < count && status == ARGAND_OK; i++) {
        const double at = is_double ? ((double *)w)[i] : ((float *)w)[i],
                     over = at > LEAST_WEIGHT * largest ? 1 / at : 0;
        if (is_double)
            ((double *)w)[i] = over;
        else
            ((float *)w)[i] = (float)over;
    }
    if (status == ARGAND_OK) status = argand_array_upload(weights, w);
    memory_free(w);
    return status;
}

argand_status lucy_begin(argand_array *x, const argand_array *y, double background, double *largest)
{
    argand_scalar sum;
    bool finite;
    TRY(argand_array_is_finite(&finite, y));
    CHECK(finite, ARGAND_NUMERIC,
          "argand_deconv_apply: the image holds NaN or infinity; replace these elements first");
    TRY(argand_array_sum(&sum, y));
    TRY(argand_array_max_abs(largest, y));
    double mean = sum.re / (double)argand_array_count(y) - background;
    if (mean <= 0) mean = *largest > 0 ? *largest : 1;
    return argand_array_fill(x, (argand_scalar){mean, 0});
}

argand_status lucy_store(const argand_deconv *d, argand_array *out, const argand_array *x)
{
    argand_array part = *x;
    for (int i = 0; i < d->conv->options.rank; i++) {
        part.dims[i] = d->lucy->n[i];
        part.offset += d->conv->axis[i].high * x->strides[i];
    }
    part.count = out->count;
    return argand_array_copy(out, &part);
}
