// SPDX-License-Identifier: Apache-2.0
import Posix
import Text

extension Configuration {
    /// Switches all text and speech to the configured language. Without words in that language it stays English, and the journal says so.
    /// - Parameter chosen: the listener's choice, which takes precedence over the file; nil if there is none.
    /// - Returns: the language, "en" for English.
    @discardableResult
    public func speakPeoplesLanguage(chosen: String? = nil) -> String {
        let language = chosen ?? people.language
        if language.isEmpty || language == "en" { return "en" }
        guard let words = Translation.Words(language, folder: people.wordsPath) else {
            Log.warning("[people] language: no words in '\(language)' in \(people.wordsPath), so they are English")
            return "en"
        }
        Translation.speak(words)
        return language
    }

    /// Returns the voice's language: espeak-ng speaks that of the text, unless the voice has its own.
    public func voiceLanguage(_ language: String) -> String {
        if !voice.language.isEmpty || language == "en" || !voice.command.begins(with: "espeak") {
            return voice.language
        }
        // espeak-ng has "de", but not "de_AT".
        return String(decoding: language.utf8.prefix { $0 != UInt8(ascii: "_") }, as: UTF8.self)
    }
}
