// SPDX-License-Identifier: Apache-2.0
import Core
import Scenes
import Testing

@testable import Interaction

@Suite struct HapticsOfTouchTests {
    /// As the product's table has it.
    @Test func whatIsFelt() {
        let tap = Gesture.tap(x: 1, y: 1)
        #expect(Haptic(.none, after: tap) == nil)
        #expect(Haptic(.show(.library), after: tap) == .selection)
        #expect(Haptic(.change(.lowPower, .more), after: tap) == .selection)
        #expect(Haptic(.togglePlayback, after: tap) == .light)
        #expect(Haptic(.toggleFavourite, after: .doubleTap(x: 1, y: 1)) == .medium)
        #expect(Haptic(.menu(.favourite, "a.mp3"), after: .longPress(x: 1, y: 1)) == .heavy)
        #expect(Haptic(.seek, after: tap) == .light)
        #expect(Haptic(.seek, after: .drag(x: 1, y: 1, byX: 3, byY: 0)) == nil)
    }
}
