/* SPDX-License-Identifier: BSD-3-Clause */
/* Simultaneously excited slices: y = sum_b P_b A_b x_b, where P_b is the phase that the blipped gradient
 * through the slices gives to slice b. Larkman et al., J. Magn. Reson. Imaging 13:313, 2001; controlled
 * aliasing: Breuer et al., Magn. Reson. Med. 53:684, 2005; blips: Setsompop et al., 67:1210, 2012. The
 * parts may be any operators, so that each slice has its own coil maps, field map and mask; they may share
 * a transform. */
#include <argand/mri.h>

#include <math.h>
#include "base/memory.h"
#include "base/pi.h"
#include "mri/host.h"
#include "op/spread.h"

typedef struct multiband {
    int bands;
    argand_op **parts;
    argand_array **phases; /* P_b repeated over the coils, with the shape of the range; NULL: 1 */
    argand_array *work;    /* work array with the shape of the range */
    argand_shape domain;   /* domain of one part */
} multiband;

/* Makes a view of one band of the images, with the shape that the operator of this part takes. */
static argand_status band_of(const multiband *m, const argand_array *images, int band, argand_array **image)
{
    argand_array *part;
    TRY(argand_array_part(&part, images, m->domain.rank, band, 1));
    const argand_status status = argand_array_reshape(image, part, m->domain.rank, m->domain.dims);
    argand_array_destroy(part);
    return status;
}

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    const multiband *m = context;
    for (int b = 0; b < m->bands; b++) {
        argand_array *image;
        TRY(band_of(m, x, b, &image));
        argand_array *const to = m->phases || b ? m->work : y;
        argand_status status = argand_op_apply(m->parts[b], to, image);
        argand_array_destroy(image);
        if (status == ARGAND_OK && m->phases)
            status = argand_array_multiply(y, m->phases[b], to, b ? ARGAND_PRODUCT_ADD : ARGAND_PRODUCT);
        else if (status == ARGAND_OK && b)
            status = argand_array_axpby(y, (argand_scalar){1, 0}, to, (argand_scalar){1, 0});
        TRY(status);
    }
    return ARGAND_OK;
}

static argand_status adjoint(void *context, argand_array *x, const argand_array *y)
{
    const multiband *m = context;
    for (int b = 0; b < m->bands; b++) {
        argand_array *image;
        if (m->phases) TRY(argand_array_multiply(m->work, m->phases[b], y, ARGAND_PRODUCT_CONJ));
        TRY(band_of(m, x, b, &image));
        const argand_status status = argand_op_adjoint(m->parts[b], image, m->phases ? m->work : y);
        argand_array_destroy(image);
        TRY(status);
    }
    return ARGAND_OK;
}

static void destroy(void *context)
{
    multiband *m = context;
    if (!m) return;
    for (int b = 0; b < m->bands; b++) {
        if (m->phases) argand_array_destroy(m->phases[b]);
        if (m->parts) argand_op_destroy(m->parts[b]);
    }
    argand_array_destroy(m->work);
    memory_free(m->phases);
    memory_free(m->parts);
    memory_free(m);
}

static bool same_shape(const argand_shape *a, const argand_shape *b)
{
    bool same = a->type == b->type && a->rank == b->rank;
    for (int d = 0; d < a->rank && same; d++) same = a->dims[d] == b->dims[d];
    return same;
}

static argand_status check_parts(argand_op *const parts[], int bands)
{
    CHECK(parts && bands >= 1, ARGAND_ARGUMENT, "multiband: %d bands; give one or more", bands);
    for (int b = 0; b < bands; b++) {
        CHECK(parts[b], ARGAND_ARGUMENT, "multiband: the operator of band %d is NULL", b);
        TRY(spread_refuse(parts[b], "multiband"));
        CHECK(argand_op_device(parts[b]) == argand_op_device(parts[0]), ARGAND_ARGUMENT,
              "multiband: the operators of bands 0 and %d live on different devices", b);
        CHECK(same_shape(argand_op_domain(parts[b]), argand_op_domain(parts[0])) &&
                  same_shape(argand_op_range(parts[b]), argand_op_range(parts[0])),
              ARGAND_ARGUMENT, "multiband: the operator of band %d has other shapes than that of band 0", b);
    }
    CHECK(argand_op_domain(parts[0])->rank < ARGAND_MAX_RANK, ARGAND_ARGUMENT,
          "multiband: images of %d dimensions leave none for the bands", ARGAND_MAX_RANK);
    return ARGAND_OK;
}

static argand_status check_phases(const argand_shape *range, int bands, const argand_array *phases)
{
    if (!phases) return ARGAND_OK;
    CHECK(argand_array_type(phases) == range->type && argand_array_rank(phases) == 2 && range->rank >= 1 &&
              argand_array_dim(phases, 0) == range->dims[0] && argand_array_dim(phases, 1) == bands,
          ARGAND_ARGUMENT,
          "multiband: the phases are %s of %lldx%lld; %s of %lldx%d (samples, bands) are needed",
          argand_type_name(argand_array_type(phases)), (long long)argand_array_dim(phases, 0),
          (long long)argand_array_dim(phases, 1), argand_type_name(range->type),
          (long long)(range->rank ? range->dims[0] : 1), bands);
    return ARGAND_OK;
}

static argand_status share_phases(multiband *m, const argand_shape *range, const argand_array *phases)
{
    int64_t strides[ARGAND_MAX_RANK] = {argand_array_stride(phases, 0)};
    TRY(NEW(m->phases, m->bands));
    for (int b = 0; b < m->bands; b++)
        TRY(argand_array_view(&m->phases[b], phases, range->rank, range->dims, strides,
                              b * argand_array_stride(phases, 1)));
    return ARGAND_OK;
}

static argand_status fill(multiband *m, argand_op *const parts[], int bands, const argand_array *phases)
{
    const argand_shape *range = argand_op_range(parts[0]);
    m->domain = *argand_op_domain(parts[0]);
    TRY(NEW(m->parts, bands));
    for (; m->bands < bands; m->bands++) m->parts[m->bands] = argand_op_keep(parts[m->bands]);
    if (phases) TRY(share_phases(m, range, phases));
    if (phases || bands > 1)
        TRY(argand_array_create(&m->work, argand_op_device(parts[0]), range->type, range->rank, range->dims));
    return ARGAND_OK;
}

argand_status argand_op_multiband(argand_op **op, argand_op *const parts[], int bands,
                                  const argand_array *phases)
{
    multiband *m;
    CHECK(op, ARGAND_ARGUMENT, "multiband: no place for the operator");
    *op = NULL;
    TRY(check_parts(parts, bands));
    TRY(check_phases(argand_op_range(parts[0]), bands, phases));
    TRY(NEW(m, 1));
    argand_status status = fill(m, parts, bands, phases);
    argand_op_definition definition = {.name = "multiband",
                                       .domain = m->domain,
                                       .range = *argand_op_range(parts[0]),
                                       .apply = apply,
                                       .adjoint = adjoint,
                                       .destroy = destroy,
                                       .context = m};
    definition.domain.dims[definition.domain.rank++] = bands;
    if (status == ARGAND_OK) status = argand_op_create(op, argand_op_device(parts[0]), &definition);
    if (status != ARGAND_OK) destroy(m);
    return status;
}

argand_status argand_multiband_phases(argand_array *phases, const argand_array *kz)
{
    double *k, *out = NULL;
    CHECK_ARRAY(phases);
    CHECK_ARRAY(kz);
    CHECK(!type_is_complex(argand_array_type(kz)), ARGAND_ARGUMENT, "multiband: kz must be real");
    const int64_t samples = argand_array_count(kz), bands = argand_array_dim(phases, 1);
    CHECK(type_is_complex(argand_array_type(phases)) && argand_array_rank(phases) == 2 &&
              argand_array_dim(phases, 0) == samples,
          ARGAND_ARGUMENT, "multiband: phases must be complex {samples, bands} for %lld samples",
          (long long)samples);
    TRY(host_read(&k, kz));
    argand_status status = memory_new(&out, (size_t)(2 * samples * bands), sizeof *out);
    for (int64_t b = 0; b < bands && status == ARGAND_OK; b++)
        for (int64_t j = 0; j < samples; j++) {
            const double turns = k[j] * pixel_centre(b, bands);
            const double angle = -TWO_PI * (turns - round(turns));
            out[2 * (j + samples * b)] = cos(angle);
            out[2 * (j + samples * b) + 1] = sin(angle);
        }
    if (status == ARGAND_OK) status = host_write_complex(phases, out);
    memory_free(out);
    memory_free(k);
    return status;
}
