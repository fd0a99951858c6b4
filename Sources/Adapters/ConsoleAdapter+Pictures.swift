import Console
import Library

/// Pictures of songs.
extension ConsoleAdapter {
    public func picture(of uri: String, _ place: PicturePlace) throws(ConsoleError) -> Awaited<PictureDescription?> {
        guard let item = library.item(path: names.path(of: uri)) else {
            if case .tags = place { throw ConsoleError(.noExist, "No such song") }
            return Awaited(.success(nil))
        }
        guard let pictures else { return Awaited(.success(nil)) }
        let awaited = Awaited<PictureDescription?>()
        stored.wait(awaited) { done in pictures.picture(of: item.path, place, finish: done) }
        return awaited
    }
}
