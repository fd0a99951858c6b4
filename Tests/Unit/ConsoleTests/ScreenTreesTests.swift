// SPDX-License-Identifier: Apache-2.0
import Posix
import TestSupport
import Testing

@testable import Console
@testable import Wire

@Suite struct ScreenTreesTests {
    private let timers = FakeTimers()
    private let button = ElementDescription(
        role: "button", label: "Play", value: "", hint: "", state: "", frame: "0 0 44 44")

    @Test func withoutAScreenItIsRefusedAtOnce() {
        let trees = ScreenTrees(timers: timers)
        let error = #expect(throws: ConsoleError.self) { try trees.ask() }
        #expect(error?.code == .noExist)
    }

    @Test func allWhoWaitHaveTheSameAnswer() throws {
        let trees = ScreenTrees(timers: timers)
        var comings = 0
        trees.didCome = { comings += 1 }
        trees.screenCame()
        // A tree without a request belongs to no client.
        trees.tell([button])
        #expect(comings == 0)
        let (first, second) = (try trees.ask(), try trees.ask())
        #expect(first.outcome == nil)
        trees.tell([button])
        #expect(try first.outcome?.get() == [button] && second.outcome?.get() == [button] && comings == 1)
        // A second screen is too late.
        trees.tell([])
        #expect(try first.outcome?.get() == [button])
    }

    @Test func aScreenThatGoesOrHangsIsSaidToBe() throws {
        let trees = ScreenTrees(timers: timers)
        trees.screenCame()
        let gone = try trees.ask()
        trees.screenWent()
        #expect(throws: ConsoleError.self) { try gone.outcome?.get() }
        trees.screenCame()
        let hung = try trees.ask()
        timers.pass(milliseconds: ScreenTrees.patienceMilliseconds - 1)
        #expect(hung.outcome == nil)
        timers.pass(milliseconds: 2)
        #expect(throws: ConsoleError.self) { try hung.outcome?.get() }
    }
}
