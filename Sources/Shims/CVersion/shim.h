// SPDX-License-Identifier: Apache-2.0
// The version of the program, as board/build.d/version prints it. It is in a C file, so that a new commit compiles one line and links.
#pragma once

const char *_Nonnull ns_version(void);
