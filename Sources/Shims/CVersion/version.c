// SPDX-License-Identifier: Apache-2.0
#include "shim.h"

// board/build defines it. An ordinary `swift build` has no version.
#ifndef NIGHTSTAND_VERSION
#define NIGHTSTAND_VERSION "unknown"
#endif

const char *ns_version(void) { return NIGHTSTAND_VERSION; }
