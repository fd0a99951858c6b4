// inih: the grammar of the configuration file. Only ini_parse_stream is called, with a reader of our own that hands over one
// line at a time and knows its number: Debian builds inih without line numbers for the handler (INI_HANDLER_LINENO), and its
// switches at run time (ini_max_line and others) are Debian's own patch.
#pragma once

#include <ini.h>
