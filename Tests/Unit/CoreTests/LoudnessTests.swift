// SPDX-License-Identifier: Apache-2.0
import Core
import Foundation
import Testing

@Suite struct LoudnessTests {
    @Test func factors() {
        for gain in stride(from: -2400, through: 2400, by: 7) {
            let due = pow(10, Double(gain) / 2000) * 65536
            #expect(abs(Double(Loudness.factor(ofGain: gain)) - due) < 1 + due / 100_000)
        }
        #expect(Loudness.factor(ofGain: 0) == 65536)
    }

    @Test func whichGainCounts() {
        var loudness = Loudness()
        #expect(loudness.gain(.track, isRandom: false) == nil)
        loudness.measured = -3000
        #expect(loudness.gain(.track, isRandom: false) == 1200 && loudness.gain(.off, isRandom: false) == nil)
        loudness.album = -300
        #expect(loudness.gain(.track, isRandom: false) == -300)
        loudness.track = 500
        #expect(loudness.gain(.track, isRandom: false) == 500 && loudness.gain(.album, isRandom: false) == -300)
        #expect(loudness.gain(.auto, isRandom: true) == 500 && loudness.gain(.auto, isRandom: false) == -300)
        loudness.track = -5900
        #expect(loudness.gain(.track, isRandom: false) == -2400)
        loudness.track = nil
        loudness.album = nil
        loudness.measured = -6900
        #expect(loudness.gain(.album, isRandom: true) == 2400)
    }
}
