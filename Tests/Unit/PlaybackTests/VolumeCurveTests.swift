// SPDX-License-Identifier: Apache-2.0
import ALSA
import Foundation
import Realtime
import Testing

@testable import Playback

@Suite struct VolumeCurveTests {
    private func decibels(_ percent: Int) -> Double {
        20 * log10(Double(Player.level(percent: percent)) / Double(Envelope.unity))
    }

    @Test func everyStepIsHeard() {
        #expect(Player.level(percent: 0) == 0 && Player.level(percent: -5) == 0)
        #expect(Player.level(percent: 100) == Envelope.unity && Player.level(percent: 200) == Envelope.unity)
        #expect(abs(decibels(1) + 60) < 0.01)
        for percent in 1..<100 {
            let step = decibels(percent + 1) - decibels(percent)
            #expect(step > 0.2 && step < 1.4, "\(percent)")
            if percent < 20 { #expect(abs(step - 0.95) < 0.01, "\(percent)") }
        }
        // As it was above.
        for percent in 20...100 {
            let cubic = 60 * log10(Double(percent) / 100)
            #expect(abs(decibels(percent) - cubic) < 0.01, "\(percent)")
        }
    }

    /// The advice for a card that refuses the samples.
    @Test func adviceOnFormats() {
        let words = "takes neither 16 nor 32 bit samples"
        #expect(PlaybackDevice.noFormat("hw:0", takesFrames: false) == words + "; try plughw: in its name")
        #expect(PlaybackDevice.noFormat("plughw:CARD=x", takesFrames: false) == words)
        for (name, card) in [
            ("plughw:CARD=vc4hdmi0,DEV=0", "CARD=vc4hdmi0"), ("hw:1,0", "CARD=1"), ("hdmi:vc4hdmi1", "CARD=vc4hdmi1"),
        ] {
            #expect(PlaybackDevice.noFormat(name, takesFrames: true).hasSuffix(": write default:" + card))
        }
        #expect(PlaybackDevice.noFormat("mine", takesFrames: true).hasSuffix("write default:CARD="))
    }
}
