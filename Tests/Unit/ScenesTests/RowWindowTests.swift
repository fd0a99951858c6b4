// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Scenes

/// Long lists in pages: the kept rows are bounded, the visible rows are requested, and the list agrees with the speaker's.
@Suite struct RowWindowTests {
    /// A list at the other end.
    private struct Far {
        var names: [Int]

        func page(_ number: Int) -> [ListRow] {
            let start = min(names.count, number * RowWindow.pageRows)
            return names[start..<min(names.count, start + RowWindow.pageRows)].map {
                ListRow(.favourite, name: "\($0)", title: "Title \($0)")
            }
        }
    }

    private func settle(_ window: RowWindow, _ far: Far) -> Int {
        var asked = 0
        while true {
            let wanted = window.takeWanted()
            if wanted.isEmpty { return asked }
            for number in wanted {
                window.take(far.page(number), page: number, of: window.generation)
                asked += 1
            }
            if asked > 2000 { return asked }
        }
    }

    @Test func fiftyThousandRowsAreReadInBoundedMemory() {
        let window = RowWindow()
        let far = Far(names: Array(0..<50_000))
        var top = 0
        var most = 0
        while !window.isCounted || top + 10 < window.count {
            window.see(top..<top + 10)
            #expect(settle(window, far) <= 2)
            #expect(window[top]?.name == "\(top)")
            most = max(most, window.keptCount)
            top = min(top + 70, max(0, window.count - 10))
        }
        #expect(window.count == 50_000 && window[49_999]?.name == "49999")
        #expect(most <= 600)
        // And back, which asks for what was dropped.
        window.see(0..<10)
        _ = settle(window, far)
        #expect(window[0]?.name == "0" && window.keptCount <= 600)
    }

    @Test func anEmptyListIsAskedForOnce() {
        let window = RowWindow()
        #expect(window.takeWanted() == [0])
        #expect(window.takeWanted().isEmpty)
        window.take([], page: 0, of: window.generation)
        #expect(window.isKnown && window.count == 0 && window.takeWanted().isEmpty)
        window.reload()
        #expect(window.takeWanted() == [0])
    }

    @Test func aRefusalIsNoAnswer() {
        let window = RowWindow()
        _ = window.takeWanted()
        window.take(nil, page: 0, of: window.generation)
        #expect(!window.isKnown && window.takeWanted() == [0])
    }

    @Test func anAnswerToSomethingElseIsPassedOver() {
        let window = RowWindow()
        _ = window.takeWanted()
        let before = window.generation
        window.clear()
        window.take([ListRow(.favourite, name: "old", title: "")], page: 0, of: before)
        #expect(!window.isKnown && window[0] == nil)
    }

    /// For any additions, removals and reloads while it scrolls, the list in the end agrees with the speaker's.
    @Test func whateverHappensItEndsAsTheListIs() {
        for seed in UInt64(1)...40 {
            var random = SeededGenerator(seed: seed)
            var far = Far(names: Array(0..<Int.random(in: 0...900, using: &random)))
            let window = RowWindow()
            for _ in 0..<60 {
                let top = Int.random(in: 0...max(0, window.count + 30), using: &random)
                window.see(top..<top + 8)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: far.names.insert(Int.random(in: 1000...9999, using: &random), at: 0)
                case 1: far.names.removeLast(min(far.names.count, Int.random(in: 0...150, using: &random)))
                case 2: window.reload()
                case 3:
                    let index = Int.random(in: 0...max(0, window.count), using: &random)
                    if let row = window[index] {
                        far.names.removeAll { "\($0)" == row.name }
                        window.remove(row.name)
                    }
                default: break
                }
                for number in window.takeWanted() {
                    // Some never come.
                    if Int.random(in: 0..<5, using: &random) == 0 { continue }
                    window.take(far.page(number), page: number, of: window.generation)
                }
                #expect(window.keptCount <= 700)
            }
            window.reload()
            for top in stride(from: 1000, through: 0, by: -50) {
                window.see(top..<top + 50)
                #expect(settle(window, far) < 40)
            }
            window.see(0..<10)
            _ = settle(window, far)
            for index in 0..<min(10, far.names.count) { #expect(window[index]?.name == "\(far.names[index])") }
        }
    }
}
