// SPDX-License-Identifier: Apache-2.0
import Core

/// The receivers of the speaker's changes: screens, consoles, the journal. Control thread.
public final class Audience {
    /// Called when the speaker's state has changed, by any cause.
    public var didChange: (Changes) -> Void = { _ in }
    /// Shows a notice to the listener for some seconds.
    public var announce: (Notice) -> Void = { _ in }
    /// Called when a listener pressed a button or a client asked, and waits for the effect.
    public var didPress: () -> Void = {}
    /// The spoken answers; nil without a voice.
    public var answers: Answers?
    /// Switches the voice on or off. Returns whether it speaks then; nil if it cannot.
    public var switchVoice: () -> Bool? = { nil }
    /// The effect of the speaker's own buttons.
    var hands = HandMode.act
    /// The languages to choose from; nil without a choice.
    public var languages: Languages?
    /// Writes a warning to the journal.
    public var warn: (String) -> Void
    /// Called when the queue has played to its end.
    public var didEnd: () -> Void = {}

    init(warn: @escaping (String) -> Void) { self.warn = warn }
}
