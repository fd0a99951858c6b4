import Library
import Testing

@testable import Scanning

@Suite("Transcripts that are due") struct DueTranscriptsTests {
    private func dues(_ count: Int) throws -> [DueTranscripts.Due] {
        let desk = try ScanDesk()
        for number in 1...count { try desk.write("\(number).mp3", ScanDesk.audio(number)) }
        try desk.scan()
        let items = desk.library.spokenStates(after: nil, limit: 64).items
        #expect(items.count == count)
        return items.map { DueTranscripts.Due(item: $0, stamp: 1) }
    }

    @Test func whatLiesThereComesBeforeWhatWasFetched() throws {
        let some = try dues(4)
        var due = DueTranscripts()
        #expect(due.add(some[3]) && due.add(some[2]) && due.hasFetched)
        due.didLook([some[0], some[1]])
        #expect((0..<5).map { _ in due.next()?.item.id } == [0, 1, 3, 2].map { some[$0].item.id } + [nil])
        #expect(!due.hasFetched)
    }

    @Test func whatWasFetchedIsKeptOnceAndNotWithoutLimit() throws {
        let some = try dues(34)
        var due = DueTranscripts()
        #expect(due.add(some[0]) && !due.add(some[0]))
        #expect(some.dropFirst().filter { due.add($0) }.count == 31)
    }

    @Test func aWalkThatBeginsAnewForgetsWhatItFoundAndKeepsWhatWasFetched() throws {
        let some = try dues(2)
        var due = DueTranscripts()
        #expect(!due.hasNextPage)
        due.restart()
        due.didLook([some[0]])
        _ = due.add(some[1])
        due.didRead(until: nil)
        #expect(!due.hasNextPage)
        due.restart()
        #expect(
            due.hasNextPage && due.cursor == nil && due.next()?.item.id == some[1].item.id && due.next()?.stamp == nil)
    }
}
