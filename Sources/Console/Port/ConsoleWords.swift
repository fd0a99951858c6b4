import Model

/// What the console needs of the speaker to find what is said in the library.
public protocol ConsoleWords: AnyObject {
    /// Sentences in which all these words are: phrases in quotes, `*` behind the beginning of a word. Nil where there is no word in it.
    func said(_ words: String) -> Pages<SpokenHit>?
    /// What is said in some transcripts is not known yet.
    var isReadingWords: Bool { get }
    /// Plays a song from a place on.
    func play(song identifier: Int64, fromMilliseconds milliseconds: Int) throws(ConsoleError)
}
