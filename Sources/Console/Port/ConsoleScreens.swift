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

/// What screens are told, and tell. Control thread; nothing waits.
public protocol ConsoleScreens: AnyObject {
    var screen: ScreenDescription { get }
    /// A client has come that tells what stands on it, when it is asked to; or has gone.
    func screenCame()
    func screenWent()
    /// Asks the screens; the first one's answer counts. Throws where there is none.
    func screenTree() throws(ConsoleError) -> Awaited<[ElementDescription]>
    /// All that stands on a screen.
    func screenTells(_ elements: [ElementDescription])
    /// Something to be felt. Throws where there is nothing to feel it with.
    func feel(_ haptic: Haptic) throws(ConsoleError)
}
