// SPDX-License-Identifier: Apache-2.0
import Typography

/// A style of text, in points.
public struct TypeStyle: Hashable, Sendable {
    public var size: Float
    public var lineHeight: Float
    public var weight: FontWeight
    public var digitsAlike = false

    public init(_ size: Float, _ lineHeight: Float, _ weight: FontWeight, digitsAlike: Bool = false) {
        self.size = size
        self.lineHeight = lineHeight
        self.weight = weight
        self.digitsAlike = digitsAlike
    }

    // MARK: The scale

    public static let largeTitle = TypeStyle(34, 41, .bold)
    public static let title1 = TypeStyle(28, 34, .bold)
    public static let title2 = TypeStyle(22, 28, .semibold)
    public static let title3 = TypeStyle(20, 24, .semibold)
    public static let headline = TypeStyle(17, 22, .semibold)
    public static let body = TypeStyle(17, 22, .regular)
    public static let callout = TypeStyle(16, 21, .regular)
    public static let subheadline = TypeStyle(15, 20, .regular)
    public static let footnote = TypeStyle(13, 18, .regular)
    public static let caption1 = TypeStyle(12, 16, .regular)
    public static let caption2 = TypeStyle(11, 13, .regular)

    // MARK: The player and the lists

    public static let appTitle = title1
    public static let date = TypeStyle(18, 23, .regular)
    public static let contentTitle = TypeStyle(24, 29, .bold)
    public static let screenTitle = TypeStyle(20, 24, .bold)
    public static let section = contentTitle
    public static let rowTitle = TypeStyle(16, 21, .medium)
    public static let rowDetail = TypeStyle(14, 19, .regular)
    public static let tab = caption1
    public static let activeTab = TypeStyle(12, 16, .bold)
    public static let sentence = TypeStyle(20, 27, .regular)
    public static let hugeSentence = TypeStyle(30, 40, .regular)
    public static let smallSentence = TypeStyle(17, 23, .regular)
    public static let clock = TypeStyle(96, 106, .light, digitsAlike: true)
    /// The style of text that appears letter by letter.
    public static let cascade = TypeStyle(44, 53, .light)
    public static let smallChip = TypeStyle(13, 18, .medium)
    public static let chip = TypeStyle(15, 20, .medium)
    public static let setting = TypeStyle(17, 22, .regular)
    public static let settingValue = TypeStyle(17, 22, .medium, digitsAlike: true)
    public static let sidebar = TypeStyle(16, 21, .regular)
    public static let activeSidebar = TypeStyle(16, 21, .semibold)
    public static let times = TypeStyle(13, 18, .regular, digitsAlike: true)
    public static let pill = TypeStyle(13, 18, .bold, digitsAlike: true)
    public static let metricValue = TypeStyle(22, 28, .bold, digitsAlike: true)
    public static let metricLabel = footnote
    public static let metricPill = TypeStyle(13, 18, .semibold, digitsAlike: true)
    public static let cardTitle = title3
    public static let cardArtist = subheadline
    public static let skipSeconds = TypeStyle(11, 13, .bold)

    /// The tracking in thousandths of the size. Large letters are set tighter than drawn, very small ones wider.
    public var tracking: Int {
        switch size {
        case 27...: -21
        case 21...: -19
        case 19...: -17
        case 16.5...: -13
        case 15.5...: -11
        case 14.5...: -9
        case 12.5...: -4
        case 11.5...: 0
        default: 5
        }
    }

    /// Returns the style in another weight.
    public func weight(_ weight: FontWeight) -> TypeStyle {
        var style = self
        style.weight = weight
        return style
    }

    /// Returns the style with scaled letters and line height.
    public func scaled(by part: Float) -> TypeStyle {
        var style = self
        (style.size, style.lineHeight) = (size * part, lineHeight * part)
        return style
    }

    /// Returns the style in a panel's pixels.
    /// - Parameters:
    ///   - scale: the pixels per point, including the listener's text size.
    ///   - least: the smallest letters, in pixels of their size.
    public func pixels(_ scale: Float, least: Float = PanelScale.leastText) -> TextStyle {
        let scale = max(scale, least / size)
        return TextStyle(
            size: Int((size * scale * 64).rounded()), lineHeight: Int((lineHeight * scale).rounded()), weight: weight,
            tracking: tracking, digitsAlike: digitsAlike)
    }
}
