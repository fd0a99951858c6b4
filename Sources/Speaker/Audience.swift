// SPDX-License-Identifier: Apache-2.0
import Core

/// The receivers of the speaker's changes: screens, consoles, the journal. Control thread.
public final class Audience {
    /// The speaker's state changed, by any hand.
    public var didChange: (Changes) -> Void = { _ in }
    /// A word for a person, shown for some seconds.
    public var announce: (Notice) -> Void = { _ in }
    /// A hand pressed a button or a client asked, and waits for the effect.
    public var didPress: () -> Void = {}
    /// Nil where nothing is spoken.
    public var answers: Answers?
    /// Has the voice speak from now on, or no longer. Returns whether it speaks then; nil where it cannot.
    public var switchVoice: () -> Bool? = { nil }
    /// The effect of the speaker's own buttons.
    var hands = HandMode.act
    /// Nil without a choice.
    public var languages: Languages?
    /// A warning for the journal.
    public var warn: (String) -> Void
    /// The queue has played to its end.
    public var didEnd: () -> Void = {}

    init(warn: @escaping (String) -> Void) { self.warn = warn }
}
