// SPDX-License-Identifier: Apache-2.0
import Core
import Speaker

@testable import Console

extension FakeSpeaker {
    func setModes(_ modes: PlayModes) throws(ConsoleError) {
        try act("modes", .options)
        status.modes = modes
    }

    func moveInQueue(_ positions: Range<Int>, to: Int) throws(ConsoleError) {
        try act("move \(positions.lowerBound)..<\(positions.upperBound) to \(to)", .playlist)
        edit { _ = $0.move(positions, to: to) }
    }

    func swapInQueue(_ one: Int, _ other: Int) throws(ConsoleError) {
        try act("swap \(one) \(other)", .playlist)
        edit { _ = $0.swap(one, other) }
    }

    func shuffleQueue(_ positions: Range<Int>) throws(ConsoleError) {
        try act("shuffle \(positions.lowerBound)..<\(positions.upperBound)", .playlist)
        edit { _ = $0.shuffle(positions, keepsCurrent: true) }
    }

    func prioritise(_ positions: Range<Int>, _ priority: Int) throws(ConsoleError) {
        try act("prioritise \(positions.lowerBound)..<\(positions.upperBound) \(priority)", .playlist)
        edit { _ = $0.prioritise(positions, UInt8(priority)) }
    }
}
