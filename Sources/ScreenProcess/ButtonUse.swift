// SPDX-License-Identifier: Apache-2.0
/// The meaning of the speaker's buttons and jog while they move a focus on a panel.
enum ButtonUse {
    case choose, hold, leave, tabs
    /// - Parameter isAgain: true while the button stays held.
    case walk(isForward: Bool, isAgain: Bool)
    case turn(isForward: Bool)

    init?(gesture: String) {
        switch gesture {
        case "play press": self = .choose
        case "play long", "play hold": self = .hold
        case "back press", "previous press": self = .walk(isForward: false, isAgain: false)
        case "back hold", "previous hold": self = .walk(isForward: false, isAgain: true)
        case "forward press", "next press": self = .walk(isForward: true, isAgain: false)
        case "forward hold", "next hold": self = .walk(isForward: true, isAgain: true)
        case "jog right": self = .turn(isForward: true)
        case "jog left": self = .turn(isForward: false)
        case "back long": self = .leave
        case "back longer": self = .tabs
        default: return nil
        }
    }

    /// All gestures, as `buttons take` names them.
    static var gestures: String {
        """
        "play press" "play long" "play hold" "back press" "back hold" "back long" "back longer" "previous press" \
        "previous hold" "forward press" "forward hold" "next press" "next hold" "jog right" "jog left"
        """
    }
}
