/* SPDX-License-Identifier: BSD-3-Clause */
/* C++: converts exceptions to outcomes. */
#ifndef IO_RASTER_EXR_STREAM_H
#define IO_RASTER_EXR_STREAM_H

#include <Iex.h>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include "io/raster/exr_file.h"

/* Keeps the library's reason without its beginning, "Cannot read image file "NAME". ", which Argand's
 * message repeats. */
inline void raster_exr_keep(raster_exr_bytes *bytes, const char *reason)
{
    const char *all = reason ? reason : "", *end = std::strstr(all, "\". "); /* must not allocate */
    std::snprintf(bytes->reason, sizeof bytes->reason, "%s", end ? end + 3 : all);
}

template <typename Work> raster_exr_outcome raster_exr_guarded(raster_exr_bytes *bytes, Work work) noexcept
{
    try {
        work();
        return RASTER_EXR_DONE;
    } catch (const std::bad_alloc &) {
        return RASTER_EXR_NO_MEMORY;
    } catch (const std::length_error &) {
        return RASTER_EXR_NO_MEMORY;
    } catch (const IEX_NAMESPACE::NoImplExc &e) {
        raster_exr_keep(bytes, e.what());
        return RASTER_EXR_UNSUPPORTED;
    } catch (const std::exception &e) {
        raster_exr_keep(bytes, e.what());
        return RASTER_EXR_DAMAGED;
    } catch (...) {
        raster_exr_keep(bytes, "an unknown failure");
        return RASTER_EXR_DAMAGED;
    }
}

#endif
