// SPDX-License-Identifier: Apache-2.0
import Foundation
import Model
import Posix
import Testing

@testable import Library
@testable import Scanning

@Suite struct MeasuringTests {
    @Test func framesAreCountedWhereNoTagTellsTheDuration() throws {
        let desk = try ScanDesk()
        try desk.write("known.mp3", ScanDesk.audio(1, frames: 100))
        try desk.write("unknown.mp3", ScanDesk.audio(2, frames: 100, knowsDuration: false))
        try desk.scan()
        #expect(desk.durations == [2600, 2612])
        #expect(desk.changed == [desk.queue[1]])
    }

    /// The power went before they were counted: the files are known and not looked into again.
    @Test func whatWasLeftIsCountedAfterARestart() throws {
        let desk = try ScanDesk()
        for number in 0..<10 {
            try desk.write("\(number).mp3", ScanDesk.audio(number, frames: 100, knowsDuration: false))
        }
        desk.keeper.scan()
        try desk.finishScanOnly()
        #expect(desk.durations == [Int?](repeating: nil, count: 10))
        desk.take(up: .library(folder: desk.root))
        desk.worker.runAll()
        desk.keeper.start()
        try desk.finish()
        #expect(desk.durations == [Int?](repeating: 2612, count: 10))
    }

    /// Each missing one leads to the next: not within the call for the one before.
    @Test func twentyThousandMissingFilesAreNoTrouble() throws {
        let desk = try ScanDesk()
        desk.library.batch {
            for number in 0..<20_000 {
                _ = desk.library.upsert(
                    Probe(
                        identity: ContentIdentity(hash: UInt64(number), audioBytes: 1000),
                        path: desk.path("\(number).mp3"),
                        fileBytes: 1000, fileModifiedSeconds: 1))
            }
        }
        try desk.scan()
        #expect(desk.worker.takenCount > 20_000 && desk.worker.jobs.isEmpty)
    }

    @Test func whatCannotBeCountedIsTriedOnceAndAgainWhenItChanges() throws {
        let desk = try ScanDesk()
        try desk.write("1.mp3", ScanDesk.audio(1, frames: 100, knowsDuration: false))
        desk.keeper.scan()
        try desk.finishScanOnly()
        try desk.rename("1.mp3", to: ".1.mp3")
        desk.worker.runAll()
        #expect(desk.durations == [nil])
        try desk.rename(".1.mp3", to: "1.mp3")
        let jobs = desk.worker.takenCount
        try desk.scan()
        #expect(desk.worker.takenCount == jobs + 1 && desk.durations == [nil])
        try desk.write("1.mp3", ScanDesk.audio(1, frames: 101, knowsDuration: false))
        try desk.scan()
        #expect(desk.durations == [2638])
    }
}
