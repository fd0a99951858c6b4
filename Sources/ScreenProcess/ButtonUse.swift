/// What the speaker's buttons do while a panel shows a list.
enum ButtonUse {
    case choose, hold, backward, forward, leave

    init?(gesture: String) {
        switch gesture {
        case "play press": self = .choose
        case "play long", "play hold": self = .hold
        case "back press", "back hold", "previous press": self = .backward
        case "forward press", "forward hold", "next press": self = .forward
        case "back long": self = .leave
        default: return nil
        }
    }

    /// All of them, as `buttons take` names them.
    static var gestures: String {
        """
        "play press" "play long" "play hold" "back press" "back hold" "back long" "previous press" "forward press" \
        "forward hold" "next press"
        """
    }
}
