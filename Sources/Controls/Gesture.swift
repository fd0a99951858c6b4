// SPDX-License-Identifier: Apache-2.0
/// An act of a hand on one button.
public enum Gesture: Int, CaseIterable, Sendable {
    /// Down and up again before the threshold of a long press.
    case press
    /// Held until the threshold: acts at the threshold, with the button still down.
    case long
    /// A second press soon after the first: acts as the button goes down.
    case double
    /// Held: acts at the threshold and again and again until the release.
    case hold
    /// Held far beyond the threshold of a long press: acts then. If a button has it, a long press acts at the release, since only that
    /// decides between the two.
    case longer

    /// A third press soon after the second of a double press: acts as the button goes down, and the second has done what it does.
    case triple

    static let names = ["press", "long", "double", "hold", "longer", "triple"]

    /// As the configuration writes it.
    public var name: String { Gesture.names[rawValue] }
}
