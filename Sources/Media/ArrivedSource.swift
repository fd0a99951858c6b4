// SPDX-License-Identifier: Apache-2.0
/// The part of a network recording that has arrived. It never requests missing bytes, so it never moves the download. Worker thread.
public final class ArrivedSource: ByteSource {
    private let source: any ByteSource
    public let byteCount: Int64?
    public var isSeekable: Bool { true }
    /// True if missing bytes were requested.
    private(set) var isMissingBytes = false

    /// - Parameter byteCount: the length of the whole, or of its beginning alone; nil if unknown.
    init(_ source: any ByteSource, byteCount: Int64?) {
        self.source = source
        self.byteCount = byteCount
    }

    /// Makes a source of the tags before the audio, without the audio.
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
    /// Reads the tags in the arrived part of a recording. Worker thread.
    /// - Throws: `SourceError.notThereYet` if too little has arrived.
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
        // MPEG audio has tags at its end, too. They are read once the file is complete.
        let front = try ArrivedSource(tagsOf: opened)
        self.init(of: front)
        if front.isMissingBytes { throw .source(.notThereYet(source.name)) }
    }
}
