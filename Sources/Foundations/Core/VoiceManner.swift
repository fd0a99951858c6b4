/// When the voice answers.
public enum VoiceManner: String, CaseIterable, Sendable {
    case always = "all"
    /// In the menu, and to whoever asks.
    case menu
    /// Always; at night as in the menu alone.
    case byDay = "by-day"
}
