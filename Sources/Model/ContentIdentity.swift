// SPDX-License-Identifier: Apache-2.0
/// Knows an item by its audio: the number of its bytes without tags, and a hash over samples of them. Renaming, moving and retagging a file
/// leave it as it is.
///
/// The samples are 8 pieces of 4 KiB, the first at the start of the audio, the last at its end, the others evenly between (the whole audio
/// where it is no longer than the 8 together); their bytes in order are hashed by XXH64 with the length as seed
/// (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md). So a file of 300 MB costs 32 KiB of reading. The hash tells contents
/// apart; it is no defence against deliberate collisions.
public struct ContentIdentity: Hashable, Sendable {
    public let hash: UInt64
    /// Length of the audio, tags left out.
    public let audioBytes: Int64

    public init(hash: UInt64, audioBytes: Int64) {
        self.hash = hash
        self.audioBytes = audioBytes
    }
}
