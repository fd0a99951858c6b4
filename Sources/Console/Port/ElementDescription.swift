// SPDX-License-Identifier: Apache-2.0
/// An element of a screen, as a voice would say it, with its place. Texts are as the screen has them.
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
