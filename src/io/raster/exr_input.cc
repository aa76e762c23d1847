/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads OpenEXR row by row: any part without deep samples, in scan lines or tiles. */
#include "io/raster/exr_input.h"

#include <ImfChannelList.h>
#include <ImfChromaticitiesAttribute.h>
#include <ImfCompression.h>
#include <ImfFrameBuffer.h>
#include <ImfPartType.h>
#include <ImfStandardAttributes.h>
#include <ImfTileDescription.h>
#include <OpenEXRConfig.h>

namespace {

const double largest_block = 1 << 30;

/* Returns the number of lines in a block. Newer compressions have at most 256. */
int block_lines(const Imf::Header &header)
{
    static const int lines[] = {1, 1, 1, 16, 32, 16, 32, 32, 32, 256};
    const size_t compression = static_cast<size_t>(header.compression());
    if (header.hasTileDescription()) return static_cast<int>(header.tileDescription().ySize);
    return compression < sizeof lines / sizeof *lines ? lines[compression] : 256;
}

bool is_deep(const Imf::Header &header)
{
    return header.hasType() && Imf::isDeepData(header.type());
}

/* Throws std::bad_alloc if the samples that are decoded together exceed 1 GB. A row of tiles is decoded
 * together. */
void check_block(const Imf::Header &header)
{
    const Imath::Box2i window = header.dataWindow();
    const double width = double(window.max.x) - window.min.x + 1;
    double samples = 0;
    for (auto c = header.channels().begin(); c != header.channels().end(); ++c) samples++;
    if (!is_deep(header) && 4 * samples * width * block_lines(header) > largest_block) throw std::bad_alloc();
    if (header.hasTileDescription() &&
        4 * samples * header.tileDescription().xSize * header.tileDescription().ySize > largest_block)
        throw std::bad_alloc();
}

/* Returns the index of a part; -1 if there is no such part. Number 0: the first part that is not deep, or
 * the first part if all are deep. */
int choose_part(const Imf::MultiPartInputFile &file, int number)
{
    int part = 0;
    if (number) return number >= 1 && number <= file.parts() ? number - 1 : -1;
    while (part < file.parts() && is_deep(file.header(part))) part++;
    return part < file.parts() ? part : 0;
}

void describe_channels(raster_exr_head *head, const Imf::ChannelList &channels)
{
    for (auto c = channels.begin(); c != channels.end(); ++c) {
        if (head->channel_count++ >= RASTER_EXR_CHANNELS) continue;
        raster_exr_channel *to = &head->channels[head->channel_count - 1];
        std::snprintf(to->name, sizeof to->name, "%s", c.name());
        to->type = static_cast<raster_exr_type>(c.channel().type);
        to->x_step = c.channel().xSampling;
        to->y_step = c.channel().ySampling;
    }
}

void describe(raster_exr_head *head, const Imf::Header &header)
{
    const Imath::Box2i window = header.dataWindow();
    head->deep = is_deep(header);
    if (head->deep) return;
    head->left = window.min.x;
    head->top = window.min.y;
    head->width = int64_t(window.max.x) - window.min.x + 1;
    head->height = int64_t(window.max.y) - window.min.y + 1;
    head->compression = header.compression();
    head->tiled = header.hasTileDescription();
    if (header.hasName()) std::snprintf(head->name, sizeof head->name, "%s", header.name().c_str());
    describe_channels(head, header.channels());
    head->has_colours = Imf::hasChromaticities(header);
    if (!head->has_colours) return;
    const Imf::Chromaticities c = Imf::chromaticities(header);
    const Imath::V2f points[4] = {c.red, c.green, c.blue, c.white};
    for (int i = 0; i < 8; i++) head->colours[i] = double(points[i / 2][i % 2]);
}

} // namespace

int raster_exr_file_compressions(void)
{
    return Imf::NUM_COMPRESSION_METHODS;
}

const char *raster_exr_file_version(void)
{
    return OPENEXR_VERSION_STRING;
}

bool raster_exr_input::read(char to[], int count)
{
    const size_t bytes_wanted = static_cast<size_t>(count);
    if (count < 0 || place > bytes->size || bytes_wanted > bytes->size - place)
        throw IEX_NAMESPACE::InputExc("The file ends too early.");
    if (bytes->read(bytes->user, place, to, bytes_wanted))
        throw IEX_NAMESPACE::IoExc("The file cannot be read.");
    place += bytes_wanted;
    return place < bytes->size;
}

raster_exr_outcome raster_exr_file_open(raster_exr_file **file, raster_exr_bytes *bytes, int part,
                                        raster_exr_head *head)
{
    *file = nullptr;
    *head = raster_exr_head();
    return raster_exr_guarded(bytes, [&] {
        std::unique_ptr<raster_exr_file> made(new raster_exr_file(bytes));
        made->file.reset(new Imf::MultiPartInputFile(made->stream, 0, false));
        head->parts = made->file->parts();
        for (int i = 0; i < head->parts; i++) check_block(made->file->header(i));
        made->part = head->part = choose_part(*made->file, part);
        if (head->part >= 0) describe(head, made->file->header(head->part));
        *file = made.release();
    });
}

raster_exr_outcome raster_exr_file_begin(raster_exr_file *file, const raster_exr_head *head,
                                         void *const *lines)
{
    return raster_exr_guarded(file->bytes, [&] {
        Imf::FrameBuffer rows;
        for (int i = 0; i < head->channel_count; i++) {
            const raster_exr_channel *c = &head->channels[i];
            const Imf::PixelType type = c->type == RASTER_EXR_UINT ? Imf::UINT : Imf::FLOAT;
            const intptr_t first =
                (head->left / c->x_step) * 4; /* offset of the first sample, at which lines[i] begins */
            char *base = reinterpret_cast<char *>(reinterpret_cast<intptr_t>(lines[i]) - first);
            rows.insert(c->name, Imf::Slice(type, base, 4, 0, c->x_step, c->y_step));
        }
        file->input.reset(new Imf::InputPart(*file->file, file->part));
        file->input->setFrameBuffer(rows);
        file->top = head->top;
    });
}

raster_exr_outcome raster_exr_file_read(raster_exr_file *file, int64_t row)
{
    return raster_exr_guarded(file->bytes,
                              [&] { file->input->readPixels(static_cast<int>(file->top + row)); });
}

void raster_exr_file_close(raster_exr_file *file)
{
    delete file;
}
