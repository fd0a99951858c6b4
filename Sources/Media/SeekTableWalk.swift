/// Goes through a whole stream part by part, to learn how long it is and how to begin anywhere in it.
public final class SeekTableWalk {
    private let source: MediaSource
    private var walk: FrameWalk?
    /// Known once `step` has returned true; nil where the source could not be read or holds no audio.
    public private(set) var result: SeekTable?

    public init(_ source: MediaSource) { self.source = source }

    public convenience init(path: String) { self.init(.file(path: path)) }

    /// One read and what it holds; true when done. Worker thread.
    public func step() -> Bool {
        do throws(MediaError) {
            if walk == nil { walk = FrameWalk(try FrameStream(opening: source)) }
            if let walk, try walk.step() { return false }
        } catch {
            walk = nil
            return true
        }
        result = walk?.index().map { SeekTable($0) }
        walk = nil
        return true
    }
}
