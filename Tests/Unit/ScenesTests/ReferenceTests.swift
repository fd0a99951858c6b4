import Design
import PNG
import Pixels
import Posix
import Testing

@testable import Scenes

/// Every screen as it was found good, at three sizes in both themes: `Tests/Pictures`. To write them anew after a change that was looked at, run this
/// with NIGHTSTAND_PICTURES=write in the environment.
@Suite(.serialized) struct References {
    /// Of all pixels so many are as they were.
    static let leastAlike = 0.98
    /// In levels of a channel: what another version of a font's renderer changes.
    static let tolerance = 12
    static let sizes = [(240, 240), (300, 500), (480, 320)]

    static var folder: String {
        var parts = #filePath.split(separator: "/").map(String.init)
        parts.removeLast(3)
        return "/" + parts.joined(separator: "/") + "/Pictures"
    }

    static var writes: Bool { environmentVariable("NIGHTSTAND_PICTURES") == "write" }

    @Test(arguments: Gallery.names) func looksAsItDid(name: String) throws {
        for size in References.sizes {
            for isDark in [false, true] {
                let stage = try Screens.stage(size, isDark ? .dark : .light)
                let drawn = try #require(Screens.gallery(stage, "The River Bank").draw(name))
                try compare(drawn, "\(name)-\(size.0)x\(size.1)-\(isDark ? "dark" : "light")")
            }
        }
    }

    /// At the sizes that it is made for, by night, too.
    @Test(arguments: ["simple", "simple-books"]) func largeAndSimpleLooksAsItDid(name: String) throws {
        let all: [(String, (Int, Int), Theme)] = [
            ("dark", (800, 480), .dark), ("night", (480, 320), .night), ("light", (240, 240), .light),
            ("dark", (600, 1024), .dark),
        ]
        for (word, size, theme) in all {
            let stage = try Screens.stage(size, theme)
            let drawn = try #require(Screens.gallery(stage, "The River Bank").draw(name))
            if theme.isNight { NightTone().write(drawn.bounds, of: drawn, to: drawn) }
            try compare(drawn, "\(name)-\(size.0)x\(size.1)-\(word)")
        }
    }

    /// The cross-fade of play at fixed times, and the letters of the start-up.
    @Test func momentsLookAsTheyDid() throws {
        for part in [Float(0.25), 0.5, 0.75] {
            let stage = try Screens.stage((480, 320), .dark)
            let drawn = Screens.gallery(stage, "The River Bank").drawPlayer(part: Motion.easeInOut(part))
            try compare(drawn, "play-\(Int(part * 300))ms")
        }
        for moment in [100, 200, 300] {
            let stage = try Screens.stage((240, 240), .light)
            let drawn = try #require(Screens.gallery(stage, "Up").draw("boot", at: moment))
            try compare(drawn, "boot-\(moment)ms")
        }
    }

    private func compare(_ drawn: Surface, _ name: String) throws {
        let path = References.folder + "/" + name + ".png"
        if References.writes { return try write(rounded(drawn), path) }
        let wanted = try ArtworkReader().read(path, side: max(drawn.width, drawn.height))
        try #require(wanted.width == drawn.width && wanted.height == drawn.height, "\(name) has another size")
        let difference = Surface(width: drawn.width, height: drawn.height)
        var alike = 0
        for index in 0..<drawn.width * drawn.height {
            let most = pixelDifference(drawn.pixels[index], wanted.pixels[index])
            if most <= References.tolerance { alike += 1 }
            difference.pixels[index] = 0xFF00_0000 | UInt32(min(255, most * 4)) * 0x1_0101
        }
        let part = Double(alike) / Double(drawn.width * drawn.height)
        if part >= References.leastAlike { return }
        let left = References.folder + "/../../.build/pictures/" + name
        try? Files.createFolder(References.folder + "/../../.build/pictures")
        try write(drawn, left + ".png")
        try write(difference, left + "-difference.png")
        Issue.record("\(name): only \(part) of it is as it was; see .build/pictures/\(name)-difference.png")
    }

    /// To 32 levels a channel: dither, which changes nothing that is seen, would be most of the file.
    private func rounded(_ surface: Surface) -> Surface {
        let result = Surface(width: surface.width, height: surface.height)
        for index in 0..<surface.width * surface.height {
            result.pixels[index] = surface.pixels[index] & 0xFFF8_F8F8 | 0x4_0404
        }
        return result
    }

    private func write(_ surface: Surface, _ path: String) throws {
        let library = try PNGLibrary()
        let bytes = try #require(library.encode(surface.pixels, width: surface.width, height: surface.height))
        try Files.replace(path, with: bytes)
    }
}
