// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels

@testable import Scenes

/// Every screen with something to show, for tests of all of them.
enum Screens {
    static let sizes = [
        (240, 240), (320, 240), (480, 320), (800, 480), (480, 800), (1024, 600), (1280, 800), (1920, 1080),
    ]

    static func artwork(_ kind: Int, side: Int) -> Surface {
        if kind == 4 { return Photograph.picture(side: side) }
        let surface = Surface(width: side, height: side)
        for y in 0..<side {
            for x in 0..<side {
                // A moon over hills, a chessboard, black, or white.
                let pixel: UInt32
                switch kind {
                case 0:
                    let (dx, dy) = (x * 3 - side * 2, y * 3 - side)
                    let isMoon = dx * dx + dy * dy < side * side / 4
                    let isHill = y > side * 3 / 4 - (x - side / 2) * (x - side / 2) / (side * 2)
                    let dusk = UInt32(90 * y / side)
                    pixel = isMoon ? 0xFFFF_F3D8 : isHill ? 0xFF2A_2450 : 0xFF18_1848 + dusk << 16 + dusk / 2 << 8
                case 1: pixel = (x * 8 / side + y * 8 / side) % 2 == 0 ? 0xFFFF_FFFF : 0xFF00_0000
                case 3: pixel = 0xFF00_0000
                default: pixel = 0xFFFF_FFFF
                }
                surface.row(y)[x] = pixel
            }
        }
        return surface
    }

    static func lines(_ title: String, playing: Bool = true) -> String {
        var lines = """
            state: \(playing ? "play" : "pause")
            title: \(title)
            artist: Kenneth Grahame
            book: \(title)
            chapter: The Piper at the Gates of Dawn
            chapter_number: 7
            chapter_count: 12
            favourite: 1
            elapsed: 83.120
            duration: 36000.000
            speed: 1.25
            volume: 62
            date: 2026-09-30
            clock: 23:07
            file: a.mp3
            artwork: 0

            """
        for (index, words) in [
            "The Mole had been working very hard all the morning.", "Spring was moving in the air above.",
            title + " — and a few more words.", "“Bother!” he said, and “O blow!”", "And he bolted out of the house.",
        ].enumerated() {
            lines += "segment: \(index) \(60 + index * 10).000-\(70 + index * 10).000 \(words)\n"
        }
        lines += "list: favourites\n"
        for (index, name) in [title, "The Open Road", "Up"].enumerated() {
            lines += "file: \(index).mp3\nTitle: \(name)\nArtist: \(title)\nduration: \(840 + index * 3000).000\n"
            if index == 1 { lines += "position: 500.000\n" }
            lines += "artwork: \(index)\n"
        }
        lines += "list: books\n"
        for index in 0..<6 {
            lines += "book: b\(index)\nTitle: \(index % 2 == 0 ? title : "Emma")\nAuthor: \(title)\nduration: 90\n"
            lines += "heard: \(index * 20)\nfinished: \(index == 5 ? 1 : 0)\nartwork: \(index % 3)\n"
        }
        lines += "list: chapters\nchapter: \(title)\nstart: 0.000\nchapter: The Open Road\nstart: 1834.000\n"
        lines += "list: playlists\nplaylist: \(title)\nsongs: 12\nplaylist: Evening\n"
        lines += "list: podcasts\nsubscription: http://a\nTitle: \(title)\nepisodes: 9\nunheard: 3\nartwork: 1\n"
        lines +=
            "list: episodes\nfile: e1.mp3\nTitle: \(title)\nduration: 1500\nfile: e2.mp3\nTitle: Up\nduration: 90\n"
        lines += "list: titles\nfile: 0.mp3\nTitle: \(title)\nArtist: \(title)\nduration: 840\nartwork: 0\n"
        lines += "list: spoken\nhit: 0\nfile: 0.mp3\nTitle: \(title)\nstart: 83.1\ntext: The wind, \(title).\n"
        lines += "list: alarms\nalarm: 1\ntime: 06:40\ndays: mon-fri\nplays: \(title)\nenabled: 1\n"
        lines += "alarm: 2\ntime: 09:15\ndays: sat-sun\nplays: what was heard last\nenabled: 0\n"
        lines += """
            list: settings
            speed steps 1.25×
            volume steps 62 %
            sleep steps At the end of the chapter
            theme steps By the hour
            text-size steps 100 %
            reduced-motion off
            increased-contrast on
            network words 192.168.178.120
            about words Nightstand 1.0
            list: stats
            songs: 1312
            albums: 24
            db_playtime: 901320
            playtime: 401200
            uptime: 712800
            week: 2400 5100 0 7800 3000 9300 1800
            weekday: 0
            hours: 0 0 0 0 0 0 0 1800 3600 2400 0 0 0 0 0 0 900 0 0 3000 3600 3600 1200 0
            xruns: 0 0 0 0 0 0 0 0 2 0 0 0 0 0 0 0 0 0 0 0 1 0 0 0

            """
        return lines
    }

    static func stage(
        _ size: (Int, Int), _ theme: Theme = .light, textSize: Float = 1
    ) throws -> Stage {
        try Stage(
            width: size.0, height: size.1, scale: PanelScale(width: size.0, height: size.1, textSize: textSize),
            theme: theme)
    }

    /// Draws until nothing moves any more. Returns when that was, in milliseconds.
    static func settle(_ scene: any Scene, _ surface: Surface, from moment: Int) -> Int {
        var moment = moment
        while let next = scene.nextFrame(after: moment), next < moment + 100 {
            moment = max(next, moment + 16)
            _ = scene.draw(on: surface, at: moment)
        }
        return moment
    }

    static func pixels(_ surface: Surface) -> [UInt32] {
        (0..<surface.height).flatMap { y in (0..<surface.width).map { surface.row(y)[$0] } }
    }

    static func gallery(_ stage: Stage, _ title: String, artwork kind: Int = 0, playing: Bool = true) -> Gallery {
        Gallery(stage, lines: lines(title, playing: playing)) { path, side in
            artwork(path == "0" ? kind : path == "1" ? 1 : 2, side: min(side, 96))
        }
    }

    static let titles = [
        "Up", "The Wind in the Willows and Other Very Long Stories for Children of All Ages, Volume the Second",
        "الأمير الصغير (1943) والثعلب والوردة وحكايات أخرى طويلة جدا", "红楼梦：第一回 甄士隐梦幻识通灵，贾雨村风尘怀闺秀",
        "🌙 Good Night 👨‍👩‍👧", "שלום עולם", "हिन्दी की कहानी",
        "Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüssel",
    ]
}
