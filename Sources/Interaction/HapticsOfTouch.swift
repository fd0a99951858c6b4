// SPDX-License-Identifier: Apache-2.0
import Core
import Scenes

extension Haptic {
    /// The haptic of a chosen element, or of a long press; nil for none.
    public init?(_ action: Element.Action, after gesture: Gesture) {
        switch action {
        case .none, .setVolume: return nil
        case .show, .section, .order, .change: self = .selection
        case .toggleFavourite, .remove, .undo: self = .medium
        case .menu: self = .heavy
        case .refresh: self = .success
        case .seek:
            // During a drag nothing is done yet.
            if case .drag = gesture { return nil }
            self = .light
        default: self = .light
        }
    }
}
