// SPDX-License-Identifier: Apache-2.0
import Posix

/// Goes through a whole stream part by part, to learn how long it is and how to begin anywhere in it.
public final class SeekTableWalk {
    private let source: MediaSource
    private var making: (any SeekTableMaking)?
    /// Known once `step` has returned true; nil where the source could not be read or holds no audio.
    public private(set) var result: SeekTable?

    public init(_ source: MediaSource) { self.source = source }

    public convenience init(path: String) { self.init(.file(path: path)) }

    /// One read and what it holds; true when done. Worker thread.
    public func step() -> Bool {
        if making == nil && Fuse.refuses(source.name) { return true }
        let mark = Fuse.begin(source.name)
        defer { Fuse.end(mark) }
        do throws(MediaError) {
            if making == nil, try begin() { return true }
            if try making?.step() != true { return false }
            result = making?.table
        } catch {}
        making = nil
        return true
    }

    /// True where a look is all that it takes.
    private func begin() throws(MediaError) -> Bool {
        let opened: any ByteSource
        do throws(SourceError) { opened = try source.open() } catch { throw .source(error) }
        let head = try MediaHead(opened)
        guard let format = try MediaFormats.format(of: head) else {
            making = try FrameStream(opened, notingEvery: FrameStream.walkStep)
            return false
        }
        making = try format.seekTableWalk(head)
        if making != nil { return false }
        result = try format.probe(head).durationMilliseconds.map { SeekTable(durationMilliseconds: $0, own: []) }
        return true
    }
}
