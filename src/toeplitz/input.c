/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and checks the arrays of the Toeplitz operator's options. */
#include "toeplitz/input.h"

#include <math.h>
#include <string.h>
#include "array/array.h"
#include "base/memory.h"
#include "base/status.h"

static const char *const k_names[3] = {"k[0]", "k[1]", "k[2]"};

static void widen(double *values, int64_t count)
{
    const char *floats = (const char *)values;
    for (int64_t i = count; i-- > 0;) {
        float value;
        memcpy(&value, floats + i * (int64_t)sizeof value, sizeof value);
        values[i] = (double)value;
    }
}

static argand_status read_reals(double **values, const argand_array *array, const char *name)
{
    const argand_type type = argand_array_type(array);
    CHECK(type == ARGAND_R32 || type == ARGAND_R64, ARGAND_ARGUMENT,
          "toeplitz: %s is %s; it must be a real array", name, argand_type_name(type));
    TRY(NEW(*values, argand_array_count(array)));
    TRY(argand_array_download(array, *values));
    if (type == ARGAND_R32) widen(*values, argand_array_count(array));
    return ARGAND_OK;
}

static argand_status read_per_sample(double **values, const toeplitz_input *input, const argand_array *array,
                                     const char *name)
{
    if (!array) return ARGAND_OK;
    const int64_t count = argand_array_count(array);
    CHECK(count == input->samples, ARGAND_ARGUMENT, "toeplitz: %s has %lld values, but k[0] has %lld samples",
          name, (long long)count, (long long)input->samples);
    TRY(read_reals(values, array, name));
    for (int64_t j = 0; j < count; j++)
        CHECK(isfinite((*values)[j]), ARGAND_NUMERIC, "toeplitz: %s of sample %lld is %g", name, (long long)j,
              (*values)[j]);
    return ARGAND_OK;
}

/* Reads one value per pixel; values of masked pixels may be anything. */
static argand_status read_per_pixel(double **values, const toeplitz_input *input, const argand_array *array,
                                    int maps, const char *name)
{
    if (!array) return ARGAND_OK;
    const int64_t count = argand_array_count(array), *n = input->n;
    CHECK(count == maps * input->pixels, ARGAND_ARGUMENT,
          "toeplitz: %s has %lld values, but %d of %lld (%lldx%lldx%lld) are needed", name, (long long)count,
          maps, (long long)input->pixels, (long long)n[0], (long long)n[1], (long long)n[2]);
    TRY(read_reals(values, array, name));
    for (int64_t i = 0; i < count; i++) {
        const int64_t pixel = i % input->pixels;
        CHECK(isfinite((*values)[i]) || input_skips(input, pixel), ARGAND_NUMERIC,
              "toeplitz: %s at pixel (%lld, %lld, %lld) is %g", name, (long long)(pixel % n[0]),
              (long long)(pixel / n[0] % n[1]), (long long)(pixel / n[0] / n[1]), (*values)[i]);
    }
    return ARGAND_OK;
}

/* Reads complex or real factors as pairs of doubles. */
static argand_status read_factors(toeplitz_input *input)
{
    const argand_array *f = input->options->factors;
    input->images = 1;
    if (!f) return ARGAND_OK;
    const int64_t images = argand_array_dim(f, 1), count = argand_array_count(f);
    const argand_type type = argand_array_type(f);
    CHECK(argand_array_rank(f) <= 2 && argand_array_dim(f, 0) == input->samples &&
              images <= ARGAND_TOEPLITZ_IMAGES && type <= ARGAND_C64,
          ARGAND_ARGUMENT,
          "toeplitz: the factors are %s {%lld, %lld}; give real or complex {%lld samples, at most %d images}",
          argand_type_name(type), (long long)argand_array_dim(f, 0), (long long)images,
          (long long)input->samples, ARGAND_TOEPLITZ_IMAGES);
    input->images = (int)images;
    TRY(NEW(input->factors, 2 * count));
    TRY(argand_array_download(f, input->factors));
    const int64_t numbers = type_is_complex(type) ? 2 * count : count;
    if (!type_is_double(type)) widen(input->factors, numbers);
    for (int64_t i = count; !type_is_complex(type) && i-- > 0;) {
        input->factors[2 * i] = input->factors[i];
        input->factors[2 * i + 1] = 0;
    }
    for (int64_t i = 0; i < 2 * count; i++) {
        CHECK(isfinite(input->factors[i]), ARGAND_NUMERIC, "toeplitz: a factor of sample %lld is %g",
              (long long)(i / 2 % input->samples), input->factors[i]);
        if (i % 2 && input->factors[i] != 0) input->is_complex = true;
    }
    return ARGAND_OK;
}

static argand_status check_options(const argand_toeplitz_options *o)
{
    CHECK(o, ARGAND_ARGUMENT, "toeplitz: no options given");
    CHECK(o->type == ARGAND_C32 || o->type == ARGAND_C64, ARGAND_ARGUMENT,
          "toeplitz: type %d: give ARGAND_C32 or ARGAND_C64", (int)o->type);
    CHECK(o->rank >= 1 && o->rank <= 3, ARGAND_ARGUMENT, "toeplitz: rank %d: give 1, 2 or 3", o->rank);
    for (int d = 0; d < o->rank; d++) {
        CHECK(o->n[d] >= 1 && o->n[d] <= 1 << 24, ARGAND_ARGUMENT, "toeplitz: n[%d] = %lld: give 1 to 2^24",
              d, (long long)o->n[d]);
        CHECK(o->k[d], ARGAND_ARGUMENT, "toeplitz: %s is missing; an image of rank %d needs k[0] to k[%d]",
              k_names[d], o->rank, o->rank - 1);
    }
    CHECK(o->tolerance >= 0 && o->tolerance < 1, ARGAND_ARGUMENT,
          "toeplitz: tolerance %g: give a relative error below 1, or 0 for the default", o->tolerance);
    CHECK(o->segments >= 0 && o->segments <= 4096, ARGAND_ARGUMENT,
          "toeplitz: %d segments: give 1 to 4096, or 0 for as many as the tolerance needs", o->segments);
    CHECK(o->t || !(o->field_map || o->r2star), ARGAND_ARGUMENT,
          "toeplitz: t is missing; a field map or R2* needs sample times");
    CHECK(o->shots >= 0 && (o->phase_maps || o->shots <= 1), ARGAND_ARGUMENT, "toeplitz: %d shots%s",
          o->shots, o->shots < 0 ? "" : " without phase maps: shots matter only where each has a phase map");
    CHECK(!o->factors || !(o->field_map || o->r2star || o->mask || o->phase_maps), ARGAND_UNSUPPORTED,
          "toeplitz: with the factors of a subspace there are no field map, R2*, mask and phase maps");
    return ARGAND_OK;
}

static argand_status read_all(toeplitz_input *input)
{
    const argand_toeplitz_options *o = input->options;
    for (int d = 0; d < o->rank; d++) TRY(read_per_sample(&input->k[d], input, o->k[d], k_names[d]));
    TRY(read_per_sample(&input->weights, input, o->weights, "weights"));
    TRY(read_factors(input));
    for (int64_t j = 0; input->weights && j < input->samples; j++)
        CHECK(input->weights[j] >= 0, ARGAND_ARGUMENT,
              "toeplitz: the weight of sample %lld is %g; give 0 or more", (long long)j, input->weights[j]);
    TRY(read_per_pixel(&input->mask, input, o->mask, 1, "mask"));
    TRY(read_per_pixel(&input->field_map, input, o->field_map, 1, "field_map"));
    TRY(read_per_pixel(&input->r2star, input, o->r2star, 1, "r2star"));
    if (input_has_field(input)) TRY(read_per_sample(&input->t, input, o->t, "t"));
    return read_per_pixel(&input->phase_maps, input, o->phase_maps, input->shots, "phase_maps");
}

argand_status toeplitz_input_read(toeplitz_input *input, const argand_toeplitz_options *options)
{
    *input = (toeplitz_input){.options = options, .pixels = 1};
    TRY(check_options(options));
    for (int d = 0; d < 3; d++) input->pixels *= input->n[d] = d < options->rank ? options->n[d] : 1;
    input->samples = argand_array_count(options->k[0]);
    input->shots = options->shots ? options->shots : 1;
    CHECK(input->samples % input->shots == 0, ARGAND_ARGUMENT,
          "toeplitz: %lld samples cannot be %d shots of equal length", (long long)input->samples,
          input->shots);
    const argand_status status = read_all(input);
    if (status != ARGAND_OK) toeplitz_input_release(input);
    return status;
}

void toeplitz_input_release(toeplitz_input *input)
{
    double *const all[] = {input->k[0],      input->k[1],   input->k[2], input->weights,    input->t,
                           input->field_map, input->r2star, input->mask, input->phase_maps, input->factors};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) memory_free(all[i]);
}
