// SPDX-License-Identifier: Apache-2.0
/// A part of the output of a step that changes a recording's time or level.
public struct FramePart: BitwiseCopyable {
    /// Channels interleaved, good until the next call.
    public var samples: UnsafePointer<Int16>
    public var frames: Int
    /// Frames of the recording that were left out before these.
    public var skipped: Int

    @_noLocks @_noAllocation
    init(_ samples: UnsafePointer<Int16>, _ frames: Int, skipped: Int = 0) {
        self.samples = samples
        self.frames = frames
        self.skipped = skipped
    }
}
