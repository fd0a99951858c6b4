import Core

/// What a screen shows of the current item and of the speaker, beyond what `status` tells. A plain value, true for the moment it was asked.
public struct ScreenDescription: Equatable, Sendable {
    public struct Chapter: Equatable, Sendable {
        /// "" where it has none.
        public var title: String
        /// From 1.
        public var number: Int
        public var count: Int

        public init(title: String, number: Int, count: Int) {
            self.title = title
            self.number = number
            self.count = count
        }
    }

    /// "" where nothing is chosen.
    public var uri = ""
    public var title = ""
    public var artist = ""
    public var book = ""
    public var chapter: Chapter?
    public var isFavourite = false
    /// There is a picture for it: `readpicture` or `albumart` gives it.
    public var hasPicture = false
    /// What a person has to know before all else; "" while all is well.
    public var trouble = ""

    public init() {}
}

/// What a voice would say of something that stands on a screen, and where it is. Texts are as the screen has them.
public struct ElementDescription: Equatable, Sendable {
    /// "button".
    public var role: String
    public var label: String
    public var value: String
    public var hint: String
    /// Words such as "focused selected".
    public var state: String
    /// "X Y WIDTH HEIGHT" in pixels.
    public var frame: String

    public init(role: String, label: String, value: String, hint: String, state: String, frame: String) {
        self.role = role
        self.label = label
        self.value = value
        self.hint = hint
        self.state = state
        self.frame = frame
    }
}
