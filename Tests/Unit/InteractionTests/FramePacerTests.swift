// SPDX-License-Identifier: Apache-2.0
import Interaction
import Testing

@Suite struct PacingOfFrames {
    @Test func atMostOneInAnInterval() {
        var pacer = FramePacer(framesPerSecond: 50)
        #expect(pacer.decide(wanted: 1_000_000, isPanelBusy: false, now: 1_000_000) == .now)
        pacer.drew(at: 1_000_000)
        #expect(pacer.decide(wanted: 1_000_000, isPanelBusy: false, now: 1_001_000) == .at(1_020_000))
        #expect(pacer.decide(wanted: 1_500_000, isPanelBusy: false, now: 1_001_000) == .at(1_500_000))
        #expect(pacer.decide(wanted: nil, isPanelBusy: false, now: 1_001_000) == .never)
    }

    @Test func thoseThatAreLateAreDroppedAndNotQueued() {
        var pacer = FramePacer(framesPerSecond: 50)
        pacer.drew(at: 1_000_000)
        // A little late stays in step, much late begins anew.
        pacer.drew(at: 1_023_000)
        #expect(pacer.decide(wanted: 0, isPanelBusy: false, now: 1_024_000) == .at(1_040_000))
        pacer.drew(at: 1_200_000)
        #expect(pacer.decide(wanted: 0, isPanelBusy: false, now: 1_200_000) == .at(1_220_000))
    }

    @Test func aPanelThatIsBusyIsWaitedFor() {
        var pacer = FramePacer(framesPerSecond: 60)
        #expect(pacer.decide(wanted: 5, isPanelBusy: true, now: 10) == .whenShown)
        #expect(pacer.decide(wanted: 50, isPanelBusy: true, now: 10) == .at(50))
        pacer.drew(at: 10)
        #expect(pacer.decide(wanted: 5, isPanelBusy: false, now: 20_000) == .now)
    }
}
