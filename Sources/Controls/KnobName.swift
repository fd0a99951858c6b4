// SPDX-License-Identifier: Apache-2.0
/// A knob of the speaker, named by its usual label. `GestureMap` decides what turning it does.
public enum KnobName: Int, CaseIterable, Sendable {
    case volume, jog

    /// The direction of a turn.
    public enum Turn: Int, CaseIterable, Sendable {
        case right, left

        public var name: String { self == .right ? "right" : "left" }
    }

    /// The configuration's name.
    public var name: String { self == .volume ? "volume" : "jog" }

    public init?(name: String) {
        guard let knob = KnobName.allCases.first(where: { $0.name == name }) else { return nil }
        self = knob
    }
}
