#ifndef BACKLINE_CTURBOJPEG_SHIM_H
#define BACKLINE_CTURBOJPEG_SHIM_H

#include <turbojpeg.h>

#endif
