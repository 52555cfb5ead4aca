#ifndef BACKLINE_CXML2_SHIM_H
#define BACKLINE_CXML2_SHIM_H

#include <libxml/xmlversion.h>
/* Debian's libxml2 converts with ICU, whose headers clash with those of Foundation's ICU. Only the layout of encoding
   handlers depends on it, which nobody here looks into. */
#undef LIBXML_ICU_ENABLED
#include <libxml/xmlreader.h>

#endif
