// SPDX-License-Identifier: Apache-2.0
// The version of the program, as board/build.d/version prints it. A C file has it, so that a new commit compiles one line and links.
#pragma once

const char *_Nonnull ns_version(void);
