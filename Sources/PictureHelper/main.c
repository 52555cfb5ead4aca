/*
 * picture-helper: turns a picture that somebody has uploaded into a small one.
 *
 * It reads a JPEG, PNG or WebP from standard input, and writes a WebP of at most 200 x 200 pixels, turned upright and
 * without metadata, to standard output. Its exit status says why it did not (enum outcome).
 *
 * An uploaded file is hostile input, and decoders have had errors that let a file take over its reader. So this is a
 * process of its own, for one picture, which can do nothing but read, compute and write (PictureSandbox), and whoever
 * starts it checks what it writes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>
#include <unistd.h>

#include "Picture.h"
#include "PictureSandbox.h"

static int compare(const void *one, const void *other) {
    return *(const char *)one - *(const char *)other;
}

/* What the libraries ask the system for once, when they first need it, they must ask before the sandbox. */
static void prepare_libraries(void) {
    /* libjpeg-turbo looks at the processor when it first compresses and decompresses, on ARM in a file. */
    static const uint8_t pixels[16 * 16 * 3];
    uint8_t decoded[sizeof pixels];
    unsigned char *jpeg = NULL;
    unsigned long count = 0;
    tjhandle compressor = tjInitCompress(), decompressor = tjInitDecompress();
    if (compressor && decompressor
        && tjCompress2(compressor, pixels, 16, 0, 16, TJPF_RGB, &jpeg, &count, TJSAMP_420, 80, 0) == 0)
        tjDecompress2(decompressor, jpeg, count, decoded, 16, 0, 16, TJPF_RGB, 0);
    tjFree(jpeg);
    if (compressor) tjDestroy(compressor);
    if (decompressor) tjDestroy(decompressor);
    /* qsort(), which libwebp uses for palettes, looks how much memory the machine has. */
    static char sorted[4096];
    qsort(sorted, sizeof sorted, 1, compare);
}

/* One byte more than is allowed tells that there are too many. */
static enum outcome read_input(struct bytes *file) {
    uint8_t *buffer = malloc(most_bytes + 1);
    if (!buffer) return NO_MEMORY;
    size_t count = 0;
    while (count <= most_bytes) {
        ssize_t found = read(STDIN_FILENO, buffer + count, most_bytes + 1 - count);
        if (found < 0 && errno == EINTR) continue;
        if (found < 0) return DAMAGED;
        if (found == 0) break;
        count += (size_t)found;
    }
    if (count > most_bytes) return TOO_LARGE;
    *file = (struct bytes){buffer, count};
    return WRITTEN;
}

static enum outcome write_output(struct bytes file) {
    for (size_t done = 0; done < file.count;) {
        ssize_t count = write(STDOUT_FILENO, file.start + done, file.count - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return DAMAGED;
        done += (size_t)count;
    }
    return WRITTEN;
}

static bool begins(struct bytes file, size_t offset, const char *text, size_t count) {
    return file.count >= offset + count && memcmp(file.start + offset, text, count) == 0;
}
#define BEGINS(file, offset, text) begins(file, offset, text, sizeof text - 1)

enum outcome check_size(uint64_t width, uint64_t height) {
    if (width == 0 || height == 0) return DAMAGED;
    return height > most_pixels || width > most_pixels / height ? TOO_MANY_PIXELS : WRITTEN;
}

/* The first bytes decide, whatever a name or a media type says. */
static enum outcome decode(struct bytes file, struct pixels *picture, unsigned *orientation) {
    if (BEGINS(file, 0, "\xff\xd8\xff")) {
        *orientation = jpeg_orientation(file);
        return decode_jpeg(file, picture);
    }
    if (BEGINS(file, 0, "\x89PNG\r\n\x1a\n")) {
        *orientation = png_orientation(file);
        return decode_png(file, picture);
    }
    if (BEGINS(file, 0, "RIFF") && BEGINS(file, 8, "WEBP")) {
        *orientation = webp_orientation(file);
        return decode_webp(file, picture);
    }
    /* HEIC and AVIF, GIF, TIFF, BMP, JPEG XL and JPEG 2000, Windows icons, Photoshop. */
    const bool is_known = BEGINS(file, 4, "ftyp") || BEGINS(file, 0, "GIF8") || BEGINS(file, 0, "II*\0")
        || BEGINS(file, 0, "MM\0*") || BEGINS(file, 0, "BM") || BEGINS(file, 0, "\xff\x0a")
        || BEGINS(file, 4, "JXL ") || BEGINS(file, 4, "jP  ") || BEGINS(file, 0, "\0\0\1\0")
        || BEGINS(file, 0, "8BPS");
    return is_known ? UNSUPPORTED : NOT_A_PICTURE;
}

static enum outcome convert(void) {
    struct bytes file, result;
    struct pixels picture = {0};
    unsigned orientation = 1;
    enum outcome outcome = read_input(&file);
    if (outcome == WRITTEN) outcome = decode(file, &picture, &orientation);
    if (outcome != WRITTEN) return outcome;
    if (!shrink(&picture) || !orient(&picture, orientation)) return NO_MEMORY;
    outcome = encode_webp(&picture, &result);
    return outcome == WRITTEN ? write_output(result) : outcome;
}

int main(void) {
    prepare_libraries();
    const char *refused = enter_picture_sandbox();
    if (refused) {
        fprintf(stderr, "picture-helper: the kernel refused %s, so no picture is read: %m\n", refused);
        return NO_SANDBOX;
    }
    /* Neither memory nor buffers of standard output are left for exit() to look after. */
    _exit(convert());
}
