import Console
import Core
import Speaker

extension ConsoleAdapter {
    public var repeatedStretch: Range<Int>? { speaker.loop.bounds }

    public func goAlong(_ step: Command.Sentence) throws(ConsoleError) { perform(.sentence(step)) }

    public func repeatStretch(_ change: Command.Loop) throws(ConsoleError) { perform(.loop(change)) }
}
