// SPDX-License-Identifier: Apache-2.0
/* Raw mono samples of 16 bits through libsonic, with which the speaker's own change of speed is compared.
   sonic-speed RATE SPEED <in >out; speed 1 copies. */
#include <sonic.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words) {
    static short piece[1152], out[65536];
    if (count != 3) return 2;
    double speed = atof(words[2]);
    sonicStream stream = sonicCreateStream(atoi(words[1]), 1);
    sonicSetSpeed(stream, (float)speed);
    for (;;) {
        size_t frames = fread(piece, 2, 1152, stdin);
        if (speed == 1) {
            if (frames == 0) break;
            fwrite(piece, 2, frames, stdout);
            continue;
        }
        if (frames == 0) sonicFlushStream(stream);
        else sonicWriteShortToStream(stream, piece, (int)frames);
        for (int got; (got = sonicReadShortFromStream(stream, out, 65536)) > 0;) fwrite(out, 2, (size_t)got, stdout);
        if (frames == 0) break;
    }
    sonicDestroyStream(stream);
    return fflush(stdout) == 0 ? 0 : 1;
}
