import Posix

/// Goes through a whole stream part by part, to learn how long it is and how to begin anywhere in it.
public final class SeekTableWalk {
    private let source: MediaSource
    /// Of MPEG audio.
    private var walk: FrameWalk?
    /// Of another format.
    private var making: (any SeekTableMaking)?
    /// Known once `step` has returned true; nil where the source could not be read or holds no audio.
    public private(set) var result: SeekTable?

    public init(_ source: MediaSource) { self.source = source }

    public convenience init(path: String) { self.init(.file(path: path)) }

    /// One read and what it holds; true when done. Worker thread.
    public func step() -> Bool {
        let isFirst = walk == nil && making == nil
        if isFirst && Fuse.refuses(source.name) { return true }
        let mark = Fuse.begin(source.name)
        defer { Fuse.end(mark) }
        do throws(MediaError) {
            if isFirst {
                if try begin() { return true }
            }
            if let walk, try walk.step() { return false }
            if let making, try !making.step() { return false }
        } catch {
            walk = nil
            making = nil
            return true
        }
        result = walk?.index().map { SeekTable($0) } ?? making?.table
        walk = nil
        making = nil
        return true
    }

    /// True where a look is all that it takes.
    private func begin() throws(MediaError) -> Bool {
        let opened: any ByteSource
        do throws(SourceError) { opened = try source.open() } catch { throw .source(error) }
        let head = try MediaHead(opened)
        guard let format = try MediaFormats.format(of: head) else {
            walk = FrameWalk(try FrameStream(opened))
            return false
        }
        making = try format.seekTableWalk(head)
        if making != nil { return false }
        result = try format.probe(head).durationMilliseconds.map { SeekTable(durationMilliseconds: $0, own: []) }
        return true
    }
}
