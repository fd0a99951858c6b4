import Core
import Foundation
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

    @Test func aLostSchemaTakesNone() {
        do {
            let library = Library(folder)
            let id = library.upsert(probe(1, path: "/m/1.mp3", title: "1", artist: ""))!.id
            library.save(Speed(percent: 150))
            #expect(library.save(Speed(percent: 75), forBookOf: id))
            library.close()
        }
        var bytes = FileManager.default.bytes(folder.database)
        // The first page is the schema's.
        for at in 100..<1024 { bytes[at] = UInt8(truncatingIfNeeded: at &* 31 &+ at >> 3) }
        try? FileManager.default.removeItem(atPath: folder.path)
        folder.write("nightstand.db", bytes)
        let library = Library(folder, warnings)
        #expect(warnings.all.count == 1)
        #expect(library.restoredSpeed().percent == 150)
        let item = library.allItems().first
        #expect(item.flatMap { library.speed(ofBookOf: $0.id) }?.percent == 75)
    }
}
