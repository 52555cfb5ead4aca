#ifndef BACKLINE_CPNG_SHIM_H
#define BACKLINE_CPNG_SHIM_H

#include <png.h>

#endif
