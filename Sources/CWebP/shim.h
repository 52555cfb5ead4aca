#ifndef BACKLINE_CWEBP_SHIM_H
#define BACKLINE_CWEBP_SHIM_H

#include <webp/decode.h>
#include <webp/encode.h>

#endif
