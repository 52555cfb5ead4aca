#include <string.h>

#include "Picture.h"

/*
 * Where each format has its Exif data, and the one value of it that is needed. What is not as the formats say it is
 * counts as no orientation: the decoders judge the file.
 */

static uint32_t big_endian(const uint8_t *bytes, int count) {
    uint32_t value = 0;
    for (int index = 0; index < count; index++) value = value << 8 | bytes[index];
    return value;
}

static uint32_t little_endian(const uint8_t *bytes, int count) {
    uint32_t value = 0;
    for (int index = count; index-- > 0;) value = value << 8 | bytes[index];
    return value;
}

static struct bytes part(struct bytes whole, size_t offset, size_t count) {
    if (offset > whole.count) offset = whole.count;
    if (count > whole.count - offset) count = whole.count - offset;
    return (struct bytes){whole.start + offset, count};
}

/* The tag Orientation of the first directory (TIFF 6.0, section 2; Exif 2.32, section 4.6.4). */
static unsigned orientation(struct bytes exif) {
    static const char prefix[] = "Exif\0";
    if (exif.count >= sizeof prefix && memcmp(exif.start, prefix, sizeof prefix) == 0)
        exif = part(exif, sizeof prefix, exif.count);
    if (exif.count < 8) return 1;
    const bool is_big = memcmp(exif.start, "MM\0*", 4) == 0;
    if (!is_big && memcmp(exif.start, "II*\0", 4) != 0) return 1;
    uint32_t (*const number)(const uint8_t *, int) = is_big ? big_endian : little_endian;
    struct bytes entries = part(exif, number(exif.start + 4, 4), exif.count);
    if (entries.count < 2) return 1;
    uint32_t count = number(entries.start, 2);
    entries = part(entries, 2, entries.count);
    for (; count > 0 && entries.count >= 12; count--, entries = part(entries, 12, entries.count)) {
        if (number(entries.start, 2) != 0x0112) continue;
        const uint32_t value = number(entries.start + 8, 2);
        const bool is_short = number(entries.start + 2, 2) == 3;
        return is_short && value >= 1 && value <= 8 ? value : 1;
    }
    return 1;
}

/* The segment APP1 that begins with "Exif", before the first scan (Exif 2.32, section 4.7.2). */
unsigned jpeg_orientation(struct bytes file) {
    struct bytes rest = part(file, 2, file.count);
    while (rest.count >= 4 && rest.start[0] == 0xff) {
        const uint8_t marker = rest.start[1];
        if (marker == 0xff) {
            /* A fill byte before the marker. */
            rest = part(rest, 1, rest.count);
            continue;
        }
        const size_t count = big_endian(rest.start + 2, 2);
        if (marker == 0xda || count < 2) break;
        const struct bytes content = part(rest, 4, count - 2);
        if (marker == 0xe1 && content.count >= 6 && memcmp(content.start, "Exif\0", 6) == 0)
            return orientation(content);
        rest = part(rest, 2 + count, rest.count);
    }
    return 1;
}

/* The chunk eXIf (w3.org/TR/png, section 11.3.4.5), anywhere before the end. */
unsigned png_orientation(struct bytes file) {
    struct bytes rest = part(file, 8, file.count);
    while (rest.count >= 12) {
        const size_t count = big_endian(rest.start, 4);
        if (memcmp(rest.start + 4, "eXIf", 4) == 0) return orientation(part(rest, 8, count));
        rest = part(rest, 12 + count, rest.count);
    }
    return 1;
}

/* The chunk EXIF (RFC 9649, section 2.7.1.5), after the picture. A chunk of odd size has a byte of padding. */
unsigned webp_orientation(struct bytes file) {
    struct bytes rest = part(file, 12, file.count);
    while (rest.count >= 8) {
        const size_t count = little_endian(rest.start + 4, 4);
        if (memcmp(rest.start, "EXIF", 4) == 0) return orientation(part(rest, 8, count));
        rest = part(rest, 8 + count + (count & 1), rest.count);
    }
    return 1;
}
