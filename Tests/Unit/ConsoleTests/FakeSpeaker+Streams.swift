@testable import Console

extension FakeSpeaker {
    var takesStreams: Bool { streamsAreOn }

    func stream(at address: String) throws(ConsoleError) -> SongDescription {
        guard streamsAreOn else { throw ConsoleError(.permission, "streams are off") }
        return SongDescription(uri: address, identifier: 900)
    }
}
