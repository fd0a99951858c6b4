// SPDX-License-Identifier: Apache-2.0
/// The screens of a panel that are reachable from anywhere, in the order of their tabs.
///
/// The only list of them: commands, help, manuals, tabs and pictures read it. A new screen is a line in each of its three parts here, and a
/// file of its own in `Scenes`.
public enum ScreenName: String, CaseIterable, Equatable, Sendable {
    case player, library, favourites, settings

    /// All names, as a sentence lists them.
    public static var list: String {
        let names = allCases.map { $0.rawValue }
        return names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
    }
}

/// A type with a value for each screen. The compiler demands one for a new screen, in that screen's file.
public protocol ScreenValue {
    static var player: Self { get }
    static var library: Self { get }
    static var favourites: Self { get }
    static var settings: Self { get }
}

extension ScreenValue {
    public init(_ name: ScreenName) {
        switch name {
        case .player: self = .player
        case .library: self = .library
        case .favourites: self = .favourites
        case .settings: self = .settings
        }
    }
}
