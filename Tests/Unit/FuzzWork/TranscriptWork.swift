// SPDX-License-Identifier: Apache-2.0
import Model

@testable import Transcript

extension FuzzWork {
    static func transcript(_ bytes: [UInt8], _ broken: Broken) {
        for duration in [nil, 0, 60_000, Int.max] {
            check(
                try? Transcript.parse(
                    synchronisedLyricsFrame: bytes, millisecondsPerFrame: 26, durationMilliseconds: duration), broken)
            check(try? Transcript.parse(unsynchronisedLyricsFrame: bytes, durationMilliseconds: duration), broken)
            for format in [nil] + TranscriptFormat.allCases.map(Optional.init) {
                check(try? Transcript.parse(bytes, format: format, durationMilliseconds: duration), broken)
            }
        }
    }

    private static func check(_ transcript: Transcript?, _ broken: Broken) {
        guard let transcript else { return }
        var lastEnd = 0
        for segment in transcript {
            if segment.startMilliseconds < lastEnd || segment.startMilliseconds >= segment.endMilliseconds
                || segment.endMilliseconds > 1_800_000_000 || segment.text.isEmpty
            {
                return broken("segments follow one another")
            }
            lastEnd = segment.endMilliseconds
        }
        for time in [0, 1, lastEnd, Int.max, Int.min] {
            _ = (transcript.index(at: time), transcript.nextStart(after: time), transcript.lastIndex(startingBy: time))
            _ = transcript.neighbours(at: time, count: 3)
        }
    }
}
