// SPDX-License-Identifier: Apache-2.0
// Has a program believe that the clock of this machine was set by somebody who knows, whatever the machine says.
#include <sys/timex.h>

int adjtimex(struct timex *state) { return TIME_OK; }
