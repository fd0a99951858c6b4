// SPDX-License-Identifier: Apache-2.0
import Streams

/// A recording that the cache cannot hold: it plays as it comes, and none of it is kept. This type decides about requests and answers. A
/// value without a network.
struct PassingRecording: Equatable {
    /// The place of the next wanted byte.
    private(set) var place: Int64
    private var tag: String
    /// The length of the whole; nil if it is unknown: it may be endless.
    private var length: Int64?
    /// The remaining bytes of the answer that the listener has heard already.
    private var skipped: Int64 = 0

    init(from place: Int64, tag: String, length: Int64?) {
        self.place = place
        self.tag = tag
        self.length = length
    }

    func request() -> FetchPlan.Request {
        place > 0 && length != nil ? FetchPlan.Request(range: "\(place)-", ifRange: tag) : FetchPlan.Request()
    }

    mutating func judge(_ head: ResponseHead) -> FetchPlan.Body {
        skipped = 0
        switch head.status {
        case 200:
            if let length, head.contentLength != length { return PassingRecording.other }
            // A stream of unknown length continues at its place.
            if length != nil { skipped = place }
        case 206:
            guard head.rangeFirst == place else {
                return .notNow("the server sends another part than was asked for", afterSeconds: nil)
            }
            if let total = head.rangeTotal, total != length { return PassingRecording.other }
        case 416: return head.rangeTotal == place ? .isWhole : PassingRecording.other
        default: return head.noRecording
        }
        if !tag.isEmpty && !head.strongTag.isEmpty && !tag.utf8.elementsEqual(head.strongTag.utf8) {
            return PassingRecording.other
        }
        return .passing
    }

    private static var other: FetchPlan.Body { .never("the server has another recording there now") }

    /// Returns the new bytes of those that have come.
    mutating func new(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let count = Int(min(skipped, Int64(bytes.count)))
        skipped -= Int64(count)
        return UnsafeRawBufferPointer(rebasing: bytes[count...])
    }

    mutating func didTake(_ count: Int) { place += Int64(count) }

    /// True if every byte has arrived, at the regular end of the connection.
    var isWhole: Bool { length.map { place >= $0 } ?? true }
}
