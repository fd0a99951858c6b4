@testable import Console

extension FakeSpeaker {
    /// Every sentence that has the words as they are written, as one text.
    func said(_ words: String) -> SpokenListing? {
        let plain = words.filter { $0 != "\"" }
        if plain.isEmpty { return nil }
        sayings.append(words)
        return FakeSpokenListing(sentences.filter { $0.text.contains(plain) })
    }

    var isReadingWords: Bool { isReading }

    func play(song identifier: Int64, fromMilliseconds milliseconds: Int) throws(ConsoleError) {
        try act("play \(identifier) from \(milliseconds)", .player)
    }
}

/// Gives nothing at every other call, as a search may.
private final class FakeSpokenListing: SpokenListing {
    private var left: ArraySlice<SpokenDescription>
    private var rests = true

    init(_ all: [SpokenDescription]) { left = all[...] }

    func next(_ limit: Int) -> [SpokenDescription]? {
        if left.isEmpty { return nil }
        rests.toggle()
        if !rests { return [] }
        let page = left.prefix(limit)
        left = left.dropFirst(page.count)
        return Array(page)
    }
}
