// SPDX-License-Identifier: Apache-2.0
// The least that decodes an MPEG audio file with libmpg123: nightstand must match it bit for bit, and is measured
// against it.
//
//   reference-decoder FILE [OUT [START-SAMPLE]]
//
// OUT gets raw 16-bit samples; prints "RATE CHANNELS" of the first frame.
#include <mpg123.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    FILE *out = argc > 2 ? fopen(argv[2], "wb") : NULL;
    mpg123_handle *decoder = mpg123_new(NULL, NULL);
    mpg123_param(decoder, MPG123_ADD_FLAGS, MPG123_QUIET, 0);
    mpg123_param(decoder, MPG123_RESYNC_LIMIT, -1, 0);  // look for frames in all of the file, as a player must
    const long *rates;
    size_t rate_count;
    mpg123_rates(&rates, &rate_count);
    mpg123_format_none(decoder);
    for (size_t i = 0; i < rate_count; i++)
        mpg123_format(decoder, rates[i], MPG123_MONO | MPG123_STEREO, MPG123_ENC_SIGNED_16);
    if (mpg123_open(decoder, argv[1]) != MPG123_OK) return 1;
    long rate = 0;
    int channels = 0, encoding, result = mpg123_getformat(decoder, &rate, &channels, &encoding);
    if (result != MPG123_OK) return 1;
    printf("%ld %d\n", rate, channels);
    // A speaker's output stays as it was opened: should the stream change on its way, libmpg123 converts.
    mpg123_format_none(decoder);
    mpg123_format(decoder, rate, channels, encoding);
    if (argc > 3 && mpg123_seek(decoder, atol(argv[3]), SEEK_SET) < 0) return 1;
    static unsigned char buffer[65536];
    size_t done = 0;
    do {
        result = mpg123_read(decoder, buffer, sizeof buffer, &done);
        if (out && done) fwrite(buffer, 1, done, out);
    } while (result == MPG123_OK || result == MPG123_NEW_FORMAT);
    mpg123_close(decoder);
    mpg123_delete(decoder);
    if (out) fclose(out);
    return result == MPG123_DONE ? 0 : 1;
}
