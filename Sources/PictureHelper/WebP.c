#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/encode.h>

#include "Picture.h"

/* MARK: Decoding */

static enum outcome refusal(VP8StatusCode status) {
    switch (status) {
    case VP8_STATUS_OK: return WRITTEN;
    case VP8_STATUS_OUT_OF_MEMORY: return NO_MEMORY;
    case VP8_STATUS_UNSUPPORTED_FEATURE: return UNSUPPORTED;
    default: return DAMAGED;
    }
}

/* The library itself makes the picture smaller while it decodes, by averaging, as `shrink` does. */
static void scale_while_decoding(WebPDecoderConfig *configuration, struct pixels *picture) {
    const uint32_t longer = picture->width > picture->height ? picture->width : picture->height;
    if (longer <= longest_side) return;
    const uint64_t limit = longest_side;
    picture->width = (uint32_t)((picture->width * limit + longer / 2) / longer);
    picture->height = (uint32_t)((picture->height * limit + longer / 2) / longer);
    if (picture->width == 0) picture->width = 1;
    if (picture->height == 0) picture->height = 1;
    configuration->options.use_scaling = 1;
    configuration->options.scaled_width = (int)picture->width;
    configuration->options.scaled_height = (int)picture->height;
}

enum outcome decode_webp(struct bytes file, struct pixels *picture) {
    WebPDecoderConfig configuration;
    if (!WebPInitDecoderConfig(&configuration)) return NO_MEMORY;
    enum outcome outcome = refusal(WebPGetFeatures(file.start, file.count, &configuration.input));
    if (outcome != WRITTEN) return outcome;
    const int width = configuration.input.width, height = configuration.input.height;
    if (width < 0 || height < 0) return DAMAGED;
    outcome = check_size((uint64_t)width, (uint64_t)height);
    if (outcome != WRITTEN) return outcome;
    if (configuration.input.has_animation) return UNSUPPORTED;
    picture->width = (uint32_t)width;
    picture->height = (uint32_t)height;
    scale_while_decoding(&configuration, picture);
    const size_t row_bytes = 4 * (size_t)picture->width, count = row_bytes * picture->height;
    picture->rgba = malloc(count);
    if (!picture->rgba) return NO_MEMORY;
    configuration.output.colorspace = MODE_RGBA;
    configuration.output.is_external_memory = 1;
    configuration.output.u.RGBA =
        (WebPRGBABuffer){.rgba = picture->rgba, .stride = (int)row_bytes, .size = count};
    outcome = refusal(WebPDecode(file.start, file.count, &configuration));
    WebPFreeDecBuffer(&configuration.output);
    return outcome;
}

/* MARK: Encoding */

static enum outcome encode(const struct pixels *pixels, float quality, int alpha_quality, struct bytes *result) {
    WebPConfig configuration;
    WebPPicture picture;
    if (!WebPConfigPreset(&configuration, WEBP_PRESET_PHOTO, quality) || !WebPPictureInit(&picture)) return NO_MEMORY;
    configuration.alpha_quality = alpha_quality;
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    picture.width = (int)pixels->width;
    picture.height = (int)pixels->height;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    const bool is_encoded = WebPPictureImportRGBA(&picture, pixels->rgba, (int)(4 * pixels->width))
        && WebPEncode(&configuration, &picture);
    WebPPictureFree(&picture);
    *result = (struct bytes){writer.mem, writer.size};
    if (is_encoded) return WRITTEN;
    WebPMemoryWriterClear(&writer);
    return NO_MEMORY;
}

enum outcome encode_webp(const struct pixels *picture, struct bytes *result) {
    /* A photo has some 8 kB. Only noise, mainly in the alpha channel, needs another attempt. */
    static const int qualities[] = {80, 60, 40, 20, 0};
    for (size_t index = 0; index < sizeof qualities / sizeof *qualities; index++) {
        const int quality = qualities[index];
        const enum outcome outcome = encode(picture, (float)quality, index == 0 ? 100 : quality, result);
        if (outcome != WRITTEN || result->count <= most_written_bytes) return outcome;
        WebPFree((void *)result->start);
    }
    /* Not even noise in every channel comes here. */
    return DAMAGED;
}
