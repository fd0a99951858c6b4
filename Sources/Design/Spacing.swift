// SPDX-License-Identifier: Apache-2.0
/// The distances between things, in points.
public enum Spacing {
    /// Between an icon and its text.
    public static let micro: Float = 2
    /// Between closely related things.
    public static let mini: Float = 4
    /// Within a component.
    public static let small: Float = 8
    /// Between related elements.
    public static let related: Float = 12
    /// Around and within cards.
    public static let medium: Float = 16
    /// Between sections.
    public static let large: Float = 24
    /// Between major sections.
    public static let xlarge: Float = 32
    /// Around views.
    public static let huge: Float = 48
    /// The margin of a screen seen from afar.
    public static let television: Float = 60
    /// Between the rows of a list.
    public static let rows: Float = medium
}

/// The radii of corners, in points.
public enum Radius {
    public static let chip: Float = 8
    public static let thumbnail: Float = 8
    public static let button: Float = 12
    public static let fullBarArtwork: Float = 10
    public static let card: Float = 12
    public static let artwork: Float = 16
    public static let sheet: Float = 16
    public static let glassCard: Float = 20
    public static let televisionArtwork: Float = 24
}

/// The height of a thing above the background, given by its shadow.
public struct Elevation: Equatable, Sendable {
    /// The opacity of the black shadow.
    public var opacity: Float
    /// The standard deviation of the blur, in points.
    public var blur: Float
    public var down: Float

    public init(opacity: Float, blur: Float, down: Float) {
        self.opacity = opacity
        self.blur = blur
        self.down = down
    }

    public static let low = Elevation(opacity: 0.1, blur: 3, down: 1)
    public static let medium = Elevation(opacity: 0.15, blur: 8, down: 4)
    public static let high = Elevation(opacity: 0.2, blur: 16, down: 8)
    /// The knob of a progress bar.
    public static let knob = Elevation(opacity: 0.2, blur: 3, down: 1)
    /// The player's artwork.
    public static let artwork = Elevation(opacity: 0.1, blur: 4, down: 2)
    /// A glass card.
    public static let glass = Elevation(opacity: 0.05, blur: 8, down: 0)
    /// A focused card.
    public static let focused = Elevation(opacity: 0.15, blur: 20, down: 10)
    /// Artwork on a television.
    public static let television = Elevation(opacity: 0.3, blur: 40, down: 16)
}
