// SPDX-License-Identifier: Apache-2.0
import Wire

/// Messages from client to client.
extension Session {
    func writeChannels(_ response: inout ResponseBuffer) {
        for name in channels.names { response.field("channel", name) }
    }

    func subscribe(_ name: String) throws(ConsoleError) {
        try channels.subscribe(mailbox, to: name)
        host.changes.note(.subscription)
    }

    func unsubscribe(_ name: String) throws(ConsoleError) {
        try channels.unsubscribe(mailbox, from: name)
        host.changes.note(.subscription)
    }

    func readMessages(_ response: inout ResponseBuffer) {
        for message in mailbox.takeMessages() {
            response.field("channel", message.channel)
            response.field("message", message.text)
        }
    }

    func sendMessage(_ text: String, to channel: String) throws(ConsoleError) {
        try channels.send(text, to: channel)
        host.changes.note(.message)
    }

    /// Gives the speaker's own buttons to a client, which then gets their gestures as messages.
    func buttons(_ words: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        switch words.first {
        case nil: response.field("taken", channels.hasTaker ? 1 : 0)
        case "take": channels.takeButtons(mailbox, only: Array(words.dropFirst()))
        case "give": channels.giveButtons(mailbox)
        case .some(let word): throw Argument.wrong(word, "Expected take or give")
        }
    }

    /// Ends the session of a client that has gone.
    func end() {
        if channels.leave(mailbox) { host.changes.note(.subscription) }
        if screen.isThere { host.trees.screenWent() }
    }
}
