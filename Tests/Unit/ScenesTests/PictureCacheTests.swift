// SPDX-License-Identifier: Apache-2.0
import Foundation
import Pixels
import Testing

@testable import Scenes

@Suite struct PictureCacheTests {
    /// A folder that is gone after the test.
    final class Folder {
        let path = NSTemporaryDirectory() + "pictures-" + UUID().uuidString

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

        func age(_ name: String, seconds: Double) throws {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path + "/" + name)
        }
    }

    private func picture(_ side: Int, _ seed: Int) -> Surface {
        let surface = Surface(width: side, height: side + 3)
        for index in 0..<side * (side + 3) { surface.pixels[index] = 0xFF00_0000 | UInt32(index * seed & 0xFF_FFFF) }
        return surface
    }

    private func isSame(_ one: Surface?, _ other: Surface) -> Bool {
        guard let one, one.width == other.width, one.height == other.height else { return false }
        return (0..<one.width * one.height).allSatisfy { one.pixels[$0] == other.pixels[$0] }
    }

    private func key(_ number: Int) -> PictureCache.Key { PictureCache.Key(Array("picture \(number)".utf8)) }

    @Test func whatIsKeptIsThereAgain() {
        let folder = Folder()
        let cache = PictureCache(folder: folder.path)
        #expect(cache.picture(key(1), side: 40) == nil && folder.names.isEmpty)
        let made = picture(40, 77)
        cache.keep(made, key(1), side: 40)
        #expect(isSame(PictureCache(folder: folder.path).picture(key(1), side: 40), made))
        // Of another size, or of other bytes, it is another.
        #expect(cache.picture(key(1), side: 41) == nil && cache.picture(key(2), side: 40) == nil)
        let long = [UInt8](repeating: 7, count: 10_000)
        var middle = long
        middle[5000] = 8
        var end = long
        end[9999] = 8
        #expect(PictureCache.Key(long) == PictureCache.Key(middle) && PictureCache.Key(long) != PictureCache.Key(end))
        #expect(PictureCache.Key(long) != PictureCache.Key(long + [7]))
    }

    /// Any wrong byte, and a cut at any place.
    @Test func whatIsBrokenIsNone() throws {
        let folder = Folder()
        let cache = PictureCache(folder: folder.path)
        cache.keep(picture(20, 5), key(1), side: 20)
        let name = try #require(folder.names.first)
        let whole = try #require(FileManager.default.contents(atPath: folder.path + "/" + name))
        var damaged: [Data] = stride(from: 0, to: whole.count, by: 131).map { place in
            var copy = whole
            copy[place] ^= 0x10
            return copy
        }
        damaged += [Data(), whole.prefix(10), whole.prefix(whole.count - 1), whole + Data([0]), Data(whole.reversed())]
        for data in damaged {
            try data.write(to: URL(fileURLWithPath: folder.path + "/" + name))
            #expect(cache.picture(key(1), side: 20) == nil)
            // And it is gone, so that it is made anew.
            #expect(folder.names.isEmpty)
        }
    }

    @Test func whatWasUsedLongestAgoGoesFirst() throws {
        let folder = Folder()
        // Room for nine of them.
        let size = Int64(24 + 40 * 43 * 4)
        let cache = PictureCache(folder: folder.path, mostBytes: 9 * size)
        for number in 0..<9 {
            let before = folder.names
            cache.keep(picture(40, number + 1), key(number), side: 40)
            let name = try #require(folder.names.first { !before.contains($0) })
            try folder.age(name, seconds: Double(1000 + number))
        }
        #expect(folder.names.count == 9 && cache.picture(key(0), side: 40) != nil)
        cache.keep(picture(40, 99), key(99), side: 40)
        #expect(folder.names.count <= 9)
        #expect(cache.picture(key(0), side: 40) != nil && cache.picture(key(99), side: 40) != nil)
        #expect(cache.picture(key(1), side: 40) == nil && cache.picture(key(2), side: 40) != nil)
        // One that is too large for it is not kept.
        let many = folder.names.count
        cache.keep(picture(90, 3), key(7), side: 90)
        #expect(folder.names.count == many)
    }

    @Test func aFolderThatCannotBeWrittenToIsNone() {
        let cache = PictureCache(folder: "/proc/no/such/folder")
        cache.keep(picture(20, 5), key(1), side: 20)
        #expect(cache.picture(key(1), side: 20) == nil)
    }
}
