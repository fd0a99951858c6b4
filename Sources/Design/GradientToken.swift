// SPDX-License-Identifier: Apache-2.0
import Pixels

/// The twelve gradients of backgrounds.
public enum GradientToken: Int, CaseIterable, Sendable {
    case peachRose, mintAqua, lilacBlush, skyLavender, sageMelon, butterLemon
    case icePeriwinkle, rosewoodPlum, coralMist, sproutMint, dawnPeach, duskBerry

    private var colors: (light: (UInt32, UInt32), dark: (UInt32, UInt32)) {
        switch self {
        case .peachRose: ((0xFDE4D2, 0xF9C7D6), (0x362128, 0x412932))
        case .mintAqua: ((0xD3F6F1, 0xB7E8F4), (0x13313D, 0x14444F))
        case .lilacBlush: ((0xE9E7FD, 0xDCD3F9), (0x24203B, 0x2E2946))
        case .skyLavender: ((0xDFF2FD, 0xD8DEFF), (0x15283A, 0x1C2541))
        case .sageMelon: ((0xE8F9E3, 0xFFF0CB), (0x29372A, 0x3A3724))
        case .butterLemon: ((0xFFF8DB, 0xFFE4C2), (0x3B3623, 0x46341F))
        case .icePeriwinkle: ((0xE6FAFF, 0xE9E6FF), (0x1F3540, 0x252B4A))
        case .rosewoodPlum: ((0xFCD5E8, 0xE5D1F8), (0x3A2436, 0x301E41))
        case .coralMist: ((0xFEE3D6, 0xEBD6F5), (0x3A2723, 0x33263B))
        case .sproutMint: ((0xE5F8D4, 0xCBF1E2), (0x283827, 0x1F4033))
        case .dawnPeach: ((0xFDE6D4, 0xF7E1FD), (0x3D2720, 0x2F233A))
        case .duskBerry: ((0xF3D8F2, 0xD8E1FF), (0x3A2638, 0x212849))
        }
    }

    /// Returns the gradient, from top left to bottom right.
    public func gradient(in theme: Theme) -> Gradient {
        let (from, to) = theme.isDark ? colors.dark : colors.light
        return Gradient(theme.deepened(Color(from)), theme.deepened(Color(to)))
    }
}

/// The order of gradients: each change of screen gets another one, never the same twice in a row.
public struct GradientSequence: Sendable {
    public private(set) var active: GradientToken
    private var random: UInt64

    /// - Parameter seed: the same seed gives the same gradients, for pictures to be compared.
    public init(seed: UInt64) {
        active = .peachRose
        random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    public mutating func next() {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        // Step to one of the eleven others.
        let step = Int(random >> 33) % (GradientToken.allCases.count - 1) + 1
        active = GradientToken(rawValue: (active.rawValue + step) % GradientToken.allCases.count) ?? .peachRose
    }
}
