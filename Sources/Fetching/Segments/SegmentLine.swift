// SPDX-License-Identifier: Apache-2.0
import Posix

/// The progress in a playlist, and the joint of new segments to earlier ones. A value without a network.
struct SegmentLine {
    enum Next {
        /// The index of a segment in the list.
        case segment(Int)
        /// The server marks the segment as missing.
        case gap
        /// The number of segments that have gone from the list.
        case fellBehind(Int64)
        case end
        /// The delay after loading the list before it is requested again.
        case reload(Int)
    }

    /// The number of segments from a station's end at which it starts, as the RFC has it.
    private static let liveSegments = 3
    private static let stillReloads = 4

    private(set) var list: MediaPlaylist
    /// The rendition of that list.
    private(set) var rendition = 0
    private(set) var loadedAt = MonotonicTime.now
    private(set) var isEmpty = true
    /// The number of the next segment.
    private var number: Int64 = 0
    /// The place of that segment in a recording.
    private var position: Int64 = 0
    private var unchanged = 0

    /// The rendition of the last joined segment; `kind` is its kind.
    private var joinedOf: Int?
    private var kind: UInt32?
    /// True if something was joined by this process, and not only by an earlier one.
    private(set) var hasJoined = false

    init() {
        // An empty list does no harm.
        list = MediaPlaylist()
    }

    func isOf(_ rendition: Int) -> Bool { !isEmpty && self.rendition == rendition }
    var hasBegun: Bool { kind != nil }
    /// True if the next segment does not follow the last joined one.
    var hasChanged: Bool { joinedOf != rendition }
    /// True if the station has sent nothing new for a while.
    var isStandingStill: Bool { unchanged >= SegmentLine.stillReloads }

    mutating func take(_ list: MediaPlaylist, _ rendition: Int) {
        let isSame = !isEmpty && self.rendition == rendition
        let last = list.firstSequence + Int64(list.segments.count)
        let before = self.list.firstSequence
        let isFirst = isEmpty
        unchanged = isSame && last == self.list.firstSequence + Int64(self.list.segments.count) ? unchanged + 1 : 0
        loadedAt = .now
        if isEmpty && !list.isEnded {
            number = max(list.firstSequence, last - Int64(SegmentLine.liveSegments))
        } else if isEmpty {
            number = list.firstSequence
        } else if list.isEnded && !isSame {
            number = list.firstSequence + Int64(list.index(near: position))
        }
        self.list = list
        self.rendition = rendition
        isEmpty = false
        // A station that counts from the start again. A list that is only older contains some present segments.
        let isAnew = number > last + 100 || isSame && list.firstSequence < before && last <= before
        if !list.isEnded && !isFirst && isAnew {
            number = max(list.firstSequence, last - Int64(SegmentLine.liveSegments))
            joinedOf = nil
        }
    }

    /// Starts behind the present segments of a recording.
    mutating func begin(behind parts: CacheMap.Parts) {
        if parts.done == 0 { return }
        number = list.firstSequence + parts.done
        kind = UInt32(truncatingIfNeeded: parts.kind)
        joinedOf = Int(clamping: parts.rendition)
        position = list.milliseconds(before: Int(parts.done))
    }

    mutating func next() -> Next {
        if number < list.firstSequence {
            let count = list.firstSequence - number
            number = list.firstSequence
            joinedOf = nil
            return .fellBehind(count)
        }
        let index = number - list.firstSequence
        if index < Int64(list.segments.count) {
            return list.segments[Int(index)].isGap ? .gap : .segment(Int(index))
        }
        if list.isEnded { return .end }
        // Half as long for an unchanged list; longer again if nothing comes for long.
        let half = list.targetMilliseconds / 2
        return .reload(unchanged == 0 ? list.targetMilliseconds : half * max(1, min(6, unchanged - 2)))
    }

    /// The last request.
    var pending: Next {
        let index = number - list.firstSequence
        return index >= 0 && index < Int64(list.segments.count) ? .segment(Int(index)) : .end
    }

    /// Returns whether a segment's sound can follow the present one.
    func takes(_ sound: SegmentSound, at index: Int) -> Bool {
        guard let kind, kind != sound.kind.number else { return true }
        // The decoder handles MPEG audio that changes its rate at an announced discontinuity.
        return list.segments[index].isDiscontinuous && !hasChanged && kind & 1 == 0 && sound.kind.number & 1 == 0
    }

    mutating func passOver() {
        guard case .segment(let index) = pending else { return }
        position += Int64(list.segments[index].milliseconds)
        number += 1
        joinedOf = nil
    }

    mutating func didJoin(_ sound: SegmentSound) {
        if case .segment(let index) = pending { position = list.milliseconds(before: index + 1) }
        hasJoined = true
        kind = sound.kind.number
        joinedOf = rendition
        number += 1
    }

    /// The present segments of a recording.
    var parts: CacheMap.Parts {
        CacheMap.Parts(
            done: number - list.firstSequence, all: Int64(list.segments.count), milliseconds: list.milliseconds,
            kind: Int64(kind ?? 0), rendition: Int64(rendition))
    }
}
