// SPDX-License-Identifier: Apache-2.0
import Interaction
import Testing

@Suite struct HowSoonATouchIsSeen {
    @Test func byTheFirstPictureAfterIt() {
        var figures = FrameFigures()
        #expect(figures.mostlyAfter == nil)
        figures.shown(at: 5)
        for round in 0..<199 {
            figures.touched(at: round * 100)
            figures.touched(at: round * 100 + 3)
            figures.shown(at: round * 100 + 9)
            figures.shown(at: round * 100 + 40)
        }
        figures.touched(at: 90_000)
        figures.shown(at: 99_000)
        #expect(figures.frames == 400)
        #expect(figures.mostlyAfter == 9)
        #expect(figures.words == "400 pictures; a touch was seen after 9000 ms at most, 99 of 100 after 9")
    }
}
