// SPDX-License-Identifier: Apache-2.0
// Makes a program believe that this machine's clock was set, against the machine's own answer.
#include <sys/timex.h>

int adjtimex(struct timex *state) { return TIME_OK; }
