// SPDX-License-Identifier: Apache-2.0
/// The present part of a recording that a network brings. It never asks for what is missing, and so never makes the network go there.
/// Worker thread.
public final class ArrivedSource: ByteSource {
    private let source: any ByteSource
    public let byteCount: Int64?
    public var isSeekable: Bool { true }
    /// Something was looked for that has yet to come.
    private(set) var isMissingBytes = false

    /// - Parameter byteCount: of the whole, or of its front alone; nil if it is unknown.
    init(_ source: any ByteSource, byteCount: Int64?) {
        self.source = source
        self.byteCount = byteCount
    }

    /// The tags in front of the audio, and nothing of that.
    public convenience init(tagsOf source: any ByteSource) throws(MediaError) {
        self.init(source, byteCount: try MediaHead(ArrivedSource(source, byteCount: nil)).start)
    }

    public func readyBytes(at offset: Int64, most: Int) -> Int? { source.available(at: offset, most: most) }

    public func available(at offset: Int64, most: Int) -> Int { source.available(at: offset, most: most) }

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceError) -> Int {
        let left = byteCount.map { max(0, $0 - max(0, offset)) } ?? .max
        let wanted = Int(min(Int64(buffer.count), left))
        if source.available(at: offset, most: wanted) < wanted {
            isMissingBytes = true
            throw .notThereYet("what has come")
        }
        return try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
    }
}

extension Tags {
    /// Reads the tags of a recording in its present part. Worker thread.
    /// - Throws: `SourceError.notThereYet` where that is too little.
    public init(arrivedOf source: MediaSource) throws(MediaError) {
        let opened: any ByteSource
        do throws(SourceError) { opened = try source.open() } catch { throw .source(error) }
        if source.isWhole {
            self = try MediaProbe(opened).tags
            return
        }
        let all = ArrivedSource(opened, byteCount: source.stream?.lengthBytes)
        let head = try MediaHead(all)
        if let format = try MediaFormats.format(of: head) {
            let probe = try format.probe(head)
            if all.isMissingBytes { throw .source(.notThereYet(source.name)) }
            self = probe.tags
            return
        }
        // MPEG audio has tags at its end, too. Those are read once it is whole.
        let front = try ArrivedSource(tagsOf: opened)
        self.init(of: front)
        if front.isMissingBytes { throw .source(.notThereYet(source.name)) }
    }
}
