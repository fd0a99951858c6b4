// SPDX-License-Identifier: Apache-2.0
import Foundation
import Model
import TestSupport
import Testing

@testable import Library
@testable import SQLite

@Suite struct BackupTests {
    private let folder = TemporaryFolder()

    private func fill(_ library: Library, _ range: ClosedRange<Int>) throws {
        library.batch {
            for number in range {
                let id = library.upsert(probe(number))!.id
                library.savePosition(id, milliseconds: number * 100)
                _ = library.addFavourite(id)
            }
        }
    }

    private func copy(_ library: Library, to path: String, meanwhile: () throws -> Void = {}) throws {
        let copy = try #require(library.copy(to: path))
        var steps = 0
        while true {
            switch copy.step() {
            case .again:
                steps += 1
                if steps == 1 { try meanwhile() }
                continue
            case .done: return
            case .failed(let reason):
                Issue.record("\(reason)")
                return
            }
        }
    }

    @Test func aCopyHasAllAlsoWhatWasSavedMeanwhile() throws {
        let library = Library(folder)
        try fill(library, 1...1500)
        library.settle()
        let path = folder.path + "/copy"
        try copy(library, to: path) { try fill(library, 1501...1502) }
        #expect(Library.checkBackup(path) == nil)
        library.removeFavourite(1)
        library.savePosition(2, milliseconds: 999_999)
        #expect(library.favouriteCount() == 1501)
        library.settle()
        #expect(library.canTakeUp)
        #expect(library.takeUp(path) == nil)
        #expect(library.favouriteCount() == 1502)
        #expect(library.item(2)?.positionMilliseconds == 200)
        library.savePosition(2, milliseconds: 4000)
        library.settle()
        library.close()
        let again = Library(folder)
        #expect(again.item(2)?.positionMilliseconds == 4000 && again.favouriteCount() == 1502)
        #expect(folder.setAside == [])
    }

    @Test func nothingIsTakenUpWhileTheLogHasSomething() throws {
        let library = Library(folder)
        try fill(library, 1...20)
        let path = folder.path + "/copy"
        try copy(library, to: path)
        library.savePosition(1, milliseconds: 7)
        #expect(!library.canTakeUp)
        #expect(library.takeUp(path) != nil)
        #expect(library.item(1)?.positionMilliseconds == 7)
    }

    @Test func foreignAndDamagedFilesAreRefused() throws {
        let library = Library(folder)
        try fill(library, 1...300)
        let path = folder.path + "/copy"
        try copy(library, to: path)
        let whole = FileManager.default.bytes(path)
        var generator = SeededGenerator(seed: 21)
        var refused = 0
        for round in 0..<40 {
            var bytes = whole
            if round == 0 { bytes = Array("no database at all".utf8) }
            if round == 1 { bytes = [] }
            if round == 2 { bytes.removeLast(bytes.count / 2) }
            if round > 2 {
                let page = Int.random(in: 0..<bytes.count / 1024, using: &generator)
                for at in page * 1024..<page * 1024 + 1024 { bytes[at] = UInt8.random(in: 0...255, using: &generator) }
            }
            let damaged = folder.write("damaged", bytes)
            let refusal = Library.checkBackup(damaged)
            if refusal != nil { refused += 1 }
            // The words are for a person without the database at hand.
            if round == 2 { #expect(refusal == "it is damaged, or not all of it is there; try an older backup") }
        }
        // A page that is free, or of a text, may be anything.
        #expect(refused >= 35)
        let foreign = try Database(path: folder.path + "/foreign")
        try foreign.execute("CREATE TABLE item(a); PRAGMA user_version = 3")
        #expect(Library.checkBackup(folder.path + "/foreign") == "it is no backup of a speaker's library")
        #expect(Library.checkBackup(folder.path + "/nowhere/at all") != nil)
        #expect(library.trouble == nil && library.favouriteCount() == 300)
    }
}
