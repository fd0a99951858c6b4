import Core

/// Who listens to what the speaker says of itself: screens, consoles, the journal. Control thread.
public final class Audience {
    /// Something is another than before, whoever changed it.
    public var didChange: (Changes) -> Void = { _ in }
    /// A word for a person, shown for some seconds.
    public var announce: (Notice) -> Void = { _ in }
    /// Somebody has pressed or asked something, and waits to see or hear what comes of it.
    public var didPress: () -> Void = {}
    /// Nil where nothing is spoken.
    public var answers: Answers?
    /// Has the voice speak from now on, or no longer. Returns whether it speaks then; nil where it cannot.
    public var switchVoice: () -> Bool? = { nil }
    /// Nil where nobody can choose one.
    public var languages: Languages?
    /// A warning for the journal.
    public var warn: (String) -> Void
    /// Everything has been played to its end.
    public var didEnd: () -> Void = {}

    init(warn: @escaping (String) -> Void) { self.warn = warn }
}
