import Posix
import Text

extension Configuration {
    /// Has what people read and hear in their language from here on; before there is a second thread. Where there are no words in it, it is
    /// English, which the journal tells, and as if English had been asked for. A voice by espeak-ng has the same language, unless it has its own.
    public mutating func speakPeoplesLanguage() {
        let language = people.language
        if language.isEmpty { return }
        guard Translation.begin(language, folder: people.wordsPath) else {
            Log.warning("[people] language: no words in '\(language)' in \(people.wordsPath), so they are English")
            people.language = ""
            return
        }
        // It has "de", and no "de_AT".
        if voice.language.isEmpty && voice.command.begins(with: "espeak") {
            voice.language = String(decoding: language.utf8.prefix { $0 != UInt8(ascii: "_") }, as: UTF8.self)
        }
    }
}
