// SPDX-License-Identifier: Apache-2.0
/// A condition on a sticker's value, which is compared byte by byte.
public enum StickerComparison: Sendable {
    case equals(String)
    case isLess(String)
    case isGreater(String)
}
