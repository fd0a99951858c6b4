// SPDX-License-Identifier: Apache-2.0
/// The identity of audio: the number of its bytes without tags, and a hash of samples of them. Renaming, moving and retagging a file do not
/// change it.
///
/// The samples are 8 pieces of 4 KiB, the first at the start of the audio, the last at its end, the others evenly between. Audio that is no
/// longer than these is hashed whole. Their bytes in order are hashed by XXH64 with the length as seed
/// (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md). So a file of 300 MB costs 32 KiB of reading. The hash distinguishes
/// contents; it is no defense against deliberate collisions.
public struct ContentIdentity: Hashable, Sendable {
    public let hash: UInt64
    /// The length of the audio, without tags.
    public let audioBytes: Int64

    public init(hash: UInt64, audioBytes: Int64) {
        self.hash = hash
        self.audioBytes = audioBytes
    }
}
