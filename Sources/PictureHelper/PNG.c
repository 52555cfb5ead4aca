#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "Picture.h"

/*
 * The library's plain interface, not its simplified one, in which most of the errors of recent years were. Of an
 * animated PNG, it reads the picture that programs without animations show.
 */

/* The library's errors and warnings would otherwise go to standard error. */
static void fail(png_structp reader, png_const_charp message) {
    (void)message;
    png_longjmp(reader, 1);
}
static void ignore(png_structp reader, png_const_charp message) {
    (void)reader;
    (void)message;
}

static void read_bytes(png_structp reader, png_bytep target, size_t count) {
    struct bytes *rest = png_get_io_ptr(reader);
    if (count > rest->count) png_error(reader, "the file is cut off");
    memcpy(target, rest->start, count);
    rest->start += count;
    rest->count -= count;
}

static uint32_t big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The first chunk has the size (w3.org/TR/png, section 11.2.1). */
static enum outcome check_header(struct bytes file) {
    if (file.count < 24 || memcmp(file.start + 12, "IHDR", 4) != 0) return DAMAGED;
    return check_size(big_endian(file.start + 16), big_endian(file.start + 20));
}

/* Asks for eight bits of red, green, blue and alpha, whatever the file has. */
static void transform(png_structp reader, png_infop info) {
    png_set_expand(reader);
    png_set_scale_16(reader);
    png_set_gray_to_rgb(reader);
    png_set_add_alpha(reader, 255, PNG_FILLER_AFTER);
    png_set_interlace_handling(reader);
    png_read_update_info(reader, info);
}

static void read_rows(png_structp reader, png_infop info, struct pixels *picture) {
    const size_t row_bytes = 4 * (size_t)picture->width;
    if (png_get_rowbytes(reader, info) != row_bytes) png_error(reader, "another form of pixels");
    /* The rows of an interlaced picture come several times. */
    const int passes = png_get_interlace_type(reader, info) == PNG_INTERLACE_NONE ? 1 : PNG_INTERLACE_ADAM7_PASSES;
    for (int pass = 0; pass < passes; pass++)
        for (uint32_t row = 0; row < picture->height; row++)
            png_read_row(reader, picture->rgba + row * row_bytes, NULL);
    /* Reads to the end: a file that is cut off after its last row is damaged as well. */
    png_read_end(reader, NULL);
}

enum outcome decode_png(struct bytes file, struct pixels *picture) {
    const enum outcome outcome = check_header(file);
    if (outcome != WRITTEN) return outcome;
    png_structp reader = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, fail, ignore);
    png_infop info = reader ? png_create_info_struct(reader) : NULL;
    if (!info) return NO_MEMORY;
    struct bytes rest = file;
    if (setjmp(png_jmpbuf(reader))) return DAMAGED;
    png_set_user_limits(reader, (png_uint_32)most_pixels, (png_uint_32)most_pixels);
    /* Skips what is no part of the picture, such as texts and profiles, which may be large when they are unpacked. */
    png_set_keep_unknown_chunks(reader, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_read_fn(reader, &rest, read_bytes);
    png_read_info(reader, info);
    picture->width = png_get_image_width(reader, info);
    picture->height = png_get_image_height(reader, info);
    picture->rgba = malloc(4 * (size_t)picture->width * picture->height);
    if (!picture->rgba) return NO_MEMORY;
    transform(reader, info);
    read_rows(reader, info, picture);
    png_destroy_read_struct(&reader, &info, NULL);
    return WRITTEN;
}
