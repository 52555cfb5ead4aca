#include <stdlib.h>

#include "Picture.h"

/* MARK: Making smaller */

/* The length of a side, of at least one pixel, when the longer one becomes `longest_side`. */
static uint32_t scaled(uint32_t side, uint32_t longer) {
    const uint32_t result = (uint32_t)(((uint64_t)side * longest_side + longer / 2) / longer);
    return result > 0 ? result : 1;
}

/*
 * Where a pixel of the source lies among the cells of the target, whose width is `count` parts: so each pixel has as
 * many parts as there are cells, and lies in one cell or two, as cells are not narrower than pixels.
 */
struct position {
    uint32_t cell;
    /* The parts of the pixel in `cell`; the others are in the next one. */
    uint32_t first, second;
};

/* Parts of the current cell that are left before the pixel; a pixel has `parts`, a cell `cell_parts`. */
static struct position advance(uint32_t *cell, uint64_t *left, uint32_t parts, uint32_t cell_parts) {
    struct position position = {*cell, parts, 0};
    if (*left < parts) {
        position.first = (uint32_t)*left;
        position.second = parts - position.first;
    }
    *left -= position.first;
    if (*left == 0) {
        (*cell)++;
        *left = cell_parts - position.second;
    }
    return position;
}

static void add(double *cell, const double *color, double weight) {
    for (int index = 0; index < 4; index++) cell[index] += color[index] * weight;
}

/* Averages a row of pixels over the cells of a row. Colors are multiplied by their alpha, so that transparent pixels
 * have no color. */
static void average_row(const uint8_t *source, uint32_t source_width, double *cells, uint32_t width) {
    uint32_t cell = 0;
    uint64_t left = source_width;
    for (uint32_t index = 0; index < 4 * width; index++) cells[index] = 0;
    for (uint32_t x = 0; x < source_width; x++, source += 4) {
        const double alpha = source[3];
        const double color[4] = {source[0] * alpha, source[1] * alpha, source[2] * alpha, alpha};
        const struct position position = advance(&cell, &left, width, source_width);
        add(cells + 4 * position.cell, color, (double)position.first);
        if (position.second > 0) add(cells + 4 * (position.cell + 1), color, (double)position.second);
    }
}

static uint8_t rounded(double value) {
    return value >= 255 ? 255 : value <= 0 ? 0 : (uint8_t)(value + 0.5);
}

static void write_pixel(uint8_t *target, const double *sums, double area) {
    const double alpha = sums[3];
    for (int color = 0; color < 3; color++) target[color] = alpha > 0 ? rounded(sums[color] / alpha) : 0;
    target[3] = rounded(alpha / area);
}

bool shrink(struct pixels *picture) {
    const uint32_t longer = picture->width > picture->height ? picture->width : picture->height;
    if (longer <= longest_side) return true;
    const uint32_t width = scaled(picture->width, longer), height = scaled(picture->height, longer);
    const size_t count = (size_t)width * height;
    /* Sums of colors times alpha, and of alpha; and those of one row. */
    double *sums = calloc(4 * count, sizeof *sums), *row = malloc(4 * width * sizeof *row);
    uint8_t *result = malloc(4 * count);
    if (!sums || !row || !result) return false;
    uint32_t cell = 0;
    uint64_t left = picture->height;
    for (uint32_t y = 0; y < picture->height; y++) {
        average_row(picture->rgba + 4 * (size_t)y * picture->width, picture->width, row, width);
        const struct position position = advance(&cell, &left, height, picture->height);
        double *target = sums + 4 * (size_t)position.cell * width;
        for (uint32_t x = 0; x < 4 * width; x++) target[x] += row[x] * (double)position.first;
        if (position.second == 0) continue;
        target += 4 * width;
        for (uint32_t x = 0; x < 4 * width; x++) target[x] += row[x] * (double)position.second;
    }
    const double area = (double)picture->width * (double)picture->height;
    for (size_t index = 0; index < count; index++) write_pixel(result + 4 * index, sums + 4 * index, area);
    free(sums);
    free(row);
    free(picture->rgba);
    *picture = (struct pixels){width, height, result};
    return true;
}

/* MARK: Turning upright */

bool orient(struct pixels *picture, unsigned orientation) {
    if (orientation <= 1 || orientation > 8) return true;
    const uint32_t width = picture->width, height = picture->height;
    const bool is_turned = orientation >= 5;
    const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool from_bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    struct pixels result = {is_turned ? height : width, is_turned ? width : height, NULL};
    result.rgba = malloc(4 * (size_t)width * height);
    if (!result.rgba) return false;
    uint8_t *target = result.rgba;
    for (uint32_t y = 0; y < result.height; y++)
        for (uint32_t x = 0; x < result.width; x++, target += 4) {
            uint32_t column = is_turned ? y : x, row = is_turned ? x : y;
            if (from_right) column = width - 1 - column;
            if (from_bottom) row = height - 1 - row;
            const uint8_t *source = picture->rgba + 4 * ((size_t)row * width + column);
            for (int part = 0; part < 4; part++) target[part] = source[part];
        }
    free(picture->rgba);
    *picture = result;
    return true;
}
