import Model

/// What the console needs for the stickers of songs: what clients note of them, names with values. Control thread.
///
/// Paths are as in `ConsoleSpeaker.contents`; `.noExist` is thrown for what is no song of the library.
public protocol ConsoleStickers: AnyObject {
    /// nil where the song has none of this name.
    func sticker(_ name: String, of uri: String) throws(ConsoleError) -> String?
    /// All of a song, by name.
    func stickers(of uri: String) throws(ConsoleError) -> [(name: String, value: String)]
    func setSticker(_ name: String, of uri: String, to value: String) throws(ConsoleError)
    /// - Parameter name: nil for all of the song's.
    /// - Returns: whether there was one.
    func removeSticker(_ name: String?, of uri: String) throws(ConsoleError) -> Bool
    /// The songs below a folder ("" is the whole library) that have a sticker of this name.
    func stickers(
        named name: String, below uri: String, _ comparison: StickerComparison?
    ) -> Pages<(uri: String, value: String)>
}
