/// Which values of a sticker are meant: compared byte by byte.
public enum StickerComparison: Sendable {
    case equals(String)
    case isLess(String)
    case isGreater(String)
}
