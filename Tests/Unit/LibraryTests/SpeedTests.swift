// SPDX-License-Identifier: Apache-2.0
import Core
import Foundation
import Model
import TestSupport
import Testing

@testable import Library

@Suite("Speeds kept") struct SpeedTests {
    private let folder = TemporaryFolder()
    private let warnings = Warnings()

    @Test func aBookHasOneForAllOfItsFiles() {
        let library = Library(folder)
        var ids: [Item.ID] = []
        for number in 1...4 {
            let path = number < 4 ? "/m/Book/\(number).mp3" : "/m/other.mp3"
            ids.append(library.upsert(probe(number, path: path, title: "\(number)", artist: ""))!.id)
        }
        #expect(library.areOneBook(ids[0], ids[2]))
        #expect(library.restoredSpeed() == .own && library.speed(ofBookOf: ids[0]) == nil)
        library.save(Speed(percent: 110))
        #expect(library.save(Speed(percent: 125), forBookOf: ids[1]))
        #expect(library.speed(ofBookOf: ids[0])?.percent == 125 && library.speed(ofBookOf: ids[2])?.percent == 125)
        #expect(library.speed(ofBookOf: ids[3]) == nil && library.restoredSpeed().percent == 110)
        #expect(library.save(Speed(percent: 205), forBookOf: ids[2]))
        #expect(library.speed(ofBookOf: ids[1])?.percent == 205)
        #expect(library.save(nil, forBookOf: ids[0]))
        #expect(library.speed(ofBookOf: ids[1]) == nil && library.restoredSpeed().percent == 110)
    }

    @Test func howLoudThingsAre() {
        let library = Library(folder)
        var tagged = probe(1, path: "/m/1.mp3", title: "1", artist: "")
        tagged.loudness.track = -650
        let one = library.upsert(tagged)!.id
        let other = library.upsert(probe(2, path: "/m/2.mp3", title: "2", artist: ""))!.id
        #expect(library.loudness(one).track == -650 && library.loudness(other) == Loudness())
        var measured = library.loudness(other)
        measured.measured = -2512
        measured.measuredMilliseconds = 24_000
        library.save(measured, of: other)
        #expect(library.loudness(other) == measured)
        // The scan looks into the file again, and finds another tag: the measured values stay.
        var again = probe(2, path: "/m/2.mp3", title: "2", artist: "")
        again.loudness.album = 100
        library.upsert(again)
        measured.album = 100
        #expect(library.loudness(other) == measured)
        tagged.loudness = Loudness()
        library.upsert(tagged)
        #expect(library.loudness(one) == Loudness())
        var sound = SoundChanges()
        #expect(library.restoredSound() == sound)
        sound.shortensSilences = true
        sound.level = .auto
        library.save(sound)
        #expect(library.restoredSound() == sound && library.restoredSpeed() == .own)
        #expect(library.speed(ofBookOf: one) == nil)
        library.save(SoundChanges())
        #expect(library.restoredSound() == SoundChanges())
    }

    @Test func aLostSchemaTakesNone() {
        do {
            let library = Library(folder)
            let id = library.upsert(probe(1, path: "/m/1.mp3", title: "1", artist: ""))!.id
            library.save(Speed(percent: 150))
            var sound = SoundChanges()
            sound.shortensSilences = true
            library.save(sound)
            #expect(library.save(Speed(percent: 75), forBookOf: id))
            library.close()
        }
        var bytes = FileManager.default.bytes(folder.database)
        // The first page is the schema's.
        for at in 100..<1024 { bytes[at] = UInt8(truncatingIfNeeded: at &* 31 &+ at >> 3) }
        folder.write("nightstand.db", bytes)
        let library = Library(folder, warnings)
        #expect(warnings.all.count == 1)
        #expect(library.restoredSpeed().percent == 150)
        #expect(library.restoredSound().shortensSilences)
        let item = library.allItems().first
        #expect(item.flatMap { library.speed(ofBookOf: $0.id) }?.percent == 75)
    }
}
