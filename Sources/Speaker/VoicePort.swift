/// Says what people are to hear. Control thread, and nothing waits.
public protocol VoicePort: AnyObject {
    /// Says a sentence, instead of what it was saying.
    func say(_ text: String)
    /// Says nothing more.
    func hush()
}
