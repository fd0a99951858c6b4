import Core

@testable import Console

extension FakeSpeaker {
    var repeatedStretch: Range<Int>? { stretch }

    func goAlong(_ step: Command.Sentence) throws(ConsoleError) { try act("sentence \(step)", .player) }

    func repeatStretch(_ change: Command.Loop) throws(ConsoleError) {
        try act("loop \(change)", .player)
        stretch = change == .sentence || change == .to ? 1000..<2000 : nil
    }
}
