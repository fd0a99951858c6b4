// SPDX-License-Identifier: Apache-2.0
import Foundation
import Model
import TestSupport
import Testing

@testable import Library

@Suite struct ContentIdentityTests {
    /// Of the specification's reference implementation, xxhsum 0.8 and python-xxhash 3.
    @Test(
        arguments: [
            ([], 0, 0xEF46_DB37_51D8_E999),
            (Array("a".utf8), 0, 0xD24E_C4F1_A98C_6E5B),
            (Array("abc".utf8), 0, 0x44BC_2CF5_AD77_0999),
            (Array("Nobody inspects the spammish repetition".utf8), 0, 0xFBCE_A83C_8A37_8BF1),
        ] as [([UInt8], UInt64, UInt64)])
    func hashesAsTheSpecificationSays(bytes: [UInt8], seed: UInt64, expected: UInt64) {
        #expect(xxHash64(bytes, seed: seed) == expected)
    }

    /// The self-test of xxhsum, in its source's XSUM_XXH64_testdata: every length that takes another way through the function. A changed
    /// hash would make every known item a new one.
    @Test(
        arguments: [
            (0, 0, 0xEF46_DB37_51D8_E999), (0, 0x9E37_79B1, 0xAC75_FDA2_929B_17EF),
            (1, 0, 0xE934_A84A_DB05_2768), (1, 0x9E37_79B1, 0x5014_6076_43A9_B4C3),
            (4, 0, 0x9136_A0DC_A574_57EE),
            (14, 0, 0x8282_DCC4_994E_35C8), (14, 0x9E37_79B1, 0xC3BD_6BF6_3DEB_6DF0),
            (222, 0, 0xB641_AE8C_B691_C174), (222, 0x9E37_79B1, 0x20CB_8AB7_AE10_C14A),
        ] as [(Int, UInt64, UInt64)])
    func hashesAsXxhsumDoes(length: Int, seed: UInt64, expected: UInt64) {
        var state: UInt64 = 0x9E37_79B1
        let bytes = (0..<length).map { _ in
            defer { state &*= 0x9E37_79B1_85EB_CA8D }
            return UInt8(state >> 56)
        }
        #expect(xxHash64(bytes, seed: seed) == expected)
    }

    /// The value that a speaker of release 0.1 has stored for such a file.
    @Test func identitiesStayTheSame() throws {
        var random = SeededGenerator(seed: 64)
        let audio = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        #expect(try #require(identity(audio)).hash == 0xC154_78ED_6F5B_C5CB)
        #expect(try #require(identity(Array(audio.prefix(1001)))).hash == 0x21E7_23DB_70FC_B263)
    }

    private func identity(_ file: [UInt8], start: Int = 0, end: Int? = nil) -> ContentIdentity? {
        ContentIdentity(audioStart: Int64(start), audioEnd: Int64(end ?? file.count)) { offset, buffer in
            guard offset >= 0, offset <= Int64(file.count) else { return -1 }
            let rest = file[Int(offset)...].prefix(buffer.count)
            buffer.copyBytes(from: rest)
            return rest.count
        }
    }

    @Test(arguments: [1, 2, 4095, 4096, 4097, 32767, 32768, 32769, 40_000, 1_000_003])
    func tagsDoNotCount(length: Int) throws {
        var random = SeededGenerator(seed: UInt64(length))
        let audio = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        let bare = try #require(identity(audio))
        #expect(bare.audioBytes == Int64(length))
        for tag in [1, 10, 128, 5000, 100_000] {
            let tagged = [UInt8](repeating: 7, count: tag) + audio + [UInt8](repeating: 9, count: 128)
            #expect(identity(tagged, start: tag, end: tag + length) == bare)
        }
        // One byte more or less is other content, and so is a changed byte at either end.
        #expect(identity(audio + [1]) != bare)
        #expect(identity(Array(audio.dropLast())) != bare)
        for at in [0, length - 1] {
            var changed = audio
            changed[at] ^= 1
            #expect(identity(changed) != bare)
        }
    }

    @Test func aLargeFileCostsEightSmallReadsInside() throws {
        let length: Int64 = 300 << 20
        var reads: [(Int64, Int)] = []
        let identity = ContentIdentity(audioStart: 1000, audioEnd: 1000 + length) { offset, buffer in
            reads.append((offset, buffer.count))
            return buffer.count
        }
        #expect(identity != nil)
        #expect(reads.count == 8)
        #expect(reads.reduce(0) { $0 + $1.1 } == 32768)
        #expect(reads.first?.0 == 1000)
        #expect(reads.last.map { $0.0 + Int64($0.1) } == 1000 + length)
        #expect(zip(reads, reads.dropFirst()).allSatisfy { $0.0 + Int64($0.1) <= $1.0 })
    }

    @Test func everySampleCounts() throws {
        let audio = [UInt8](repeating: 3, count: 100_000)
        var offsets: [Int64] = []
        let bare = try #require(
            ContentIdentity(audioStart: 0, audioEnd: 100_000) { offset, buffer in
                offsets.append(offset)
                buffer.copyBytes(from: audio[Int(offset)...].prefix(buffer.count))
                return buffer.count
            })
        for offset in offsets {
            var changed = audio
            changed[Int(offset) + 2048] = 4
            #expect(identity(changed) != bare)
        }
    }

    @Test func whatCannotBeReadHasNoIdentity() {
        #expect(identity([]) == nil)
        #expect(identity([1, 2, 3], start: 2, end: 2) == nil)
        #expect(identity([1, 2, 3], start: 3, end: 1) == nil)
        #expect(identity([1, 2, 3], start: -1, end: 2) == nil)
        #expect(identity([1, 2, 3], start: 0, end: 4) == nil)
        for length in [Int64.max, Int64.max - 1, 1 << 60] {
            #expect(ContentIdentity(audioStart: 0, audioEnd: length) { _, _ in -1 } == nil)
            #expect(ContentIdentity(audioStart: Int64.min, audioEnd: length) { _, _ in -1 } == nil)
            var last: Int64 = 0
            let whole = ContentIdentity(audioStart: 0, audioEnd: length) { offset, buffer in
                last = offset
                return buffer.count
            }
            #expect(whole?.audioBytes == length)
            #expect(last == length - 4096)
        }
    }
}
