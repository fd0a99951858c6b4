import Posix
import Text

extension Configuration {
    /// Has what people read and hear in their language from here on. Where there are no words in it, it is English, which the journal tells.
    /// - Parameter chosen: by a person, instead of what is configured; nil where nobody has.
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

    /// What the voice is to speak where people's language is this: a voice by espeak-ng has the same, unless it has its own.
    public func voiceLanguage(_ language: String) -> String {
        if !voice.language.isEmpty || language == "en" || !voice.command.begins(with: "espeak") {
            return voice.language
        }
        // It has "de", and no "de_AT".
        return String(decoding: language.utf8.prefix { $0 != UInt8(ascii: "_") }, as: UTF8.self)
    }
}
