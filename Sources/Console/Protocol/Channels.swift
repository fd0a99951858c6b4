// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import Text
import Wire

/// The channels over which clients send each other messages, shared by all consoles. Control thread.
///
/// The limits are MPD's: for a client's channels, and for unread messages, beyond which new ones are lost.
public final class Channels {
    private static let maximumSubscriptions = 16
    private static let maximumMessages = 64
    /// The limit of one client's unread messages: with lines of any length, a number alone would not bound their memory.
    private static let maximumBytes = 64 * 1024

    /// The subscriptions of one client, and its unread messages.
    final class Mailbox {
        fileprivate(set) var subscriptions: [String] = []
        fileprivate var messages: [(channel: String, text: String)] = []
        fileprivate var bytes = 0
        /// True if the client receives the speaker's own buttons.
        fileprivate(set) var hasButtons = false
        /// The gestures that it knows; none for all.
        fileprivate var gestures: [String] = []
        /// True if a message came that the client does not know yet.
        fileprivate var hasNews = false

        /// Returns the messages since the last call.
        func takeMessages() -> [(channel: String, text: String)] {
            defer {
                messages = []
                bytes = 0
            }
            return messages
        }

        /// Returns whether to report unread messages to the client, once.
        func takeNews() -> Bool {
            defer { hasNews = false }
            return hasNews
        }
    }

    /// The mailboxes with a subscription.
    private var mailboxes: [Mailbox] = []
    /// The clients that took the buttons; the last one has them.
    private var takers: [Mailbox] = [] {
        didSet { if takers.isEmpty != oldValue.isEmpty { takenChanged(hasTaker) } }
    }
    /// Called when a first client has taken the buttons, and when the last has given them back.
    public var takenChanged: (Bool) -> Void = { _ in }
    /// The limit of unread presses, beyond which the client must have hung. A knob turned fast makes ten between two readings.
    private static let maximumPresses = 16

    public init() {}

    /// The names of the channels, in the order of their first subscription.
    var names: [String] {
        var names: [String] = []
        for mailbox in mailboxes {
            for name in mailbox.subscriptions where !names.contains(where: { $0 == name }) { names.append(name) }
        }
        return names
    }

    func subscribe(_ mailbox: Mailbox, to name: String) throws(ConsoleError) {
        if !Channels.isValid(name) { throw ConsoleError(.argument, "invalid channel name") }
        if mailbox.subscriptions.contains(where: { $0 == name }) {
            throw ConsoleError(.exists, "already subscribed to this channel")
        }
        if mailbox.subscriptions.count >= Channels.maximumSubscriptions {
            throw ConsoleError(.exists, "subscription list is full")
        }
        if mailbox.subscriptions.isEmpty { mailboxes.append(mailbox) }
        mailbox.subscriptions.append(name)
    }

    func unsubscribe(_ mailbox: Mailbox, from name: String) throws(ConsoleError) {
        guard let index = mailbox.subscriptions.firstIndex(where: { $0 == name }) else {
            throw ConsoleError(.noExist, "not subscribed to this channel")
        }
        mailbox.subscriptions.remove(at: index)
        if mailbox.subscriptions.isEmpty { mailboxes.removeAll { $0 === mailbox } }
    }

    /// Removes a client that has gone. Returns false if it had no subscription and no buttons.
    func leave(_ mailbox: Mailbox) -> Bool {
        giveButtons(mailbox)
        if mailbox.subscriptions.isEmpty { return false }
        mailbox.subscriptions = []
        mailboxes.removeAll { $0 === mailbox }
        return true
    }

    // MARK: The speaker's own buttons

    /// - Parameter gestures: the gestures that the client knows, such as "play press"; all others stay the speaker's. None for all.
    func takeButtons(_ mailbox: Mailbox, only gestures: [String] = []) {
        mailbox.gestures = gestures
        mailbox.hasButtons = true
        takers = takers.filter { $0 !== mailbox } + [mailbox]
    }

    func giveButtons(_ mailbox: Mailbox) {
        mailbox.hasButtons = false
        takers.removeAll { $0 === mailbox }
    }

    var hasTaker: Bool { !takers.isEmpty }

    /// Offers a button's gesture to the clients. Returns whether one takes it: then the button does nothing else, and the consoles report a
    /// message.
    public func press(_ text: String) -> Bool {
        guard let taker = takers.last, taker.gestures.isEmpty || taker.gestures.contains(where: { $0 == text }) else {
            return false
        }
        if taker.messages.count >= Channels.maximumPresses {
            // It does not read: the buttons are the speaker's again.
            giveButtons(taker)
            return false
        }
        if taker.messages.isEmpty { taker.hasNews = true }
        taker.messages.append((Channels.buttons, text))
        taker.bytes += Channels.buttons.utf8.count + text.utf8.count
        return true
    }

    /// Sends a gesture such as "play press" to the subscribers of the channel press. Returns whether there is one.
    public func tell(press text: String) -> Bool {
        do throws(ConsoleError) { try send(text, to: "press") } catch { return false }
        return true
    }

    /// Passes a request on to the headphones' process. Returns whether there is one.
    public func tell(headphones text: String) -> Bool {
        do throws(ConsoleError) { try send(text, to: "headphones") } catch { return false }
        return true
    }

    private static let buttons = "buttons"

    /// The channel of the screens, for messages such as `show NAME`.
    private static let screens = "screen"

    /// Sends the screens a request to show one of their pages. Returns whether there is one: then the consoles report a message.
    public func show(_ name: ScreenName) -> Bool {
        do throws(ConsoleError) { try send("show " + name.rawValue, to: Channels.screens) } catch { return false }
        return true
    }

    func send(_ text: String, to name: String) throws(ConsoleError) {
        if !Channels.isValid(name) { throw ConsoleError(.argument, "invalid channel name") }
        var isTaken = false
        for mailbox in mailboxes where mailbox.subscriptions.contains(where: { $0 == name }) {
            let bytes = name.utf8.count + text.utf8.count
            if mailbox.messages.count >= Channels.maximumMessages || mailbox.bytes + bytes > Channels.maximumBytes {
                continue
            }
            if mailbox.messages.isEmpty { mailbox.hasNews = true }
            mailbox.messages.append((name, text))
            mailbox.bytes += bytes
            isTaken = true
        }
        if !isTaken { throw ConsoleError(.noExist, "nobody is subscribed to this channel") }
    }

    private static func isValid(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy {
                $0.isLetter || $0.isDigit || $0 == .underscore || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
                    || $0 == UInt8(ascii: ":")
            }
    }
}
