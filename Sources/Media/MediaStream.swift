// SPDX-License-Identifier: Apache-2.0
/// A recording from a network, as playback sees it.
public protocol MediaStream: AnyObject, Sendable {
    /// The address for messages, without secrets.
    var name: String { get }
    /// True if enough has arrived for the first second; control thread.
    var isReady: Bool { get }
    /// True while the bytes that a reader last missed are still missing. Any thread.
    var isMissingBytes: Bool { get }
    /// True if everything has arrived, as in a file. Any thread.
    var isWhole: Bool { get }
    /// True if more bytes may arrive. Any thread.
    var mayBringMore: Bool { get }
    /// True for an endless live stream, without positions to seek to. Any thread.
    var isLive: Bool { get }
    /// True if a later position can be fetched first. Any thread.
    var takesJumps: Bool { get }
    /// The total length; nil if unknown or endless. Any thread.
    var lengthBytes: Int64? { get }
    /// Returns true if no byte is missing before a position. Any thread.
    func hasAll(upTo place: Int64) -> Bool
    /// Reports the start of playback: a live stream may drop its beginning from now on. Feed thread.
    /// - Parameter isRejoinable: true if it can be opened again in its middle.
    func didBegin(isRejoinable: Bool)
    /// Reports the number of bytes for a second of playback. Feed thread.
    func learn(secondBytes: Int)
    /// Reports the number of bytes that were read but not decoded yet. Feed thread.
    func holds(bytes: Int)
    /// Reports that playback waits for more bytes. Feed thread, any number of times.
    func starves()
    /// Opens the stream. Feed and worker threads.
    func open() throws(SourceError) -> any ByteSource
}
