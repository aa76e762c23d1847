/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses where maps are computed: on a device, if the maps or the data are on one, otherwise on the host. */
#include <stdio.h>
#include <string.h>
#include "calib/espirit/espirit.h"
#include "mri/host.h"

static argand_status host_maps(espirit_image *p, argand_array *maps, argand_array *eigenvalues)
{
    host_view to = {0};
    double *values = NULL;
    argand_status status;
    TRY_OR_DONE(host_open_new(&to, maps));
    if (eigenvalues) TRY_OR_DONE(NEW(values, argand_array_count(eigenvalues)));
    p->maps = to.data;
    p->values = values;
    TRY_OR_DONE(espirit_pixels(p));
    TRY_OR_DONE(host_put(&to, maps));
    if (eigenvalues) status = host_write_real(eigenvalues, values);
done:
    memory_free(values);
    host_close(&to);
    return status;
}

/* Copies eigenvalues to the user's array, whatever its type, device and strides. */
static argand_status put_values(argand_array *eigenvalues, const argand_array *values)
{
    double *numbers;
    TRY(host_read(&numbers, values));
    const argand_status status = host_write_real(eigenvalues, numbers);
    memory_free(numbers);
    return status;
}

static argand_status device_maps(espirit_image *p, argand_device *device, argand_array *maps,
                                 argand_array *eigenvalues)
{
    argand_array *own = NULL, *values = NULL;
    const bool is_there = argand_array_device(maps) == device;
    const int64_t count = p->n[0] * p->n[1] * p->n[2] * p->sets;
    argand_status status;
    CHECK(!p->is_double || device_has_double(device), ARGAND_UNSUPPORTED,
          "it has no double precision, which the maps have");
    if (!is_there) TRY_OR_DONE(array_scratch(&own, device, maps->type, maps->rank, maps->dims));
    if (eigenvalues) TRY_OR_DONE(array_scratch(&values, device, type_of(false, p->is_double), 1, &count));
    TRY_OR_DONE(espirit_device_pixels(p, device, is_there ? maps : own, values));
    if (!is_there) TRY_OR_DONE(argand_array_copy(maps, own));
    if (eigenvalues) status = put_values(eigenvalues, values);
done:
    argand_array_destroy(values);
    argand_array_destroy(own);
    return status;
}

/* Returns the device of the maps or of the data whose memory the host cannot access; NULL: none. */
static argand_device *device_of(const argand_array *maps, const argand_array *data)
{
    argand_device *of_maps = argand_array_device(maps), *of_data = argand_array_device(data);
    return !device_is_host(of_maps) ? of_maps : !device_is_host(of_data) ? of_data : NULL;
}

void espirit_want(const argand_array *maps, const argand_array *data)
{
    argand_device *device = device_of(maps, data);
    const bool is_double = type_is_double(argand_array_type(maps));
    if (device && (!is_double || device_has_double(device))) espirit_device_want(device, is_double);
}

/* Returns true after failures for which the host can step in: the device lacks something. */
static bool is_lack(argand_status status)
{
    return status == ARGAND_MEMORY || status == ARGAND_UNSUPPORTED || status == ARGAND_BUILD;
}

/* Writes the first line of the failure, as compilers print many. */
static void tell_why(char note[ESPIRIT_NOTE])
{
    const char *why = argand_message();
    snprintf(note, ESPIRIT_NOTE, "ESPIRiT: the host computed the coil maps: on the device, %.*s",
             (int)strcspn(why, "\n"), why);
}

argand_status espirit_maps_write(espirit_image *p, argand_array *maps, argand_array *eigenvalues,
                                 const argand_array *data, char note[ESPIRIT_NOTE])
{
    argand_device *device = device_of(maps, data);
    note[0] = 0;
    argand_status status = espirit_fields(p);
    if (status == ARGAND_OK && device) {
        status = device_maps(p, device, maps, eigenvalues);
        device = is_lack(status) ? NULL : device;
        if (!device) {
            tell_why(note);
            status = ARGAND_OK;
        }
    }
    if (status == ARGAND_OK && !device) status = host_maps(p, maps, eigenvalues);
    espirit_fields_free(p);
    return status;
}
