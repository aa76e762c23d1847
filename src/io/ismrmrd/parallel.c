/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads acceleration and simultaneous slices of an encoding. "multiband" is inside parallelImaging or next
 * to it, and its parts changed their names between versions of the schema (ismrmrd.xsd): spacing as
 * elements dZ or as one number, with or without multiband_factor. */
#include "io/ismrmrd/nodes.h"

#include <string.h>
#include "base/plain.h"

enum { MOST_BANDS = 64, LARGEST_ACCELERATION = 65535 };

/* Returns the number of listed gaps between bands, and the first gap in mm. */
static int read_spacing(double *first, const xmlNode *multiband)
{
    int gaps = 0;
    for (const xmlNode *n = node_child(multiband, "spacing"); n; n = node_named(n->next, "spacing")) {
        const xmlNode *gap = node_child(n, "dZ");
        for (const xmlNode *m = gap ? gap : n; m; m = gap ? node_named(m->next, "dZ") : NULL) {
            char content[64];
            node_text(content, sizeof content, m);
            const double value = plain_number(content, NULL);
            if (!gaps++) *first = value > 0 && value < 1e6 ? value : 0;
        }
    }
    return gaps;
}

static argand_status read_multiband(argand_bands *bands, const scan_reader *reader, const xmlNode *multiband)
{
    int64_t count = 0, calibration = -1;
    if (!multiband) return ARGAND_OK;
    const int gaps = read_spacing(&bands->spacing, multiband);
    TRY(node_whole(&count, reader, multiband, "multiband_factor", 0, MOST_BANDS));
    TRY(node_whole(&calibration, reader, multiband, "calibration_encoding", -1, 65535));
    if (!count && gaps < MOST_BANDS) count = gaps + 1;
    CHECK(count, ARGAND_FORMAT, "%s: header: multiband lists %d spacings; at most %d bands can be separated",
          reader->path, gaps, MOST_BANDS);
    bands->count = (int)count;
    bands->calibration_encoding = (int)calibration;
    return ARGAND_OK;
}

static argand_status read_acceleration(argand_encoding *encoding, const scan_reader *reader,
                                       const xmlNode *parallel)
{
    static const char *const steps[2] = {"kspace_encoding_step_1", "kspace_encoding_step_2"};
    const xmlNode *factor = node_child(parallel, "accelerationFactor");
    for (int i = 0; i < 2; i++) {
        int64_t value = 0;
        if (factor) TRY(node_whole(&value, reader, factor, steps[i], 0, LARGEST_ACCELERATION));
        encoding->acceleration[i] = (int)value;
    }
    node_text(encoding->calibration_mode, sizeof encoding->calibration_mode,
              node_child(parallel, "calibrationMode"));
    return ARGAND_OK;
}

argand_status scan_read_parallel(argand_encoding *encoding, scan_reader *reader, const xmlNode *encoding_node)
{
    const xmlNode *parallel = node_child(encoding_node, "parallelImaging");
    const xmlNode *inside = node_child(parallel, "multiband");
    encoding->bands = (argand_bands){.count = 1, .calibration_encoding = -1};
    TRY(read_acceleration(encoding, reader, parallel));
    TRY(read_multiband(&encoding->bands, reader, inside ? inside : node_child(encoding_node, "multiband")));
    const int asked = reader->options.bands;
    if (!asked || asked == encoding->bands.count) return ARGAND_OK;
    if (encoding->bands.count > 1)
        scan_note(reader, "The header says %d simultaneous slices; %d are taken, as asked.",
                  encoding->bands.count, asked);
    encoding->bands.count = asked;
    return ARGAND_OK;
}
