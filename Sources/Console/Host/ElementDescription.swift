// SPDX-License-Identifier: Apache-2.0
/// An element of a screen with its position, in a form for a voice. Texts are those of the screen.
struct ElementDescription: Equatable, Sendable {
    /// The role, such as "button".
    var role: String
    var label: String
    var value: String
    var hint: String
    /// The state in words, such as "focused selected".
    var state: String
    /// The frame as "X Y WIDTH HEIGHT" in pixels.
    var frame: String
}
