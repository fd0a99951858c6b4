// SPDX-License-Identifier: Apache-2.0
/// The screens of a panel that can be gone to from anywhere.
public enum ScreenName: Int, CaseIterable, Equatable, Sendable {
    case player, library, favourites, settings

    public var name: String {
        switch self {
        case .player: "player"
        case .library: "library"
        case .favourites: "favourites"
        case .settings: "settings"
        }
    }

    /// Nil where it is none of them.
    public init?(name: String) {
        for screen in ScreenName.allCases where screen.name == name {
            self = screen
            return
        }
        return nil
    }
}
