/// How loud something is said.
public struct VoiceLevel: Equatable, Sendable {
    /// In LUFS, in hundredths: as loud as what is heard beside it. Nil for as loud as the program that speaks has it.
    public var loudness: Int?
    /// What that is multiplied with, in 1/65536.
    public var factor = 65_536

    public init() {}
}

/// Says what people are to hear. Control thread, and nothing waits.
public protocol VoicePort: AnyObject {
    /// Says a sentence, instead of what it was saying.
    func say(_ text: String)
    /// Says nothing more.
    func hush()
}
