@testable import Console

extension FakeSpeaker {
    func kept() -> KeptListing { FakeKept(sayings) }

    func takeIn(kept object: String) throws(ConsoleError) -> Bool {
        try act("take in " + object, .sticker)
        return object.hasPrefix("{")
    }
}

private final class FakeKept: KeptListing {
    private var left: [String]

    init(_ all: [String]) { left = all }

    func next(_ limit: Int) -> [String]? { left.isEmpty ? nil : [left.removeFirst()] }
}
