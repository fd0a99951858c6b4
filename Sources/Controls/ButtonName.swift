// SPDX-License-Identifier: Apache-2.0
/// A button of the speaker, named by its usual label. `GestureMap` decides what it does.
public enum ButtonName: Int, CaseIterable, Sendable {
    case play, back, forward, favourite, next, previous, volumeUp, volumeDown
    /// The switch in a headphone socket, pressed while no plug is inserted.
    case jack

    static let names = ["play", "back", "forward", "favourite", "next", "previous", "volume-up", "volume-down", "jack"]

    /// The configuration's name, such as "volume-up".
    public var name: String { ButtonName.names[rawValue] }

    public init?(name: String) {
        guard let index = ButtonName.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: index)
    }
}
