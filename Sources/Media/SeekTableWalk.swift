// SPDX-License-Identifier: Apache-2.0
import Posix

/// Walks over a whole stream in parts, to find its length and to make it seekable.
public final class SeekTableWalk {
    private let source: MediaSource
    private var making: (any SeekTableMaking)?
    /// The result once `step` has returned true; nil if the source is unreadable or has no audio.
    public private(set) var result: SeekTable?

    public init(_ source: MediaSource) { self.source = source }

    public convenience init(path: String) { self.init(.file(path: path)) }

    /// Does one read and its work. Returns true when done. Worker thread.
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

    /// Returns true if opening it was enough.
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
