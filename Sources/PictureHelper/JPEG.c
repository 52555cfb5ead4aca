#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

#include "Picture.h"

/*
 * The smallest size in which libjpeg-turbo can decode the picture, by eighths, and which is at least twice as large as
 * the result: what is decoded small costs little memory and time, and twice leaves enough to average.
 */
static tjscalingfactor factor_for(int width, int height) {
    int count = 0;
    const tjscalingfactor *factors = tjGetScalingFactors(&count);
    tjscalingfactor best = {1, 1};
    for (int index = 0; index < count; index++) {
        const tjscalingfactor factor = factors[index];
        const int longer = TJSCALED(width > height ? width : height, factor);
        if (factor.num <= factor.denom && longer >= 2 * (int)longest_side
            && factor.num * best.denom < best.num * factor.denom)
            best = factor;
    }
    return best;
}

/* Colors of print, inverted as Adobe's programs write them, and all others do as well. */
static void convert_cmyk(uint8_t *pixels, size_t count) {
    for (uint8_t *pixel = pixels; pixel < pixels + 4 * count; pixel += 4) {
        const unsigned key = pixel[3];
        for (int color = 0; color < 3; color++) pixel[color] = (uint8_t)((pixel[color] * key + 127) / 255);
        pixel[3] = 255;
    }
}

/*
 * Whether a message of the library is a warning about a picture that is whole, as some cameras and programs write
 * them. The library keeps the message of its first warning, or of the error that ended it.
 */
static bool is_harmless(const char *message) {
    static const char *const warnings[] = {
        "extraneous bytes before marker", "Invalid SOS parameters for sequential JPEG",
        "Unknown Adobe color transform code", "unknown JFIF revision number",
    };
    for (size_t index = 0; index < sizeof warnings / sizeof *warnings; index++)
        if (strstr(message, warnings[index])) return true;
    return false;
}

static enum outcome decompress(tjhandle decoder, struct bytes file, struct pixels *picture) {
    int width = 0, height = 0, sampling = 0, colors = -1;
    /* It also fails for uncommon ratios of colors to brightness, which it nevertheless decodes. */
    if (tjDecompressHeader3(decoder, file.start, file.count, &width, &height, &sampling, &colors) != 0
        && (width <= 0 || height <= 0 || colors < 0))
        return DAMAGED;
    const enum outcome outcome = check_size((uint64_t)width, (uint64_t)height);
    if (outcome != WRITTEN) return outcome;
    const tjscalingfactor factor = factor_for(width, height);
    picture->width = (uint32_t)TJSCALED(width, factor);
    picture->height = (uint32_t)TJSCALED(height, factor);
    const size_t count = (size_t)picture->width * picture->height;
    picture->rgba = malloc(4 * count);
    if (!picture->rgba) return NO_MEMORY;
    const bool is_cmyk = colors == TJCS_CMYK || colors == TJCS_YCCK;
    /* A picture in many scans would be decoded as often. */
    const int result = tjDecompress2(
        decoder, file.start, file.count, picture->rgba, (int)picture->width, 0, (int)picture->height,
        is_cmyk ? TJPF_CMYK : TJPF_RGBA, TJFLAG_LIMITSCANS);
    if (result != 0 && !is_harmless(tjGetErrorStr2(decoder))) return DAMAGED;
    if (is_cmyk) convert_cmyk(picture->rgba, count);
    return WRITTEN;
}

enum outcome decode_jpeg(struct bytes file, struct pixels *picture) {
    tjhandle decoder = tjInitDecompress();
    if (!decoder) return NO_MEMORY;
    const enum outcome outcome = decompress(decoder, file, picture);
    tjDestroy(decoder);
    return outcome;
}
