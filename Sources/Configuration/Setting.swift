// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// One setting of the configuration file: a row of the table (`SettingTable.swift`). The reader, the sample `board/nightstand.conf` and
/// nightstand.conf(5) come from it.
struct Setting: Sendable {
    /// The form of a value, and the code that stores it.
    enum Kind: Sendable {
        /// `yes` or `no`.
        case flag(@Sendable (inout Configuration, Bool) -> Void)
        /// A whole number from the first to the second.
        case number(Int, Int, @Sendable (inout Configuration, Int) -> Void)
        /// One of these words, separated by spaces. The closure gets its index.
        case choice(String, @Sendable (inout Configuration, Int) -> Void)
        /// An absolute path.
        case path(canBeEmpty: Bool, @Sendable (inout Configuration, String) -> Void)
        /// The absolute path of a file with secrets; empty for none. A message never repeats the value, which may be the secret itself.
        case secretPath(@Sendable (inout Configuration, String) -> Void)
        /// A text. The closure returns false, and stores nothing, for an invalid one; then `expected` goes into the message.
        case text(expected: String, @Sendable (inout Configuration, String) -> Bool)
        /// A value that depends on other lines, or has several parts.
        case own(@Sendable (inout ConfigurationReader, String) throws(ConfigurationError) -> Void)
        /// A key of an older version, with the reason for its removal. The closure stores the part that still has a meaning.
        case former(String, @Sendable (inout ConfigurationReader, String) throws(ConfigurationError) -> Void)
    }

    let key: String
    let kind: Kind

    // Only the documents need the rest, so the shipped program does without.
    #if !hasFeature(Embedded)
        /// The default in the form of the file.
        let standard: String
        let rank: Rank
        /// The value's form in the manual, for kinds that do not show it by themselves: words in capitals are placeholders.
        let form: String
        /// The explanation. A line is a paragraph; "- TERM: …" is an entry of a list, and a line with four spaces before it an example.
        let text: String
    #endif

    /// Inlined, so that the compiler lays the table out as data.
    @inline(__always)
    init(
        _ key: String, _ kind: Kind, _ standard: String = "", rank: Rank = .usual, form: String = "",
        _ text: String = ""
    ) {
        self.key = key
        self.kind = kind
        #if !hasFeature(Embedded)
            self.standard = standard
            self.rank = rank
            self.form = form
            self.text = text
        #endif
    }

    /// The part of the sample file for a setting.
    enum Rank {
        /// One of the twelve settings that most people change.
        case first
        case usual
        /// Right by default on nearly every board.
        case last
    }

    var isFormer: Bool {
        if case .former = kind { return true }
        return false
    }
}

/// A section of the configuration file, in the manual's order.
enum SettingSection: String, CaseIterable {
    case audio, playing, night, people, voice, library, state, playlists, buttons, gestures, haptics, lcd, light,
        network, bridge, bluetooth
    case transcripts, screen, console

    /// Finds a section; nil if there is none of that name.
    init?(named name: String) {
        guard let section = SettingSection.allCases.first(where: { $0.rawValue == name }) else { return nil }
        self = section
    }

    /// The name of a former section; its settings are in [playing] now.
    static var former: String { "speaker" }
}
