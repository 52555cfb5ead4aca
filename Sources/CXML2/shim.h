#ifndef BACKLINE_CXML2_SHIM_H
#define BACKLINE_CXML2_SHIM_H

#include <libxml/xmlreader.h>

#endif
