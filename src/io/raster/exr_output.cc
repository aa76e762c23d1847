/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes OpenEXR: one part of scan lines. All other parts and attributes of the picture given as `like`
 * are copied. */
#include <ImfChannelList.h>
#include <ImfDeepScanLineInputPart.h>
#include <ImfDeepScanLineOutputPart.h>
#include <ImfDeepTiledInputPart.h>
#include <ImfDeepTiledOutputPart.h>
#include <ImfFrameBuffer.h>
#include <ImfMultiPartOutputFile.h>
#include <ImfOutputPart.h>
#include <ImfPartType.h>
#include <ImfTiledInputPart.h>
#include <ImfTiledOutputPart.h>
#include "io/raster/exr_input.h"

namespace {

class output : public Imf::OStream {
  public:
    explicit output(raster_exr_bytes *to) : Imf::OStream(to->path), bytes(to) {}
    void write(const char from[], int count) override
    {
        if (count < 0 || bytes->write(bytes->user, place, from, static_cast<size_t>(count)))
            throw IEX_NAMESPACE::IoExc("The file cannot be written.");
        place += static_cast<uint64_t>(count);
    }
    uint64_t tellp() override { return place; }
    void seekp(uint64_t to) override { place = to; }

  private:
    raster_exr_bytes *bytes;
    uint64_t place = 0;
};

} // namespace

struct raster_exr_draft {
    explicit raster_exr_draft(raster_exr_bytes *to) : bytes(to), stream(to) {}
    raster_exr_bytes *bytes;
    output stream;
    std::unique_ptr<Imf::MultiPartOutputFile> file;
    std::unique_ptr<Imf::OutputPart> part;
};

namespace {

/* Removes the attributes that describe how the samples of the other file are stored. */
void forget_storage(Imf::Header &header)
{
    for (const char *name : {"tiles", "chunkCount", "maxSamplesPerPixel"}) header.erase(name);
}

void set_channels(Imf::Header &header, const raster_exr_head *head)
{
    const Imf::ChannelList before = header.channels();
    header.channels() = Imf::ChannelList();
    for (int i = 0; i < head->channel_count; i++) {
        const raster_exr_channel *c = &head->channels[i];
        const Imf::Channel *same = before.findChannel(c->name);
        header.channels().insert(
            c->name, Imf::Channel(static_cast<Imf::PixelType>(c->type), 1, 1, same && same->pLinear));
    }
}

/* Makes the header of the written part. It keeps the windows of `like` if the sizes are equal. */
Imf::Header make_header(const raster_exr_head *head, const Imf::Header *like)
{
    const int width = static_cast<int>(head->width), height = static_cast<int>(head->height);
    Imf::Header header(width, height);
    if (like) {
        const Imath::Box2i whole = header.dataWindow(), window = like->dataWindow();
        header = *like;
        forget_storage(header);
        if (window.max.x - window.min.x + 1 != width || window.max.y - window.min.y + 1 != height)
            header.dataWindow() = header.displayWindow() = whole;
    }
    header.setType(Imf::SCANLINEIMAGE);
    header.lineOrder() = Imf::INCREASING_Y;
    header.compression() = static_cast<Imf::Compression>(head->compression);
    set_channels(header, head);
    return header;
}

template <typename From, typename To>
void copy_blocks(Imf::MultiPartOutputFile &to, Imf::MultiPartInputFile &from, int part)
{
    From source(from, part);
    To target(to, part);
    target.copyPixels(source);
}

/* Copies the compressed blocks of another part. */
void copy_part(Imf::MultiPartOutputFile &to, Imf::MultiPartInputFile &from, int part)
{
    const std::string type = from.header(part).type();
    if (type == Imf::SCANLINEIMAGE)
        copy_blocks<Imf::InputPart, Imf::OutputPart>(to, from, part);
    else if (type == Imf::TILEDIMAGE)
        copy_blocks<Imf::TiledInputPart, Imf::TiledOutputPart>(to, from, part);
    else if (type == Imf::DEEPSCANLINE)
        copy_blocks<Imf::DeepScanLineInputPart, Imf::DeepScanLineOutputPart>(to, from, part);
    else
        copy_blocks<Imf::DeepTiledInputPart, Imf::DeepTiledOutputPart>(to, from, part);
}

Imf::FrameBuffer make_rows(const raster_exr_head *head, int left, void *const *lines)
{
    Imf::FrameBuffer rows;
    for (int i = 0; i < head->channel_count; i++) {
        const raster_exr_type type = head->channels[i].type;
        const intptr_t bytes = type == RASTER_EXR_HALF ? 2 : 4;
        char *base = reinterpret_cast<char *>(reinterpret_cast<intptr_t>(lines[i]) - left * bytes);
        rows.insert(head->channels[i].name,
                    Imf::Slice(static_cast<Imf::PixelType>(type), base, static_cast<size_t>(bytes), 0));
    }
    return rows;
}

void begin(raster_exr_draft *draft, const raster_exr_head *head, raster_exr_file *like, void *const *lines)
{
    const int part = like ? like->part : 0, parts = like ? like->file->parts() : 1;
    /* not a std::vector, which would leave a public symbol in libargand.a */
    std::unique_ptr<Imf::Header[]> headers(new Imf::Header[static_cast<size_t>(parts)]);
    for (int i = 0; i < parts; i++)
        headers[static_cast<size_t>(i)] =
            i == part ? make_header(head, like ? &like->file->header(i) : nullptr) : like->file->header(i);
    const int left = headers[static_cast<size_t>(part)].dataWindow().min.x;
    draft->file.reset(new Imf::MultiPartOutputFile(draft->stream, headers.get(), parts, true, 0));
    for (int i = 0; i < parts; i++)
        if (i != part) copy_part(*draft->file, *like->file, i);
    draft->part.reset(new Imf::OutputPart(*draft->file, part));
    draft->part->setFrameBuffer(make_rows(head, left, lines));
}

} // namespace

raster_exr_outcome raster_exr_draft_create(raster_exr_draft **draft, raster_exr_bytes *bytes,
                                           const raster_exr_head *head, raster_exr_file *like,
                                           void *const *lines)
{
    *draft = nullptr;
    return raster_exr_guarded(bytes, [&] {
        std::unique_ptr<raster_exr_draft> made(new raster_exr_draft(bytes));
        begin(made.get(), head, like, lines);
        *draft = made.release();
    });
}

raster_exr_outcome raster_exr_draft_write(raster_exr_draft *draft)
{
    return raster_exr_guarded(draft->bytes, [&] { draft->part->writePixels(1); });
}

void raster_exr_draft_close(raster_exr_draft *draft)
{
    delete draft;
}
