"""Files of pictures as people upload them, and damaged ones, made with the libraries that picture-helper has."""

import ctypes
import ctypes.util
import random
import struct
import zlib
from dataclasses import dataclass

from .processes import BenchmarkError

# Of libjpeg-turbo's turbojpeg.h.
TJPF_RGB, TJSAMP_420, TJFLAG_PROGRESSIVE = 0, 2, 16_384
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class PictureFile:
    media_type: str
    content: bytes


def files(width: int, height: int) -> list[PictureFile]:
    """The same picture in every format."""
    pixels = scene(width, height)
    return [
        PictureFile("image/jpeg", jpeg(pixels, width, height, 0)),
        PictureFile("image/jpeg", jpeg(pixels, width, height, TJFLAG_PROGRESSIVE)),
        PictureFile("image/png", png(pixels, width, height)),
        PictureFile("image/webp", webp(pixels, width, height, is_lossless=False)),
        PictureFile("image/webp", webp(pixels, width, height, is_lossless=True)),
    ]


def scene(width: int, height: int) -> bytes:
    """Rows of three bytes for each pixel: something that changes everywhere, as a photo does."""
    chance = random.Random(width * height)
    noise = bytes(chance.randrange(24) for _ in range(3 * width))
    rows = []
    for y in range(height):
        row = bytes((x * 255 // width + y * 255 // height) // 2 & 0xF8 for x in range(width) for _ in range(3)) \
            if y % 16 == 0 else rows[-1]
        rows.append(bytes(a ^ b for a, b in zip(row, noise)) if y % 16 == 8 else row)
    return b"".join(rows)


def library(name: str) -> ctypes.CDLL:
    found = ctypes.util.find_library(name)
    if found is None:
        raise BenchmarkError(f"the library {name} is missing, which picture-helper needs as well")
    return ctypes.CDLL(found)


def jpeg(pixels: bytes, width: int, height: int, flags: int) -> bytes:
    turbo = library("turbojpeg")
    turbo.tjInitCompress.restype = ctypes.c_void_p
    handle = ctypes.c_void_p(turbo.tjInitCompress())
    result, size = ctypes.POINTER(ctypes.c_ubyte)(), ctypes.c_ulong(0)
    failed = turbo.tjCompress2(
        handle, pixels, width, 0, height, TJPF_RGB, ctypes.byref(result), ctypes.byref(size), TJSAMP_420, 85, flags)
    if failed:
        raise BenchmarkError("libturbojpeg made no JPEG")
    try:
        return ctypes.string_at(result, size.value)
    finally:
        turbo.tjFree(result)
        turbo.tjDestroy(handle)


def webp(pixels: bytes, width: int, height: int, is_lossless: bool) -> bytes:
    encoder = library("webp")
    result = ctypes.POINTER(ctypes.c_ubyte)()
    common = (pixels, width, height, 3 * width)
    if is_lossless:
        encode = encoder.WebPEncodeLosslessRGB
        encode.restype = ctypes.c_size_t
        size = encode(*common, ctypes.byref(result))
    else:
        encode = encoder.WebPEncodeRGB
        encode.restype = ctypes.c_size_t
        size = encode(*common, ctypes.c_float(80), ctypes.byref(result))
    if size == 0:
        raise BenchmarkError("libwebp made no WebP")
    try:
        return ctypes.string_at(result, size)
    finally:
        encoder.WebPFree(result)


def png(pixels: bytes, width: int, height: int) -> bytes:
    rows = b"".join(b"\0" + pixels[3 * width * y:3 * width * (y + 1)] for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return PNG_SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def damaged(file: PictureFile, chance: random.Random) -> PictureFile:
    """The file with a few changes: bytes, blocks, an end that is missing. Half of the PNGs have checksums that fit."""
    content = bytearray(file.content)
    for _ in range(chance.randint(1, 4)):
        # Most that matters is at the beginning.
        place = min(chance.randrange(len(content)), chance.choice((64, 1_024, len(content))) - 1)
        length = min(chance.choice((1, 1, 2, 4, 64)), len(content) - place)
        match chance.randrange(6):
            case 0:
                content[place] ^= 1 << chance.randrange(8)
            case 1:
                content[place:place + length] = chance.randbytes(length)
            case 2:
                content[place:place + length] = bytes([chance.choice((0x00, 0x7F, 0xFF))]) * length
            case 3:
                content[place:place] = content[place:place + length]
            case 4:
                del content[place:place + length]
            case 5 if len(content) > 100 and chance.random() < 0.2:
                del content[chance.randrange(50, len(content)):]
        if not content:
            content = bytearray(file.content)
    if file.media_type == "image/png" and chance.random() < 0.5:
        content = correct_checksums(content)
    return PictureFile(file.media_type, bytes(content))


def correct_checksums(content: bytearray) -> bytearray:
    """Of the chunks that can still be found."""
    place = len(PNG_SIGNATURE)
    while place + 12 <= len(content):
        length, = struct.unpack_from(">I", content, place)
        end = place + 8 + length
        if end + 4 > len(content):
            break
        struct.pack_into(">I", content, end, zlib.crc32(content[place + 4:end]))
        place = end + 4
    return content
