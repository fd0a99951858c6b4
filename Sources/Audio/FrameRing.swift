// SPDX-License-Identifier: Apache-2.0
import Realtime

/// A deck's ring as one of interleaved 16-bit frames, none of which is ever cut by its wrap: a deck pulls from it if another thread, which
/// may wait and allocate, decodes its recording ahead.
public struct FrameRing: BitwiseCopyable {
    private let shared: UnsafeMutablePointer<DeckShared>
    public let channels: Int

    /// The ring must be empty, with a capacity of whole frames.
    @_noLocks @_noAllocation
    init(_ shared: UnsafeMutablePointer<DeckShared>, channels: Int) {
        self.shared = shared
        self.channels = channels
    }

    /// Producer: room for whole frames up to the wrap.
    public func reserve() -> UnsafeMutableBufferPointer<Int16> {
        shared.pointee.ring.reserve().assumingMemoryBound(to: Int16.self)
    }

    /// Producer: has filled so many frames of the reserved room.
    public func commit(_ frames: Int) { shared.pointee.ring.commit(frames * channels * 2) }

    /// Consumer: the number of whole frames from `samples` to the wrap.
    @_noLocks @_noAllocation
    func peek(samples: inout UnsafePointer<Int16>?) -> Int {
        let ready = shared.pointee.ring.peek()
        samples = ready.baseAddress?.assumingMemoryBound(to: Int16.self)
        return ready.count / (channels * 2)
    }

    /// Consumer: has used so many frames.
    @_noLocks @_noAllocation
    func consume(_ frames: Int) { shared.pointee.didTake(frames * channels * 2) }
}
