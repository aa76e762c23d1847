/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws slices side by side on black: enlarged smoothly, the brightest parts white, captions above. */
#include <argand/io.h>

#include <math.h>
#include <stdio.h>
#include "base/memory.h"
#include "io/picture/canvas.h"
#include "io/picture/resample.h"
#include "io/picture/text.h"
#include "io/arrays/transfer.h"
#include "io/picture/window.h"

enum { GOOD_SIDE = 768, LONGEST_SIDE = 1 << 15, GAP = 2 };
enum { CAPTION_GREY = 0xDCDCDC };

typedef struct montage {
    int width, height, tiles; /* size of a slice before it is enlarged; number of slices */
    int columns, rows, zoom;
    double text;               /* font size of the captions */
    int text_rows;             /* rows of the longest caption */
    int caption, caption_rows; /* pixels above each of the first caption_rows rows of tiles */
    const argand_montage_options *options;
} montage;

/* --------------------------------------------------------------- brightness */

/* Maps the window to 0 ... 255. This is done before enlarging, so that a bright spot does not ring into its
 * surroundings. */
static void scale_numbers(float *numbers, size_t count, double low, double high)
{
    const double slope = 255 / (high > low ? high - low : 1);
    for (size_t i = 0; i < count; i++) {
        const double grey = slope * ((double)numbers[i] - low);
        numbers[i] = (float)(grey > 0 ? fmin(grey, 255) : 0); /* NaN becomes black */
    }
}

/* --------------------------------------------------------------- arrangement */

/* Returns the number of columns with which the picture is nearest to a square and has few empty places. */
static int choose_columns(const montage *m)
{
    int best = 1;
    double least = INFINITY;
    for (int columns = 1; columns <= m->tiles; columns++) {
        const int rows = (m->tiles + columns - 1) / columns;
        const double shape = fabs(log((double)columns * m->width / ((double)rows * m->height)));
        const double fault = shape + (double)(rows * columns - m->tiles) / m->tiles;
        if (fault < least - 1e-9 || (fault < least + 1e-9 && columns > best)) best = columns, least = fault;
    }
    return best;
}

static int choose_zoom(const montage *m)
{
    const int longer =
        m->columns * m->width > m->rows * m->height ? m->columns * m->width : m->rows * m->height;
    const int zoom = (GOOD_SIDE + longer / 2) / longer;
    return zoom > 0 ? zoom : 1;
}

static const char *caption_of(const montage *m, int tile)
{
    const argand_montage_options *options = m->options;
    return options->captions && tile < options->caption_count && options->captions[tile]
               ? options->captions[tile]
               : "";
}

static int picture_width(const montage *m)
{
    return m->columns * (m->width * m->zoom + GAP) - GAP;
}

/* Returns how many rows of text the longest caption takes. *whole: none is cut. */
static int count_text_rows(const montage *m, double size, bool *whole)
{
    int most = 0;
    *whole = true;
    for (int tile = 0; tile < m->tiles; tile++) {
        text_block block;
        text_break(&block, caption_of(m, tile), size, m->width * m->zoom, TEXT_ROWS);
        most = block.rows > most ? block.rows : most;
        *whole &= block.whole;
    }
    return most;
}

/* Returns the largest font size, from the wanted one down to the least, at which no caption is cut or has
 * more rows. */
static double find_text_size(const montage *m, double wanted, double least, int most_rows)
{
    double size = wanted;
    bool whole;
    while ((count_text_rows(m, size, &whole) > most_rows || !whole) && text_size(size - 1) >= least &&
           text_size(size - 1) < size)
        size = text_size(size - 1);
    return size;
}

/* Chooses the font size: a 42nd of the mean of the picture's sides. If a caption is wider than its tile,
 * letters shrink to 70 %. If it is still wider, captions have up to three rows of letters as large as fit. At
 * the least size, the rest is cut. */
static void choose_captions(montage *m)
{
    for (int tile = 0; tile < m->tiles; tile++)
        if (*caption_of(m, tile)) m->caption_rows = tile / m->columns + 1;
    if (!m->caption_rows) return;
    const int width = picture_width(m), height = m->rows * (m->height * m->zoom + GAP) - GAP;
    const double wanted = text_size(fmax(11, (width + height) / 84.0));
    bool whole;
    m->text = find_text_size(m, wanted, 0.7 * wanted, 1);
    if (count_text_rows(m, m->text, &whole) > 1 || !whole) m->text = find_text_size(m, wanted, 0, TEXT_ROWS);
    m->text_rows = count_text_rows(m, m->text, &whole);
    m->caption = m->text_rows * (int)text_row_height(m->text) + (int)(m->text / 2);
}

/* Returns the upper edge of a row of tiles and its captions. */
static int row_top(const montage *m, int row)
{
    const int captioned = row < m->caption_rows ? row : m->caption_rows;
    return row * (m->height * m->zoom + GAP) + captioned * m->caption;
}

/* Finds the sides of a slice: the first two dimensions that are not 1, as in BART's {1, y, z, coil}. If there
 * are no two, the first two dimensions. */
static void find_slice(int64_t n[2], const argand_array *image)
{
    int sides = 0;
    for (int d = 0; d < argand_array_rank(image) && sides < 2; d++)
        if (argand_array_dim(image, d) > 1) n[sides++] = argand_array_dim(image, d);
    if (sides == 2) return;
    for (int d = 0; d < 2; d++) n[d] = argand_array_dim(image, d);
}

static argand_status arrange(montage *m, const argand_array *image, const argand_montage_options *options,
                             const char *path)
{
    *m = (montage){.options = options};
    CHECK(options->columns >= 0 && options->zoom >= 0 && options->caption_count >= 0, ARGAND_ARGUMENT,
          "%s: columns, zoom and caption_count must not be negative", path);
    int64_t n[2];
    find_slice(n, image);
    const int64_t nx = n[0], ny = n[1];
    const int64_t tiles = argand_array_count(image) / (nx * ny);
    CHECK(nx <= LONGEST_SIDE && ny <= LONGEST_SIDE && tiles <= LONGEST_SIDE, ARGAND_ARGUMENT,
          "%s: %lld slices of %lld x %lld are too much for one picture; choose fewer", path, (long long)tiles,
          (long long)nx, (long long)ny);
    m->width = (int)nx;
    m->height = (int)ny;
    m->tiles = (int)tiles;
    m->columns = options->columns ? options->columns : choose_columns(m);
    if (m->columns > m->tiles) m->columns = m->tiles;
    m->rows = (m->tiles + m->columns - 1) / m->columns;
    CHECK((int64_t)m->columns * (nx + GAP) <= LONGEST_SIDE && (int64_t)m->rows * (ny + GAP) <= LONGEST_SIDE &&
              options->zoom <= LONGEST_SIDE / (m->columns * (nx + GAP)) &&
              options->zoom <= LONGEST_SIDE / (m->rows * (ny + GAP)),
          ARGAND_ARGUMENT,
          "%s: the picture would have more than %d pixels a side; choose fewer slices or a smaller zoom",
          path, LONGEST_SIDE);
    m->zoom = options->zoom ? options->zoom : choose_zoom(m);
    choose_captions(m);
    return ARGAND_OK;
}

/* --------------------------------------------------------------- drawing */

/* Draws a caption in the middle above its tile, at the lower end of the space from y on. */
static argand_status draw_caption(canvas *picture, const montage *m, const char *string, int x, int y)
{
    const int width = m->width * m->zoom;
    text_block block;
    text_break(&block, string, m->text, width, TEXT_ROWS);
    double baseline = y + round(1.25 * m->text) + (m->text_rows - block.rows) * text_row_height(m->text);
    for (int row = 0; row < block.rows; row++) {
        const double indent = (width - text_width(block.row[row], m->text)) / 2;
        TRY(text_draw(picture, x + indent, baseline, m->text, CAPTION_GREY, block.row[row]));
        baseline += text_row_height(m->text);
    }
    return ARGAND_OK;
}

static argand_status draw_tile(canvas *picture, const montage *m, int tile, const float *slice, float *large)
{
    const int width = m->width * m->zoom, height = m->height * m->zoom;
    const int x = (tile % m->columns) * (width + GAP);
    const int top = row_top(m, tile / m->columns);
    const int y = top + (tile / m->columns < m->caption_rows ? m->caption : 0);
    TRY(resample_enlarge(large, slice, m->width, m->height, m->zoom, m->options->nearest));
    for (int row = 0; row < height; row++) {
        uint8_t *to = picture->pixels + (size_t)(y + row) * (size_t)picture->width + x;
        const float *from = large + (size_t)row * (size_t)width;
        for (int i = 0; i < width; i++) to[i] = (uint8_t)fminf(255, fmaxf(0, from[i] + 0.5f));
    }
    return m->caption ? draw_caption(picture, m, caption_of(m, tile), x, top) : ARGAND_OK;
}

static argand_status draw(canvas *picture, const montage *m, const float *numbers)
{
    float *large = NULL;
    const size_t slice = (size_t)m->width * (size_t)m->height;
    TRY(canvas_new(picture, picture_width(m), row_top(m, m->rows) - GAP, 1, 0));
    TRY(memory_new(&large, slice * (size_t)m->zoom, (size_t)m->zoom * sizeof *large));
    argand_status status = ARGAND_OK;
    for (int tile = 0; tile < m->tiles && status == ARGAND_OK; tile++)
        status = draw_tile(picture, m, tile, numbers + (size_t)tile * slice, large);
    memory_free(large);
    return status;
}

/* Copies the image to the host, as floats. */
static argand_status fetch(float **numbers, const argand_array *image)
{
    void *own = NULL;
    TRY(transfer_out(&own, image));
    if (!transfer_is_double(image)) return *numbers = own, ARGAND_OK;
    const size_t count = transfer_parts(image);
    const argand_status status = NEW(*numbers, count);
    for (size_t i = 0; i < count && status == ARGAND_OK; i++) (*numbers)[i] = (float)((double *)own)[i];
    memory_free(own);
    return status;
}

argand_status argand_montage_write(const char *path, const argand_array *image,
                                   const argand_montage_options *options)
{
    CHECK(path && image, ARGAND_ARGUMENT, "montage: %s",
          path ? "no image to write" : "no file name to write to");
    CHECK(!transfer_is_complex(image), ARGAND_ARGUMENT,
          "%s: the image is complex; take its magnitude (argand_array_abs) first", path);
    static const argand_montage_options automatic;
    montage m;
    float *numbers = NULL;
    canvas picture = {0};
    TRY(arrange(&m, image, options ? options : &automatic, path));
    argand_status status = fetch(&numbers, image);
    TRY_OR_DONE(status);
    const size_t count = (size_t)argand_array_count(image);
    double low = m.options->low, high = m.options->high;
    if (high == 0 && low == 0) TRY_OR_DONE(window_choose(&low, &high, numbers, count, 1));
    scale_numbers(numbers, count, low, high);
    TRY_OR_DONE(draw(&picture, &m, numbers));
    status = argand_png_write(path, picture.width, picture.height, picture.pixels, 1);
done:
    canvas_free(&picture);
    memory_free(numbers);
    return status;
}
