// SPDX-License-Identifier: Apache-2.0
import Realtime

/// A deck's ring as a ring of interleaved 16-bit frames, which the wrap never splits. A deck uses it if another thread, which may wait and
/// allocate, decodes ahead.
public struct FrameRing: BitwiseCopyable {
    private let shared: UnsafeMutablePointer<DeckShared>
    public let channels: Int

    /// Makes the view. The ring must be empty, with a capacity of whole frames.
    @_noLocks @_noAllocation
    init(_ shared: UnsafeMutablePointer<DeckShared>, channels: Int) {
        self.shared = shared
        self.channels = channels
    }

    /// Producer: returns room for whole frames up to the wrap.
    public func reserve() -> UnsafeMutableBufferPointer<Int16> {
        shared.pointee.ring.reserve().assumingMemoryBound(to: Int16.self)
    }

    /// Producer: commits so many frames.
    public func commit(_ frames: Int) { shared.pointee.ring.commit(frames * channels * 2) }

    /// Consumer: returns the number of whole frames from `samples` to the wrap.
    @_noLocks @_noAllocation
    func peek(samples: inout UnsafePointer<Int16>?) -> Int {
        let ready = shared.pointee.ring.peek()
        samples = ready.baseAddress?.assumingMemoryBound(to: Int16.self)
        return ready.count / (channels * 2)
    }

    /// Consumer: releases so many frames.
    @_noLocks @_noAllocation
    func consume(_ frames: Int) { shared.pointee.didTake(frames * channels * 2) }
}
