// SPDX-License-Identifier: Apache-2.0
/// A recording with bytes from a network, as playing sees it.
public protocol MediaStream: AnyObject, Sendable {
    /// Its address, for messages: nothing secret.
    var name: String { get }
    /// Enough is there for the first second; control thread.
    var isReady: Bool { get }
    /// The bytes that a reader last missed are still missing: another look finds no more than before. Any thread.
    var isMissingBytes: Bool { get }
    /// All of it is there, as in a file. Any thread.
    var isWhole: Bool { get }
    /// More is to come, or may be. Any thread.
    var mayBringMore: Bool { get }
    /// It goes on for ever and begins now: there is no place to go to. Any thread.
    var isLive: Bool { get }
    /// A place can be fetched before what comes before it. Any thread.
    var takesJumps: Bool { get }
    /// Of the whole; nil if it is unknown or endless. Any thread.
    var lengthBytes: Int64? { get }
    /// Nothing is missing from the start up to there. Any thread.
    func hasAll(upTo place: Int64) -> Bool
    /// Playing has begun: a live stream may drop its beginning from now on. Feed thread.
    /// - Parameter isRejoinable: it can be opened again in its middle.
    func didBegin(isRejoinable: Bool)
    /// So many bytes play for a second. Feed thread.
    func learn(secondBytes: Int)
    /// So many bytes were read and are not decoded yet. Feed thread.
    func holds(bytes: Int)
    /// Sound has come to the end of what was read, and waits for more. Feed thread, any number of times.
    func starves()
    /// Feed and worker threads.
    func open() throws(SourceError) -> any ByteSource
}
