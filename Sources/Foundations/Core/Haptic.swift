// SPDX-License-Identifier: Apache-2.0
/// A haptic feedback for an action.
public enum Haptic: Int, Equatable, Sendable, CaseIterable {
    /// Another tab, a flipped switch, a step of a knob.
    case selection
    /// A button.
    case light
    /// A favorite.
    case medium
    /// A result of a long press.
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

    /// The feedback of a button that is bound to a command; nil for none.
    public init?(_ command: Command) {
        switch command {
        case .none: return nil
        case .toggleFavourite, .toggleBookmark: self = .medium
        // Knobs and held buttons give many steps in a row.
        case .volume, .setVolume, .speed, .menu(.next), .menu(.previous): self = .selection
        default: self = .light
        }
    }
}
