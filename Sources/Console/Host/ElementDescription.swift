// SPDX-License-Identifier: Apache-2.0
/// An element of a screen, as a voice would say it, with its place. Texts are as the screen has them.
struct ElementDescription: Equatable, Sendable {
    /// "button".
    var role: String
    var label: String
    var value: String
    var hint: String
    /// Words such as "focused selected".
    var state: String
    /// "X Y WIDTH HEIGHT" in pixels.
    var frame: String
}
