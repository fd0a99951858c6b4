// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Scenes

/// One cover after another, and those that cannot be read.
@Suite struct Covers {
    // MARK: Files

    /// A JPEG of 64 × 64, with colours down to its last line.
    private static let jpeg = [UInt8](
        Data(
            base64Encoded:
                "/9j/2wBDAAgoKC8oLzc3Nzc3N0E8QUNDQ0FBQUFDQ0NISEhVVVVISEhDQ0hIUFBVVVxfXFdXVVdfX2RkZHh4c3OMjJGsrM//"
                + "xACHAAEBAQEBAQAAAAAAAAAAAAAHCAYEAQUBAQADAQEBAAAAAAAAAAAAAAcGCAUABAMQAAIBAgIFCwUBAQAAAAAAAAABAgMR"
                + "QQRxYYExUbGRoZIF0SITIRJCslNSMsFzMxEAAQMDBAIBBAMBAAAAAAAAAQADAhEEQYFCwTEhElGxkXFhUhTxIv/AABEIAEAA"
                + "QAMBIgACEQADEQD/2gAMAwEAAhEDEQA/AJ/FaMXN2RgaNGdeahBXb5kuL1FIxioKyO9Pc/oLjdf1YmgrKXXwKZP36WRc3h6B"
                + "669Zu/mT6zXIbAMxQZYaiDSEdRU/crYfagyICA9e6/J67KqzyKX24dWPcHrgtAthmVbaeciSROWM1+qhr7k2jAwkY99Z67GV"
                + "3wmpq6FolFNxd0UFlcxHM01JPxK3uXB9zwFIT9x57CkErUW0j6msZ9A9in+rD9l0VGk6mM/Raop24YvfsPsGoyqSoUrK3gi+"
                + "dXfSZc2G8o5u9mvCNQzEwMxUbymu72a8KxQzEwMylbeUU3ezXhGpz5Cs6VeKwnaLWnc9+D6LnQG6bTTTs16prAVW8pru9mvC"
                + "tvLf8KX+cPpRkzj7MqqdD2Y0276JNtPlWw7CVN5QBd7NeEahmJgZim3lNN3s14VihmJgZlLm8oqu9mvCNQzEw+XkaTq5iFvi"
                + "/e9EX/XZbRUbymu72a8JGoij8SQFUmt05LaxWjWnF/s3qbZGHGSSP+gF4JVuBL1HkYOUgSPUZVqfFsM3UqJ2cpprWxDtrWvk"
                + "ORl+Kobctq0lFyMhL4r4/KUKwXfIqZwg98YvYgoaprCPMj7s34l4i1Mn9UXvi3JkxABcJ/iFmonjECFKMFx0ij5NP8IdVdxq"
                + "PT9h1SqSmr1uRkIgkRp56rov/9k=")!)

    @Test func aPictureThatIsCutShortIsShownFromItsHalfOn() throws {
        let reader = ArtworkReader()
        let whole = Covers.jpeg.count
        #expect(try reader.decode(Covers.jpeg, side: 64).width == 64)
        #expect(try reader.decode(Array(Covers.jpeg.prefix(whole - 40)), side: 64).height == 64)
        // With a third of the file missing or more, the picture would be a slab of gray.
        for missing in [whole / 3, whole / 2 - 10] {
            #expect(throws: ArtworkReader.Failure.damaged) {
                try reader.decode(Array(Covers.jpeg.prefix(whole - missing)), side: 64)
            }
        }
    }

    /// Blue above red, in the colors of print.
    private static let printed =
        "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4SEA0OEQ4LCxAWEBETFBUVFQwPFxgWFB"
        + "gSFBUU/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQEC"
        + "AwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dX"
        + "Z3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4E"
        + "QwBNAFkASwAAPwD836+Sq+i6/VOiiiiv3gria/Imiiiiiv/Z"

    /// Each cover that a screen shows has a decoder of its own: it must go with it, or a long library fills the memory.
    @Test func aDecoderLeavesNothingBehind() throws {
        let bytes = Array(try #require(Data(base64Encoded: Covers.printed)))
        _ = try ArtworkReader().decode(bytes, side: 16)
        let (_, cost) = try Cost.of { for _ in 0..<50 { _ = try ArtworkReader().decode(bytes, side: 16) } }
        #expect(cost.keptBytes < 4096 && cost.peakBytes > 4096, "\(cost.keptBytes)")
    }

    /// Blue above red, as an interlaced PNG and as a JPEG in the colors of print: common covers.
    @Test(arguments: [
        "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAAHnlligAAAAO0lEQVR42mMQsdkCRAwnNDSAiAEbD0UMmwxuZTj14NSP0yyc5lJoBz1cRT1/kO"
            + "zaAdSAy3Mkh8bAaQAAYcEOEJoEVygAAAAASUVORK5CYII=",
        Covers.printed,
    ])
    func coversThatPublishersSendAreRead(text: String) throws {
        let bytes = Array(try #require(Data(base64Encoded: text)))
        let picture = try ArtworkReader().decode(bytes, side: 16)
        for (y, expected) in [(2, (20, 60, 180)), (13, (200, 40, 40))] {
            let pixel = picture.row(y)[8]
            for (shift, channel) in zip([16, 8, 0], [expected.0, expected.1, expected.2]) {
                #expect(abs(Int(pixel >> UInt32(shift) & 255) - channel) <= 3, "row \(y): \(pixel)")
            }
        }
    }

    /// A phone writes pictures as its sensor lies, and how it was held beside them.
    @Test(arguments: [
        (1, 8, 2), (2, 8, 2), (3, 8, 13), (4, 8, 13), (5, 2, 8), (6, 13, 8), (7, 13, 8), (8, 2, 8), (9, 8, 2),
    ])
    func aPictureStandsUpright(orientation: Int, x: Int, y: Int) throws {
        let plain = Array(try #require(Data(base64Encoded: Covers.printed)))
        for isLittle in [true, false] {
            func number(_ value: Int, _ count: Int) -> [UInt8] {
                let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 255) }
                return isLittle ? bytes : bytes.reversed()
            }
            var exif = Array("Exif\0\0".utf8) + Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4)
            exif += number(2, 2) + number(0x10F, 2) + number(2, 2) + number(1, 4) + [0, 0, 0, 0]
            exif += number(0x112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + [0, 0]
            let size = exif.count + 2
            let bytes = plain.prefix(2) + [0xFF, 0xE1, UInt8(size >> 8), UInt8(size & 255)] + exif + plain.dropFirst(2)
            let picture = try ArtworkReader().decode(Array(bytes), side: 16)
            let (blue, red) = (picture.row(y)[x], picture.row(15 - y)[15 - x])
            #expect(blue & 255 > 150 && red >> 16 & 255 > 150, "\(orientation): blue \(blue), red \(red)")
            // A block that ends anywhere is read without a fault.
            for count in 0..<exif.count {
                let rest =
                    plain.prefix(2) + [0xFF, 0xE1, 0, UInt8(count + 2)] + exif.prefix(count) + plain.dropFirst(2)
                #expect(try ArtworkReader().decode(Array(rest), side: 16).width == 16)
            }
        }
    }

    /// A stored (not deflated) PNG of grey.
    private static func png(_ width: Int, _ height: Int) -> [UInt8] {
        func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
        func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
            let typed = Array(name.utf8) + body
            var crc: UInt32 = .max
            for byte in typed {
                crc ^= UInt32(byte)
                for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
            }
            return word(body.count) + typed + word(Int(~crc))
        }
        let row = [UInt8(0)] + [UInt8](repeating: 0x80, count: width)
        var data: [UInt8] = [0x78, 0x01]
        for y in 0..<height {
            for start in stride(from: 0, to: row.count, by: 65_535) {
                let part = row[start..<min(row.count, start + 65_535)]
                let isLast = y == height - 1 && start + part.count == row.count
                data += [isLast ? 1 : 0, UInt8(part.count & 255), UInt8(part.count >> 8)]
                data += [UInt8(~part.count & 255), UInt8(~part.count >> 8 & 255)] + part
            }
        }
        var (a, b) = (1, 0)
        for _ in 0..<height {
            for byte in row {
                a = (a + Int(byte)) % 65_521
                b = (b + a) % 65_521
            }
        }
        data += word(b << 16 | a)
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", word(width) + word(height) + [8, 0, 0, 0, 0]) + chunk("IDAT", data) + chunk("IEND", [])
    }

    /// A podcast may send any shape: none costs more than a square cover.
    @Test func aCoverOfAnOddShapeIsCutToItsMiddle() throws {
        let reader = ArtworkReader()
        for (width, height) in [(4000, 60), (60, 4000), (5000, 10), (640, 400)] {
            let surface = try reader.decode(Covers.png(width, height), side: 320)
            #expect(surface.width * surface.height <= 4 * 320 * 320)
            #expect(max(surface.width, surface.height) <= 2 * min(surface.width, surface.height))
        }
        let stage = try Screens.stage((480, 320), .light)
        let cover = try reader.decode(Covers.png(4000, 60), side: 320)
        let scene = PlayerScene(stage, artwork: cover, gradient: .duskBerry)
        let surface = Surface(width: 480, height: 320)
        scene.show(Players.state("Up"), at: 0)
        let cost = Cost.of { _ = scene.draw(on: surface, at: 0) }.1
        #expect(cost.peakBytes < 8_000_000)
    }

    // MARK: The player

    /// Returns the difference of two pictures, of 255, per channel on average.
    private func difference(_ a: Surface, _ b: Surface) -> Double {
        var sum = 0
        for index in 0..<a.width * a.height {
            for shift in [UInt32(0), 8, 16] {
                sum += abs(Int(a.pixels[index] >> shift & 255) - Int(b.pixels[index] >> shift & 255))
            }
        }
        return Double(sum) / Double(a.width * a.height * 3)
    }

    /// From black to white, the worst there is.
    @Test func noFrameOfAChangeIsMuchBrighterThanTheOneBefore() throws {
        let stage = try Screens.stage((480, 320), .light)
        let scene = PlayerScene(stage, artwork: Surface(width: 64, height: 64), gradient: .duskBerry)
        let surface = Surface(width: 480, height: 320)
        scene.show(Players.state("Up"), at: 0)
        _ = scene.draw(on: surface, at: 0)
        scene.setArtwork(Screens.artwork(2, side: 64))
        var before = surface.part(surface.bounds)
        let first = before
        var most = 0.0
        for frame in 1..<200 {
            let moment = frame * 50 / 3
            if scene.nextFrame(after: moment) != moment { continue }
            _ = scene.draw(on: surface, at: moment)
            let now = surface.part(surface.bounds)
            most = max(most, difference(before, now))
            before = now
        }
        #expect(most <= 5)
        #expect(difference(first, before) > 120)
    }

    @Test(arguments: [(320, 240), (240, 320)]) func aCoverGivesWayToAnotherWithoutAFlash(size: (Int, Int)) throws {
        let stage = try Screens.stage(size, .dark)
        let scene = PlayerScene(stage, artwork: Screens.artwork(0, side: 96), gradient: .duskBerry)
        let surface = Surface(width: size.0, height: size.1)
        var state = Players.state("Up")
        scene.show(state, at: 0)
        _ = scene.draw(on: surface, at: 0)
        let first = surface.part(surface.bounds)

        scene.setArtwork(Screens.artwork(1, side: 96))
        var before = first
        var moment = 16
        while scene.nextFrame(after: moment) == moment {
            // An event during the transition is visible during it.
            if moment == 16 * 10 {
                state.title = "Emma"
                scene.show(state, at: moment)
            }
            _ = scene.draw(on: surface, at: moment)
            let now = surface.part(surface.bounds)
            #expect(difference(before, now) <= 5, "at \(moment)")
            before = now
            moment += 16
            if moment > 2000 { break }
        }
        #expect(moment > 600 && moment < 1000)
        #expect(difference(first, before) > 10)
        let expected = PlayerScene(stage, artwork: Screens.artwork(1, side: 96), gradient: .duskBerry)
        expected.show(state, at: 0)
        let other = Surface(width: size.0, height: size.1)
        _ = expected.draw(on: other, at: 0)
        #expect(difference(before, other) < 0.5)
        #expect(scene.elements.contains { $0.value == "Emma" })
    }

    /// On its way to another cover play and pause answer as they always do, and nothing jumps.
    @Test func aPressOnTheWayIsAnsweredAtOnce() throws {
        let stage = try Screens.stage((320, 240), .dark)
        let scene = PlayerScene(stage, artwork: Screens.artwork(0, side: 96), gradient: .duskBerry)
        let surface = Surface(width: 320, height: 240)
        var state = Players.state("Up")
        scene.show(state, at: 0)
        _ = scene.draw(on: surface, at: 0)
        scene.setArtwork(Screens.artwork(2, side: 96))
        var before = surface.part(surface.bounds)
        for moment in stride(from: 16, through: 1200, by: 16) {
            if moment == 16 * 15 {
                state.state = .paused
                scene.show(state, at: moment)
            }
            if scene.nextFrame(after: moment) != moment { continue }
            _ = scene.draw(on: surface, at: moment)
            let now = surface.part(surface.bounds)
            #expect(difference(before, now) <= 8, "at \(moment)")
            before = now
        }
        #expect(scene.elements.contains { $0.label == "Play" })
        #expect(difference(before, scene.compose(state, isPlaying: false).surface) < 0.5)
    }

    /// Nothing fades in where nothing was seen before.
    @Test func theFirstPictureIsThereAtOnce() throws {
        let stage = try Screens.stage((320, 240))
        let scene = PlayerScene(stage, artwork: nil, gradient: .duskBerry)
        scene.setArtwork(Screens.artwork(0, side: 96))
        let state = Players.state("Up")
        scene.show(state, at: 0)
        let surface = Surface(width: 320, height: 240)
        _ = scene.draw(on: surface, at: 0)
        #expect(scene.nextFrame(after: 1) != 1)
    }
}
