// SPDX-License-Identifier: Apache-2.0
import Posix
import TestSupport
import Testing

@testable import Display

@Suite("The cells on the glass") struct CharacterGlassTests {
    private let surface = MockGlass(rom: .a00)
    private let glass: CharacterGlass
    private let start = MonotonicTime.milliseconds(1_000_000)

    init() { glass = CharacterGlass(columns: 8, rows: 1, surface: surface) }

    private func cells(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func onlyWhatChangesIsDrawn() {
        #expect(glass.draw(cells("ABCDEFGH"), at: start) == nil && surface.cellsWritten == 8)
        #expect(glass.draw(cells("ABXDEFGY"), at: start) == nil && surface.cellsWritten == 10)
        #expect(glass.draw(cells("ABXDEFGY"), at: start) == nil && surface.frames == 2)
        #expect(surface.cells == cells("ABXDEFGY") && surface.mistakes.isEmpty)
    }

    @Test func whatASlowOneHasNotTakenIsDrawnAtOnceAgain() {
        surface.cellsPerDraw = 3
        #expect(glass.draw(cells("ABCDEFGH"), at: start) == start)
        #expect(glass.draw(cells("ABCDEFGH"), at: start) == start)
        #expect(glass.draw(cells("ABCDEFGH"), at: start) == nil)
        #expect(surface.cells == cells("ABCDEFGH") && surface.mistakes.isEmpty)
    }

    @Test func oneThatIsAwayIsLookedForMoreAndMoreRarely() {
        surface.refusesToPrepare = true
        let first = start.adding(milliseconds: Timing.firstRetryMilliseconds)
        #expect(glass.draw(cells("ABCDEFGH"), at: start) == first)
        // Not sooner, for any content.
        surface.refusesToPrepare = false
        #expect(glass.draw(cells("HGFEDCBA"), at: start.adding(milliseconds: 10)) == first && surface.frames == 0)
        surface.refusesToPrepare = true
        #expect(
            glass.draw(cells("ABCDEFGH"), at: first)
                == first.adding(milliseconds: 2 * Timing.firstRetryMilliseconds))
    }

    @Test func allOfItIsDrawnOnOneThatIsBack() {
        #expect(glass.draw(cells("ABCDEFGH"), at: start) == nil)
        surface.failsToDraw = true
        let retry = glass.draw(cells("ABCDEFGX"), at: start)
        #expect(retry == start.adding(milliseconds: Timing.firstRetryMilliseconds))
        surface.failsToDraw = false
        let before = surface.cellsWritten
        #expect(glass.draw(cells("ABCDEFGX"), at: retry ?? start) == nil && surface.cellsWritten == before + 8)
        glass.turnOff()
        #expect(glass.draw(cells("ABCDEFGX"), at: retry ?? start) == nil && surface.cellsWritten == before + 16)
    }
}
