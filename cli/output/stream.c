/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes images to standard output ("-") or a named pipe as a stream of ISMRMRD's messages: the scan's
 * header, each volume's parts, a close. The images are those of OUT.h5 (ismrmrd.c). Nothing is sent before
 * all are computed, so a reader that gets a header gets images. */
#include "output/output.h"

#include <stdlib.h>
#include <string.h>

argand_status output_check_stream(const output_settings *s)
{
    if (!s->report || *s->report) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT, "--report: give its name (--report FILE.html); the images go to %s",
                        strcmp(s->path, "-") ? s->path : "standard output");
}

/* Sends a part of a volume. array: the part of all images of the volume's file. */
static argand_status send_part(output *o, mrd_sink *to, int volume, int part, const argand_array *array)
{
    argand_scan_image about = output_scan_image(o->run.scan, o->run.session, volume);
    argand_array *place;
    void *numbers = NULL;
    about.part = part < OUTPUT_PARTS ? (argand_image_part)(part + 1) : ARGAND_IMAGE_MAGNITUDE;
    about.series = part + 1;
    about.type = argand_array_type(array);
    TRY(output_volume_place(&place, o, volume, array));
    numbers = malloc((size_t)argand_array_count(place) * argand_type_size(about.type));
    argand_status status = numbers ? ARGAND_OK : report_error(ARGAND_MEMORY, "no memory for an image");
    if (!status) status = argand_array_download(place, numbers);
    if (!status) status = mrd_sink_message(to, MRD_IMAGE);
    if (!status) status = mrd_write_image(mrd_sink_write, to, &about, output_attributes(part), numbers);
    free(numbers);
    argand_array_destroy(place);
    return status;
}

/* Sends the volumes of a part. Maps come after all parts. */
static argand_status send_series(output *o, mrd_sink *to, int part)
{
    const int volumes = argand_sense_volumes(o->run.session);
    argand_status status = ARGAND_OK;
    argand_array **parts = calloc((size_t)o->image_count, sizeof *parts);
    if (!parts) return report_error(ARGAND_MEMORY, "out of memory");
    for (int i = 0; i < o->image_count && !status; i++)
        status = output_part_of(&parts[i], o, output_array_of(&o->images[i], part),
                                part < OUTPUT_PARTS ? part : 0);
    for (int v = 0; v < volumes && !status; v++)
        status = send_part(o, to, v, part, parts[o->places[v].image]);
    for (int i = 0; i < o->image_count; i++) argand_array_destroy(parts[i]);
    free(parts);
    return status;
}

/* Passes on the first message of a scan, its header, which has three parts, and stops. */
typedef struct first_message {
    mrd_sink *to;
    int parts;
    argand_status status;
} first_message;

static argand_status pass_first(void *context, const void *bytes, size_t count)
{
    first_message *m = context;
    m->status = mrd_sink_write(m->to, bytes, count);
    return m->status || ++m->parts == 3 ? ARGAND_STOPPED : ARGAND_OK;
}

/* Sends the header that the scan came with; for own arrays, the one that a file of them would have. */
static argand_status send_header(mrd_sink *to, const argand_scan *scan)
{
    if (scan->header && *scan->header) return mrd_sink_header(to, scan->header);
    first_message m = {.to = to};
    const argand_status status = argand_scan_write_messages(scan, pass_first, &m);
    return m.parts == 3 || m.status ? m.status : status;
}

static argand_status send(output *o, mrd_sink *to)
{
    TRY(mrd_sink_open(to));
    TRY(send_header(to, o->run.scan));
    for (int part = 0; part < OUTPUT_PARTS; part++)
        if (output_parts(o) & 1 << part) TRY(send_series(o, to, part));
    for (int m = 0; m < OUTPUT_PIXEL_MAPS; m++)
        if (o->images[0].pixel_map[m]) TRY(send_series(o, to, OUTPUT_PARTS + m));
    return mrd_sink_message(to, MRD_CLOSE);
}

argand_status output_stream(output *o)
{
    const argand_status status = send(o, o->run.stream);
    return output_note_file(o, o->run.stream->name, status);
}
