import Core

/// The sentences of what plays, as consoles go along them. Control thread; nothing waits.
public protocol ConsoleSentences: AnyObject {
    /// The stretch that is repeated, in milliseconds of the current item; nil for none.
    var repeatedStretch: Range<Int>? { get }
    /// Called only where there is a current item, and, but for the ends of a stretch, a transcript.
    func goAlong(_ step: Command.Sentence) throws(ConsoleError)
    func repeatStretch(_ change: Command.Loop) throws(ConsoleError)
}
