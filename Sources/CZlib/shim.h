#ifndef BACKLINE_CZLIB_SHIM_H
#define BACKLINE_CZLIB_SHIM_H

#include <zlib.h>

/* deflateInit2 is a macro, which Swift cannot call. */

/* The most bytes that czlib_gzip writes: what the zlib format needs, and the longer header and end of gzip (RFC 1952). */
static inline unsigned long czlib_gzip_bound(unsigned long count) {
    return compressBound(count) + 12;
}

/* Writes all of `source` as one gzip member; returns its length, or -1 when memory or `capacity` do not suffice. */
static inline long czlib_gzip(
    const unsigned char *source, unsigned int count, unsigned char *target, unsigned int capacity) {
    z_stream stream = {0};
    /* 16 more than the largest window asks for gzip (zlib.h). */
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) return -1;
    stream.next_in = (unsigned char *)source;
    stream.avail_in = count;
    stream.next_out = target;
    stream.avail_out = capacity;
    int status = deflate(&stream, Z_FINISH);
    long length = (long)stream.total_out;
    deflateEnd(&stream);
    return status == Z_STREAM_END ? length : -1;
}

#endif
