#ifndef BACKLINE_CZIP_SHIM_H
#define BACKLINE_CZIP_SHIM_H

#include <zip.h>

#endif
