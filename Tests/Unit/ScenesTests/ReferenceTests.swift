// SPDX-License-Identifier: Apache-2.0
import Design
import PNG
import Pixels
import Posix
import Testing

@testable import Scenes

/// Every screen as it was found good, at three sizes in both themes: `Tests/Pictures`. To write them anew after a change that was looked at, run this
/// with NIGHTSTAND_PICTURES=write in the environment.
@Suite(.serialized) struct References {
    /// In levels of a channel, of each pixel: a colour of the design that is other by 4 of 255 is found. Two runs on one machine differ by nothing.
    static let tolerance = 3
    static let sizes = [(240, 240), (300, 500), (480, 320)]
    /// On these large panels differ in nothing but where the same words stand.
    static let notices = ["empty", "error", "loading"]
    /// Covers of all kinds, beside the one of the other pictures, which is a moon.
    static let covers = [("black", 3), ("photograph", 4), ("white", 2)]

    static var folder: String {
        var parts = #filePath.split(separator: "/").map(String.init)
        parts.removeLast(3)
        return "/" + parts.joined(separator: "/") + "/Pictures"
    }

    static var writes: Bool { environmentVariable("NIGHTSTAND_PICTURES") == "write" }

    @Test(arguments: Gallery.names) func looksAsItDid(name: String) throws {
        for size in References.notices.contains(name) ? Array(References.sizes.prefix(2)) : References.sizes {
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

    /// Text on others' covers, and around them.
    @Test(arguments: covers) func looksAsItDid(cover: String, kind: Int) throws {
        func draw(_ screen: String, _ size: (Int, Int), _ theme: Theme, _ name: String, playing: Bool = true) throws {
            let stage = try Screens.stage(size, theme)
            let gallery = Screens.gallery(stage, "The River Bank", artwork: kind, playing: playing)
            let drawn = try #require(gallery.draw(screen))
            if theme.isNight { NightTone().write(drawn.bounds, of: drawn, to: drawn) }
            try compare(drawn, "\(cover)-\(screen)-\(size.0)x\(size.1)-\(name)")
        }
        for size in [(400, 240), (240, 400)] {
            for playing in [false, true] {
                let state = playing ? "playing" : "paused"
                try draw("player", size, .dark, "dark-" + state, playing: playing)
                // Around dark covers a wide player is dark in any theme.
                if kind != 2 && size.0 > size.1 { continue }
                try draw("player", size, .light, "light-" + state, playing: playing)
            }
        }
        try draw("library", (400, 240), .light, "light")
        try draw("standby", (300, 500), .dark, "dark")
        if kind == 4 {
            for size in [(400, 240), (240, 400)] { try draw("player", size, .night, "night") }
            try draw("library", (400, 240), .night, "night")
            try draw("standby", (300, 500), .night, "night")
        }
    }

    private func compare(_ drawn: Surface, _ name: String) throws {
        let path = References.folder + "/" + name + ".png"
        if References.writes { return try write(drawn, path) }
        let wanted = try ArtworkReader().read(path, side: max(drawn.width, drawn.height))
        try #require(wanted.width == drawn.width && wanted.height == drawn.height, "\(name) has another size")
        let difference = Surface(width: drawn.width, height: drawn.height)
        var (count, most) = (0, 0)
        for index in 0..<drawn.width * drawn.height {
            let here = pixelDifference(drawn.pixels[index], wanted.pixels[index])
            if here > References.tolerance { count += 1 }
            most = max(most, here)
            difference.pixels[index] = 0xFF00_0000 | UInt32(min(255, here * 16)) * 0x1_0101
        }
        if count == 0 { return }
        let left = References.folder + "/../../.build/pictures/" + name
        try? Files.createFolder(References.folder + "/../../.build/pictures")
        try write(drawn, left + ".png")
        try write(difference, left + "-difference.png")
        Issue.record(
            "\(name): \(count) pixels are otherwise, by up to \(most); see .build/pictures/\(name)-difference.png")
    }

    private func write(_ surface: Surface, _ path: String) throws {
        let library = try PNGLibrary()
        let bytes = try #require(library.encode(surface.pixels, width: surface.width, height: surface.height))
        try Files.replace(path, with: bytes)
    }
}
