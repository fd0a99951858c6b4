/// A sentence in which words were found that somebody looked for.
public struct SpokenDescription: Sendable {
    /// The song that it is spoken in.
    public var identifier: Int64
    public var uri: String
    public var title: String
    /// Where the sentence begins.
    public var milliseconds: Int
    public var text: String

    public init(identifier: Int64, uri: String, title: String, milliseconds: Int, text: String) {
        self.identifier = identifier
        self.uri = uri
        self.title = title
        self.milliseconds = milliseconds
        self.text = text
    }
}

/// What the console needs of the speaker to find what is said in the library.
public protocol ConsoleWords: AnyObject {
    /// Sentences in which all these words are: phrases in quotes, `*` behind the beginning of a word. Nil where there is no word in it.
    func said(_ words: String) -> Pages<SpokenDescription>?
    /// What is said in some transcripts is not known yet.
    var isReadingWords: Bool { get }
    /// Plays a song from a place on.
    func play(song identifier: Int64, fromMilliseconds milliseconds: Int) throws(ConsoleError)
}
