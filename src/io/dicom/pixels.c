/* SPDX-License-Identifier: BSD-3-Clause */
/* Pixels of 16 bits. One slope for the whole image keeps slices and volumes comparable in viewers that
 * ignore it, and an intercept of 0 keeps zeros. */
#include "io/dicom/dicom.h"

#include <float.h>
#include <math.h>
#include "base/memory.h"
#include "base/plain.h"
#include "io/arrays/transfer.h"

static argand_status take_shape(dicom_pixels *p, const char *path, const argand_array *image)
{
    p->columns = argand_array_dim(image, 0);
    p->rows = argand_array_dim(image, 1);
    p->slices = argand_array_dim(image, 2);
    p->volumes = argand_array_count(image) / (p->columns * p->rows * p->slices);
    CHECK(
        !transfer_is_complex(image), ARGAND_ARGUMENT,
        "%s: DICOM holds real numbers: write magnitude and phase, or real and imaginary part, as a file each",
        path);
    CHECK(p->columns <= UINT16_MAX && p->rows <= UINT16_MAX, ARGAND_UNSUPPORTED,
          "%s: DICOM holds up to 65535 pixels a side, the image has %lld x %lld", path, (long long)p->columns,
          (long long)p->rows);
    return ARGAND_OK;
}

static double number_at(const void *numbers, bool doubles, int64_t i)
{
    return doubles ? ((const double *)numbers)[i] : (double)((const float *)numbers)[i];
}

/* Finds the largest magnitude, and whether there are negative values. */
static argand_status find_range(dicom_pixels *p, double *largest, const char *path, const void *numbers,
                                bool doubles, int64_t count)
{
    *largest = 0;
    for (int64_t i = 0; i < count; i++) {
        const double value = number_at(numbers, doubles, i);
        CHECK(isfinite(value), ARGAND_NUMERIC, "%s: pixel %lld of the image is not a finite number", path,
              (long long)i);
        p->is_signed |= value < 0;
        *largest = fmax(*largest, fabs(value));
    }
    return ARGAND_OK;
}

/* Returns the smallest number of 10 digits that is not below `value`, so that readers of the printed slope
 * have the same number and no pixel overflows. */
static double round_up(double value)
{
    char printed[32];
    double step = 0, rounded = value;
    for (int i = 0; i < 4; i++, step += 0.3e-9) {
        plain_print(printed, sizeof printed, "%.9e", value * (1 + step));
        rounded = plain_number(printed, NULL);
        if (rounded >= value) break;
    }
    return rounded;
}

argand_status dicom_pixels_make(dicom_pixels *p, const char *path, const argand_array *image)
{
    const bool doubles = transfer_is_double(image);
    const int64_t count = argand_array_count(image);
    void *numbers = NULL;
    double largest;
    TRY(take_shape(p, path, image));
    argand_status status = transfer_out(&numbers, image);
    TRY_OR_DONE(status);
    TRY_OR_DONE(find_range(p, &largest, path, numbers, doubles, count));
    TRY_OR_DONE(memory_new(&p->bytes, (size_t)count, 2));
    const double step = largest / (p->is_signed ? INT16_MAX : UINT16_MAX);
    p->slope = largest > 0 ? round_up(fmax(step, DBL_MIN)) : 1; /* a subnormal slope has too few digits */
    for (int64_t i = 0; i < count; i++) {
        const long pixel = lround(number_at(numbers, doubles, i) / p->slope);
        p->bytes[2 * i] = (unsigned char)(pixel & 0xff);
        p->bytes[2 * i + 1] = (unsigned char)(pixel >> 8 & 0xff);
    }
    hash_state state;
    hash_begin(&state);
    hash_add(&state, p->bytes, (size_t)count * 2);
    hash_end(&state, p->hash);
done:
    memory_free(numbers);
    return status;
}

void dicom_pixels_free(dicom_pixels *p)
{
    memory_free(p->bytes);
    p->bytes = NULL;
}
