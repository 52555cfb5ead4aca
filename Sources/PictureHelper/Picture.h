#ifndef BACKLINE_PICTURE_H
#define BACKLINE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the program ends: its exit status (docs/pictures.md). */
enum outcome {
    WRITTEN = 0,
    /* The bytes are in no format that is known here. */
    NOT_A_PICTURE = 2,
    /* A picture in a format that is not read, such as HEIC or GIF, or an animation. */
    UNSUPPORTED = 3,
    TOO_MANY_PIXELS = 4,
    /* The file is cut off, or its content contradicts its format. */
    DAMAGED = 5,
    /* More bytes than `most_bytes`. */
    TOO_LARGE = 6,
    /* The kernel refused a part of the sandbox, so that nothing was read. */
    NO_SANDBOX = 7,
    NO_MEMORY = 8,
};

/* Of the file that is read. */
static const size_t most_bytes = 5u << 20;
/* Width times height as the header states them, before anything is decoded. */
static const uint64_t most_pixels = 20000000;
/* Of the picture that is written. */
static const uint32_t longest_side = 200;
static const size_t most_written_bytes = 40000;

struct bytes {
    const uint8_t *start;
    size_t count;
};

/* Rows from the top, without gaps; red, green, blue and alpha, which does not multiply the colors. */
struct pixels {
    uint32_t width, height;
    uint8_t *rgba;
};

/* The decoders refuse a picture by its header before they decode. They may return one that is already smaller, but
 * still larger than `longest_side`. The picture is as it is stored; its orientation is that of `orientation`. */
enum outcome decode_jpeg(struct bytes file, struct pixels *picture);
enum outcome decode_png(struct bytes file, struct pixels *picture);
enum outcome decode_webp(struct bytes file, struct pixels *picture);

/* Whether a picture of this size may be decoded. */
enum outcome check_size(uint64_t width, uint64_t height);

/* The orientation (1 to 8) in a file's Exif data; 1 where it has none. */
unsigned jpeg_orientation(struct bytes file);
unsigned png_orientation(struct bytes file);
unsigned webp_orientation(struct bytes file);

/* Makes a picture no longer than `longest_side` on either side. Returns false without memory. */
bool shrink(struct pixels *picture);
/* Turns and mirrors a picture as its orientation (1 to 8) says. Returns false without memory. */
bool orient(struct pixels *picture, unsigned orientation);

/* Writes a picture as WebP, of at most `most_written_bytes`, into memory of its own. */
enum outcome encode_webp(const struct pixels *picture, struct bytes *result);

#endif
