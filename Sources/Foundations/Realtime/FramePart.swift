// SPDX-License-Identifier: Apache-2.0
/// A piece of the output of a step that changes a recording's tempo or level.
public struct FramePart: BitwiseCopyable {
    /// The interleaved samples, valid until the next call.
    public var samples: UnsafePointer<Int16>
    public var frames: Int
    /// The number of frames of the recording that were left out before these.
    public var skipped: Int

    @_noLocks @_noAllocation
    init(_ samples: UnsafePointer<Int16>, _ frames: Int, skipped: Int = 0) {
        self.samples = samples
        self.frames = frames
        self.skipped = skipped
    }
}
