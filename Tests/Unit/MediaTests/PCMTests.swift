// SPDX-License-Identifier: Apache-2.0
import Foundation
import FuzzWork
import Posix
import TestSupport
import Testing

@testable import Media

@Suite struct PCMTests {
    private func decoded(_ file: [UInt8], from frame: Int64 = 0, piece: Int = 1000) throws -> [Int16] {
        let decoder = try #require(try MediaFormats.decoder(MemorySource(file), nil))
        if frame > 0 { try decoder.seek(toFrame: frame) }
        var samples: [Int16] = []
        var buffer = [Int16](repeating: 0, count: piece * decoder.channels)
        while true {
            let count = try buffer.withUnsafeMutableBufferPointer {
                try decoder.decode(into: $0.baseAddress!, frames: piece)
            }
            if count == 0 { return samples }
            samples += buffer[..<(count * decoder.channels)]
        }
    }

    private static func noise(_ count: Int, seed: UInt64 = 1) -> [Int16] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in Int16.random(in: .min ... .max, using: &random) }
    }

    private func bytes(_ samples: [Int16], isBig: Bool = false) -> [UInt8] {
        samples.flatMap { isBig ? SoundFiles.big(Int($0), 2) : SoundFiles.little(Int($0), 2) }
    }

    @Test func sixteenBitsComeAsTheyAre() throws {
        let samples = PCMTests.noise(20_000)
        for file in [
            SoundFiles.wave(bytes(samples), channels: 2),
            SoundFiles.wave(bytes(samples), channels: 2, extensible: true),
            SoundFiles.wave(bytes(samples), channels: 2, before: SoundFiles.chunk("JUNK", [1, 2, 3])),
            SoundFiles.wave(bytes(samples), channels: 2, dataSaid: 0),
            SoundFiles.wave(bytes(samples), channels: 2, dataSaid: 0xFFFF_FFFF),
            SoundFiles.wave(
                bytes(samples), channels: 2, riff: "RF64",
                before: SoundFiles.chunk(
                    "ds64", SoundFiles.little(0, 8) + SoundFiles.little(40_000, 8) + SoundFiles.little(0, 12)),
                after: SoundFiles.chunk("LIST", Array("INFO".utf8)), dataSaid: 0xFFFF_FFFF),
            SoundFiles.aiff(bytes(samples, isBig: true), channels: 2),
            SoundFiles.aiff(bytes(samples, isBig: true), compression: "twos", channels: 2),
            SoundFiles.aiff(bytes(samples, isBig: true), compression: "NONE", channels: 2),
            SoundFiles.aiff(bytes(samples), compression: "sowt", channels: 2),
        ] {
            #expect(try decoded(file) == samples)
            #expect(try decoded(file, from: 777, piece: 13) == Array(samples[1554...]))
            let probe = try MediaProbe(MemorySource(file))
            #expect(probe.sampleRate == 22050 && probe.channels == 2 && probe.durationMilliseconds == 454)
            #expect(probe.audio.byteCount == 40_000)
        }
    }

    /// Rounded to the nearest and clamped, never wrapped.
    @Test func otherWidthsAreBroughtToSixteenBits() throws {
        func wide(_ values: [Int], _ count: Int, isBig: Bool = false) -> [UInt8] {
            values.flatMap { isBig ? SoundFiles.big($0, count) : SoundFiles.little($0, count) }
        }
        let twentyFour = [0, 127, 128, -128, -129, 0x7F_FFFF, -0x80_0000, 0x12_3456]
        let expected24: [Int16] = [0, 0, 1, 0, -1, .max, .min, 0x1234]
        #expect(try decoded(SoundFiles.wave(wide(twentyFour, 3), bits: 24)) == expected24)
        #expect(try decoded(SoundFiles.aiff(wide(twentyFour, 3, isBig: true), bits: 24)) == expected24)
        let thirtyTwo = [0, 32767, 32768, -32768, -32769, Int(Int32.max), Int(Int32.min)]
        let expected32: [Int16] = [0, 0, 1, 0, -1, .max, .min]
        #expect(try decoded(SoundFiles.wave(wide(thirtyTwo, 4), bits: 32)) == expected32)
        #expect(try decoded(SoundFiles.wave([0, 128, 255, 64], bits: 8)) == [.min, 0, 127 << 8, -64 << 8])
        #expect(try decoded(SoundFiles.aiff([0, 0x80, 0x7F, 0xFF], bits: 8)) == [0, .min, 127 << 8, -1 << 8])
        let floats: [Double] = [
            0, 1, -1, 2, -2, .nan, .infinity, -.infinity, 0.5, 1.4 / 32768, 1.6 / 32768, -1.6 / 32768, -0.4 / 32768,
        ]
        let expected: [Int16] = [0, .max, .min, .max, .min, 0, .max, .min, 16384, 1, 2, -2, 0]
        let single = floats.flatMap { SoundFiles.little(Int(Float($0).bitPattern), 4) }
        let double = floats.flatMap { SoundFiles.little(Int(bitPattern: UInt(Double($0).bitPattern)), 8) }
        #expect(try decoded(SoundFiles.wave(single, tag: 3, bits: 32)) == expected)
        #expect(try decoded(SoundFiles.wave(double, tag: 3, bits: 64)) == expected)
        let bigSingle = floats.flatMap { SoundFiles.big(Int(Float($0).bitPattern), 4) }
        #expect(try decoded(SoundFiles.aiff(bigSingle, compression: "fl32", bits: 32)) == expected)
    }

    @Test func moreThanTwoChannelsAreMixedDown() throws {
        // One channel at a time at full scale: each comes to its own side, none clips, the subwoofer is left out.
        for channels in 3...8 {
            for sounding in 0..<channels {
                var samples = [Int16](repeating: 0, count: channels * 10)
                for frame in 0..<10 { samples[frame * channels + sounding] = .max }
                let mixed = try decoded(SoundFiles.wave(bytes(samples), channels: channels))
                #expect(mixed.count == 20)
                if sounding == 0 { #expect(mixed[0] > 8000 && mixed[1] == 0) }
                if sounding == 1 { #expect(mixed[1] > 8000 && mixed[0] == 0) }
                if channels == 6 && sounding == 3 { #expect(mixed[0] == 0 && mixed[1] == 0) }
            }
            let loud = [Int16](repeating: .max, count: channels * 10)
            #expect(try decoded(SoundFiles.wave(bytes(loud), channels: channels))[0] > 32700)
        }
        #expect {
            try MediaFormats.decoder(MemorySource(SoundFiles.wave([UInt8](repeating: 0, count: 180), channels: 9)), nil)
        } throws: { if case .unsupported("sound of 9 channels")? = $0 as? MediaError { true } else { false } }
    }

    @Test func whatCannotBePlayedIsNamed() throws {
        func name(_ file: [UInt8]) -> String? {
            do {
                _ = try MediaProbe(MemorySource(file))
                return nil
            } catch {
                guard case .unsupported(let what) = error else { return "\(error)" }
                return what
            }
        }
        let rest = [UInt8](repeating: 0, count: 4000)
        #expect(name(SoundFiles.wave(rest, tag: 0x11, bits: 4)) == "a WAV file with ADPCM")
        #expect(name(SoundFiles.aiff(rest, compression: "ima4")) == "an AIFF-C file with encoding ima4")
        #expect(name([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11] + rest) == "Windows Media audio")
        #expect(name(Array("MAC ".utf8) + rest) == "Monkey's Audio")
        #expect(name(Array("OggS".utf8) + rest) == "an Ogg file with a codec that is not known here")
        // MPEG audio in a WAV file is MPEG audio.
        #expect(try MediaFormats.format(of: MediaHead(MemorySource(SoundFiles.wave(rest, tag: 0x55)))) == nil)
    }

    @Test func textsAndPicturesAreFound() throws {
        let info =
            Array("INFO".utf8) + SoundFiles.chunk("INAM", Array("Title\0".utf8))
            + SoundFiles.chunk("IART", Array("Me".utf8))
            + SoundFiles.chunk("ICRD", Array("1999\0".utf8))
        let picture = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 9, count: 5000)
        let id3 = TagWriter.tag([
            TagWriter.text("TIT2", "Better"),
            TagWriter.frame("APIC", [0] + Array("image/jpeg".utf8) + [0, 3, 0] + picture),
        ])
        let wave = SoundFiles.wave(
            bytes(PCMTests.noise(1000)),
            after: SoundFiles.chunk("LIST", info) + SoundFiles.chunk("id3 ", id3))
        let tags = try MediaProbe(MemorySource(wave)).tags
        #expect(tags.list[.title] == "Better" && tags.list[.artist] == "Me" && tags.list[.date] == "1999")
        #expect(tags.cover?.byteCount == Int64(picture.count))
        let aiff = SoundFiles.aiff(
            bytes(PCMTests.noise(1000), isBig: true),
            after: SoundFiles.chunk("NAME", Array("Name".utf8), isBig: true)
                + SoundFiles.chunk("AUTH", Array("Author".utf8), isBig: true)
                + SoundFiles.chunk("ID3 ", id3, isBig: true))
        let other = try MediaProbe(MemorySource(aiff)).tags
        #expect(other.list[.title] == "Better" && other.list[.artist] == "Author" && other.hasArtwork)
        for file in [wave, aiff] { #expect(try EmbeddedPictures.read(file)?.bytes == picture) }
        // The audio is known by its samples alone.
        #expect(try MediaProbe(MemorySource(wave)).audio.byteCount == 2000)
    }
}

/// Reads the picture out of a file's bytes, as the speaker does.
enum EmbeddedPictures {
    static func read(_ file: [UInt8]) throws -> Picture? {
        let path = NSTemporaryDirectory() + "embedded-\(UInt64.random(in: 0 ... .max))"
        try Data(file).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let reading = PictureReading(.file(path: path), isEmbedded: true)
        while try !reading.step() {}
        return reading.picture
    }
}
