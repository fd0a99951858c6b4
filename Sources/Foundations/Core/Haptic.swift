// SPDX-License-Identifier: Apache-2.0
/// The feel of an act for the hand.
public enum Haptic: Int, Equatable, Sendable, CaseIterable {
    /// Another tab, a switch turned over, a step of a knob.
    case selection
    /// A button.
    case light
    /// A favourite.
    case medium
    /// Something that a long press brings up.
    case heavy
    case success
    case error

    public var name: String {
        switch self {
        case .selection: "selection"
        case .light: "light"
        case .medium: "medium"
        case .heavy: "heavy"
        case .success: "success"
        case .error: "error"
        }
    }

    public init?(name: String) {
        for haptic in Haptic.allCases where haptic.name == name {
            self = haptic
            return
        }
        return nil
    }

    /// For a button that is bound to a command; nil where nothing is to be felt.
    public init?(_ command: Command) {
        switch command {
        case .none: return nil
        case .toggleFavourite, .toggleBookmark: self = .medium
        // Those of knobs, and of a button that is held: many one after the other.
        case .volume, .setVolume, .speed, .menu(.next), .menu(.previous): self = .selection
        default: self = .light
        }
    }
}
