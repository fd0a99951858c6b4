// SPDX-License-Identifier: Apache-2.0
/// A button of the speaker, by what is printed beside it. `GestureMap` decides what it does.
public enum ButtonName: Int, CaseIterable, Sendable {
    case play, back, forward, favourite, next, previous, volumeUp, volumeDown
    /// The switch in a socket for headphones, pressed where they are not in it.
    case jack

    static let names = ["play", "back", "forward", "favourite", "next", "previous", "volume-up", "volume-down", "jack"]

    /// As the configuration writes it: "volume-up".
    public var name: String { ButtonName.names[rawValue] }

    public init?(name: String) {
        guard let index = ButtonName.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: index)
    }
}
