// SPDX-License-Identifier: Apache-2.0
import FuzzWork
import TestSupport
import Testing

@testable import Media

@Suite struct MP4Tests {
    private func sizes(_ count: Int, seed: UInt64 = 1, most: Int = 400) -> [Int] {
        var chance = SeededGenerator(seed: seed)
        return (0..<count).map { _ in Int.random(in: 1...most, using: &chance) }
    }

    private func units(_ file: [UInt8], _ index: UnitIndex? = nil) throws -> Units {
        try MP4Movie(MemorySource(file)).units(index)
    }

    private func index(_ file: [UInt8]) throws -> UnitIndex {
        let indexing = try MP4Movie(MemorySource(file)).indexing()
        while try !indexing.step() {}
        return indexing.index
    }

    // MARK: Where units lie

    @Test(arguments: [1, 7, 300, 5000], [4, 8, 16, 32])
    func unitsLieWhereTheTablesSay(unitsInChunk: Int, sizeBits: Int) throws {
        var writer = MP4Writer()
        writer.sizes = sizes(2000, most: sizeBits == 4 ? 15 : sizeBits == 8 ? 255 : 400)
        writer.unitsInChunk = unitsInChunk
        writer.sizeBits = sizeBits
        writer.hasWideOffsets = unitsInChunk == 7
        writer.isMovieFirst = sizeBits != 16
        let (file, _) = writer.file()
        let units = try units(file)
        #expect(units.unitCount == 2000)
        for (number, size) in writer.sizes.enumerated() {
            #expect(try units.next().map { Array($0) } == MP4Writer.unit(number, size))
        }
        #expect(try units.next() == nil)

        let index = try index(file)
        #expect(index.unitCount == 2000)
        let stored = try #require(UnitIndex(encoded: index.encoded()))
        #expect(stored.encoded() == index.encoded())
        var chance = SeededGenerator(seed: 2)
        for place in [nil, stored] {
            let units = try self.units(file, place)
            for wanted in [0, 1999, 255, 256, 257, 0] + (0..<60).map({ _ in Int.random(in: 0..<2000, using: &chance) })
            {
                try units.jump(to: Int64(wanted))
                #expect(try units.next().map { Array($0) } == MP4Writer.unit(wanted, writer.sizes[wanted]))
            }
            try units.jump(to: 2000)
            #expect(try units.next() == nil)
        }
    }

    /// Rewritten tags move the media: the findings still hold, and the content is the same.
    @Test(arguments: [true, false]) func retaggingMovesNothingThatCounts(isMovieFirst: Bool) throws {
        var writer = MP4Writer()
        writer.sizes = sizes(3000)
        writer.isMovieFirst = isMovieFirst
        let before = writer.file().bytes
        let index = try index(before)
        writer.items = [MP4Writer.item("©nam", String(repeating: "x", count: 777))]
        let after = writer.file().bytes
        let units = try units(after, index)
        for wanted in [2999, 700, 300, 2048, 1] {
            try units.jump(to: Int64(wanted))
            #expect(try units.next().map { Array($0) } == MP4Writer.unit(wanted, writer.sizes[wanted]))
        }
        let extents = try [before, after].map { try MediaProbe(MemorySource($0)).audio }
        #expect(extents[0].byteCount == extents[1].byteCount && extents[0].byteCount > 0)
        #expect(
            before[Int(extents[0].start)..<Int(extents[0].end)] == after[Int(extents[1].start)..<Int(extents[1].end)])
    }

    /// An index of other tables is none.
    @Test func anIndexOfOtherChunksIsNotUsed() throws {
        var writer = MP4Writer()
        writer.sizes = sizes(1000)
        let index = try index(writer.file().bytes)
        writer.unitsInChunk = 20
        let units = try units(writer.file().bytes, index)
        try units.jump(to: 900)
        #expect(try units.next().map { Array($0) } == MP4Writer.unit(900, writer.sizes[900]))
    }

    @Test func aFileThatWasCutEndsWithItsLastWholeUnit() throws {
        var writer = MP4Writer()
        writer.sizes = sizes(1000)
        let (file, offsets) = writer.file()
        let cut = Array(file[..<(offsets[600] + 3)])
        #expect(try index(cut).unitCount == (writer.sizes[600] <= 3 ? 601 : 600))
        #expect(try MediaProbe(MemorySource(cut)).durationMilliseconds == nil)
        #expect(try MediaProbe(MemorySource(file)).durationMilliseconds == (999 * 1024 * 1000 + 22_050) / 44_100)
    }

    // MARK: What is heard

    private func heard(_ writer: MP4Writer) throws -> [Int64] {
        let movie = try MP4Movie(MemorySource(writer.file().bytes))
        let units = try movie.units(nil)
        let heard = units.span.samples(unitCount: 100, unitSamples: 1024, rate: 44_100)
        return [heard.skipped, heard.heard]
    }

    @Test func whatIsHeardIsToldByEditsAndLengths() throws {
        var writer = MP4Writer()
        writer.sizes = sizes(100)
        #expect(try heard(writer) == [0, 99 * 1024])
        // Of the encoder: the first unit. The movie's ticks are milliseconds, those of the track are samples.
        writer.edits = [(1024, 2_268)]
        writer.mediaTicks = 1024 + 100_050
        #expect(try heard(writer) == [0, 100_050])
        writer.edits = [(2112, 2_268)]
        writer.mediaTicks = 2112 + 100_010
        #expect(try heard(writer) == [1088, 100_010])
        // A pause in front is no matter.
        writer.edits = [(-1, 500), (2112, 2_268)]
        #expect(try heard(writer) == [1088, 100_010])
        // An editor has cut the file.
        writer.edits = [(44_100, 1000)]
        #expect(try heard(writer) == [44_100 - 1024, 44_100])
        // Lengths that cannot be.
        for ticks in [0, 5, UInt32.max, 5_000_000] {
            writer.edits = []
            writer.mediaTicks = ticks
            #expect(try heard(writer) == [0, 99 * 1024])
        }
        writer.edits = [(.max, 1)]
        #expect(try heard(writer)[0] == 0)
        // iTunes knows it to the sample.
        writer.edits = []
        writer.items = [MP4Writer.own("iTunSMPB", " 00000000 00000840 00000122 00000000000185EE 0")]
        #expect(try heard(writer) == [2112 - 1024, 0x185EE])
        for text in ["", " 0 840 122", " 0 840 122 FFFFFFFFFFFFFFFF", " 0 840 122 5", " 0 ZZ 122 185EE"] {
            writer.items = [MP4Writer.own("iTunSMPB", text)]
            #expect(try heard(writer) == [0, 99 * 1024])
        }
    }

    /// HE-AAC: the upper band comes 481 of the core's samples later than the core.
    @Test func whatIsHeardOfTwoBandsIsToldByCountsThatAddUp() throws {
        var writer = MP4Writer()
        writer.sizes = sizes(100)
        writer.config = [0x2B, 0x92, 0x08, 0x00]
        func heard(_ timescale: UInt32, _ text: String) throws -> [Int64] {
            writer.timescale = timescale
            writer.times = [(100, timescale / 22_050 * 1024)]
            writer.items = [MP4Writer.own("iTunSMPB", text)]
            let units = try MP4Movie(MemorySource(writer.file().bytes)).units(nil)
            let heard = units.span.samples(unitCount: 100, unitSamples: 2048, rate: 44_100)
            return [heard.skipped, heard.heard]
        }
        for timescale in [22_050, 44_100] as [UInt32] {
            // Counted by the core's samples, of which there are 0x19000: as iTunes does, and with the band's delay.
            #expect(try heard(timescale, " 0 800 300 18500") == [2 * (2048 + 481) - 2048, 2 * 0x18500])
            #expect(try heard(timescale, " 0 9E1 11F 18500") == [2 * (2048 + 481) - 2048, 2 * 0x18500])
            // By those that are heard.
            #expect(try heard(timescale, " 0 1000 600 30A00") == [4096 + 962 - 2048, 0x30A00])
            // They do not add up.
            #expect(try heard(timescale, " 0 800 301 18500") == [0, 99 * 2048])
            #expect(try heard(timescale, " 0 FFFFFFFF 0 5") == [0, 99 * 2048])
        }
    }

    // MARK: What it says of itself

    private func probe(_ writer: MP4Writer) throws -> MediaProbe { try MediaProbe(MemorySource(writer.file().bytes)) }

    @Test func tagsAreThoseOfAudiobooks() throws {
        var writer = MP4Writer()
        writer.sizes = sizes(50)
        writer.items = [
            MP4Writer.item("©nam", "Titel ä"), MP4Writer.item("©ART", "Author"), MP4Writer.item("aART", "House"),
            MP4Writer.item("©alb", "Book"), MP4Writer.item("©wrt", "Composer"), MP4Writer.item("©nrt", "Reader"),
            MP4Writer.item("©gen", "Audiobook"), MP4Writer.item("©day", "2019-05-01"), MP4Writer.item("soal", "Book 3"),
            MP4Writer.item("soar", "A, B"), MP4Writer.item("soaa", "C, D"), MP4Writer.item("ldes", "Long words"),
            MP4Writer.box("trkn", MP4Writer.data(0, [0, 0, 0, 3, 0, 12, 0, 0])),
            MP4Writer.box("disk", MP4Writer.data(0, [0, 0, 0, 1, 0, 2])),
            MP4Writer.own("SERIES", "Cycle"), MP4Writer.own("series-part", "2.5"), MP4Writer.own("ASIN", "B000"),
            MP4Writer.own("MusicBrainz Album Id", "123"), MP4Writer.own("LANGUAGE", "deu"),
        ]
        let wanted = [
            "Artist=Author", "AlbumArtist=House", "ArtistSort=A, B", "AlbumSort=Book 3", "AlbumArtistSort=C, D",
            "Title=Titel ä", "Album=Book", "Track=3", "Date=2019-05-01", "Genre=Audiobook", "Composer=Composer",
            "Comment=Long words", "Disc=1", "MUSICBRAINZ_ALBUMID=123", "Narrator=Reader", "Series=Cycle",
            "SeriesPart=2.5", "Language=deu",
        ]
        #expect(try probe(writer).tags.list.all.map { "\($0.tag.name)=\($0.value)" } == wanted)
        writer.items = [
            MP4Writer.item("©wrt", "Reader"), MP4Writer.item("©mvn", "Cycle"),
            MP4Writer.box("©mvi", MP4Writer.data(21, [0, 4])), MP4Writer.box("gnre", MP4Writer.data(0, [0, 184])),
            MP4Writer.item("©cmt", "Said"), MP4Writer.item("desc", "Not this"),
            MP4Writer.box("©alb", MP4Writer.data(2, [0, 0x41, 0, 0xE4])),
        ]
        #expect(
            try probe(writer).tags.list.all.map { "\($0.tag.name)=\($0.value)" } == [
                "Album=Aä", "Genre=Audiobook", "Composer=Reader", "Comment=Said", "Narrator=Reader", "Series=Cycle",
                "SeriesPart=4",
            ])
    }

    @Test func chaptersOfBothKinds() throws {
        var writer = MP4Writer()
        writer.sizes = sizes(500)
        writer.listed = [(0, "Eins"), (20_000_000, "Zwei ä"), (45_000_000, "Drei")]
        let wanted = [
            Chapter(startMilliseconds: 0, title: "Eins"), Chapter(startMilliseconds: 2000, title: "Zwei ä"),
            Chapter(startMilliseconds: 4500, title: "Drei"),
        ]
        #expect(try probe(writer).tags.chapters == wanted)
        writer.texts = [
            (0, MP4Writer.title("Eins")), (2000, MP4Writer.title("Zwei ä") + [0, 0, 0, 12] + Array("encd".utf8)),
            (4500, [0, 10, 0xFE, 0xFF, 0, 0x44, 0, 0x72, 0, 0x65, 0, 0x69]),
        ]
        #expect(try probe(writer).tags.chapters == wanted)
        writer.listed.removeLast()
        #expect(try probe(writer).tags.chapters == wanted)
        writer.listed = []
        #expect(try probe(writer).tags.chapters == wanted)
    }

    @Test func thePictureIsFoundWhereItLies() throws {
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF] + (0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var writer = MP4Writer()
        writer.sizes = sizes(50)
        writer.items = [MP4Writer.box("covr", MP4Writer.data(14, picture), MP4Writer.data(13, [1, 2, 3]))]
        let file = writer.file().bytes
        let head = try MediaHead(MemorySource(file))
        guard case .stored(let offset, let count, let mime) = MP4Format().picture(head) else {
            Issue.record("no picture")
            return
        }
        #expect(mime == "image/jpeg" && Array(file[Int(offset)..<Int(offset + count)]) == picture)
        let cover = Cover(
            byteCount: Int64(picture.count), first: Array(picture.prefix(4096)), last: Array(picture.suffix(4096)))
        #expect(try probe(writer).tags.cover == cover)
    }

    @Test func whatCannotBePlayedIsNamed() throws {
        func name(_ change: (inout MP4Writer) -> Void) -> String {
            var writer = MP4Writer()
            writer.sizes = sizes(20)
            change(&writer)
            do throws(MediaError) {
                _ = try MediaProbe(MemorySource(writer.file().bytes))
                return "plays"
            } catch {
                if case .unsupported(let name) = error { return name }
                return "\(error)"
            }
        }
        #expect(name { _ in } == "plays")
        #expect(name { $0.kind = "drms" } == "encrypted (FairPlay)")
        #expect(name { $0.kind = "enca" } == "encrypted")
        #expect(name { $0.kind = "aavd" } == "encrypted (Audible)")
        #expect(name { $0.kind = "alac" } == "ALAC")
        #expect(name { $0.kind = "\u{1}x y" } == "a codec ?x?y")
        #expect(name { $0.config = [0xF9, 0x48, 0x80] } == "xHE-AAC")
        #expect(name { $0.config = [] } == "MPEG-4 audio that does not say how it is to be decoded")
    }

    @Test func configurations() throws {
        func told(_ bytes: [UInt8]) -> [Int]? {
            AudioConfig(bytes).map { [$0.objectType, $0.coreRate, $0.channels, $0.heardRate, $0.heardChannels] }
        }
        #expect(told([0x12, 0x10]) == [2, 44_100, 2, 44_100, 2])
        #expect(told([0x13, 0x88]) == [2, 22_050, 1, 22_050, 1])
        // HE-AAC, announced in front and behind; with parametric stereo.
        #expect(told([0x2B, 0x92, 0x08, 0x00]) == [2, 22_050, 2, 44_100, 2])
        #expect(told([0x13, 0x90, 0x56, 0xE5, 0xA0]) == [2, 22_050, 2, 44_100, 2])
        #expect(told([0xEB, 0x8A, 0x08, 0x00]) == [2, 22_050, 1, 44_100, 2])
        #expect(told([]) == nil)
        #expect(told([0x12]) == nil)
        #expect(told([0x16, 0xF8]) == nil)
        #expect(AudioConfig(objectType: 2, rateIndex: 4, channels: 2).bytes == [0x12, 0x10])
    }
}
