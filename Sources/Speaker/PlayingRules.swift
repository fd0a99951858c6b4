/// What a household may have otherwise.
public struct PlayingRules: Equatable, Sendable {
    /// After a pause it plays on from the start of the sentence, and from further back the longer it was.
    public var rewindsAfterPause: Bool
    /// Next and previous go by chapter where the file has chapters.
    public var stepsByChapter: Bool
    /// What is gone to goes on where it was left; where not, it begins anew.
    public var resumes: Bool
    /// Next and previous keep a pause; where not, they play.
    public var keepsPause: Bool

    public init(
        rewindsAfterPause: Bool = true, stepsByChapter: Bool = true, resumes: Bool = true, keepsPause: Bool = true
    ) {
        self.rewindsAfterPause = rewindsAfterPause
        self.stepsByChapter = stepsByChapter
        self.resumes = resumes
        self.keepsPause = keepsPause
    }
}
