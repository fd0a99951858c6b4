// SPDX-License-Identifier: Apache-2.0
/// A hand's gesture on one button.
public enum Gesture: Int, CaseIterable, Sendable {
    /// A press shorter than the threshold of a long press.
    case press
    /// A long press: acts at the threshold, while the button is still down.
    case long
    /// A second press soon after the first: acts when the button goes down.
    case double
    /// A hold: acts at the threshold, and repeatedly until the release.
    case hold
    /// A hold far beyond the threshold of a long press: acts then. On such a button a long press acts at the release, which decides between
    /// the two.
    case longer

    /// A third press soon after a double press: acts when the button goes down. The double press has acted by then.
    case triple

    static let names = ["press", "long", "double", "hold", "longer", "triple"]

    /// The configuration's name.
    public var name: String { Gesture.names[rawValue] }
}
