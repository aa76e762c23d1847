/* SPDX-License-Identifier: BSD-3-Clause */
/* C++: an open input file. exr_input.cc reads it; exr_output.cc copies parts of it. */
#ifndef IO_RASTER_EXR_INPUT_H
#define IO_RASTER_EXR_INPUT_H

#include <ImfIO.h>
#include <ImfInputPart.h>
#include <ImfMultiPartInputFile.h>
#include <cstdint>
#include <memory>
#include <string>
#include "io/raster/exr_stream.h"

class raster_exr_input : public Imf::IStream {
  public:
    explicit raster_exr_input(raster_exr_bytes *from) : Imf::IStream(from->path), bytes(from) {}
    bool read(char to[], int count) override;
    uint64_t tellg() override { return place; }
    void seekg(uint64_t to) override { place = to; }
    void clear() override {}

  private:
    raster_exr_bytes *bytes;
    uint64_t place = 0;
};

/* The stream outlives the library's file, which outlives its part. */
struct raster_exr_file {
    explicit raster_exr_file(raster_exr_bytes *from) : bytes(from), stream(from) {}
    raster_exr_bytes *bytes;
    raster_exr_input stream;
    std::unique_ptr<Imf::MultiPartInputFile> file;
    std::unique_ptr<Imf::InputPart> input;
    int part = 0;
    int64_t top = 0;
};

#endif
