// SPDX-License-Identifier: Apache-2.0
import Core
import Scenes

extension Haptic {
    /// For what was chosen, or brought up by a long press; nil where nothing is to be felt.
    public init?(_ action: Element.Action, after gesture: Gesture) {
        switch action {
        case .none, .setVolume: return nil
        case .show, .section, .order, .change: self = .selection
        case .toggleFavourite, .remove, .undo: self = .medium
        case .menu: self = .heavy
        case .refresh: self = .success
        case .seek:
            // While the finger is still on its way there is nothing done yet.
            if case .drag = gesture { return nil }
            self = .light
        default: self = .light
        }
    }
}
