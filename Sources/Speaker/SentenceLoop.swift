import Posix

/// A stretch of the current item that is heard again and again: a sentence, or what lies between two places that somebody set.
///
/// It wakes the thread at its end alone, by what the ear hears: the place jumped to is the same each time, so that nothing drifts.
public final class SentenceLoop {
    /// Milliseconds of the item.
    public private(set) var bounds: Range<Int>?
    /// Where the stretch is to begin, once its end is set as well.
    public private(set) var mark: Int?
    /// It is one sentence, and goes along with those who go to the next.
    private(set) var isSentence = false
    /// There was a stretch, or its beginning, and another file is current since: no stretch goes from file to file.
    private(set) var wasLeft = false
    private let ear: EarWatch

    /// What the ear hears.
    var heard: () -> EarWatch.Heard {
        get { ear.heard }
        set { ear.heard = newValue }
    }

    /// The end has been heard: to the start.
    var jump: (_ milliseconds: Int) -> Void = { _ in }

    /// Shorter stretches are no words any more.
    static let leastMilliseconds = 200

    init(timers: any Timers) {
        ear = EarWatch(timers: timers)
        ear.arrived = { [self] in if let bounds { jump(bounds.lowerBound) } }
    }

    var isOn: Bool { bounds != nil }

    func set(_ bounds: Range<Int>, isSentence: Bool) {
        self.bounds =
            bounds.count < SentenceLoop.leastMilliseconds
            ? bounds.lowerBound..<bounds.lowerBound + SentenceLoop.leastMilliseconds : bounds
        self.isSentence = isSentence
        mark = nil
        wasLeft = false
        watch()
    }

    /// The stretch is to begin here.
    func begin(at milliseconds: Int) {
        end()
        mark = milliseconds
    }

    func end() {
        bounds = nil
        mark = nil
        isSentence = false
        wasLeft = false
        watch()
    }

    /// Another file is current.
    func leave() {
        let wasLeft = wasLeft || isOn || mark != nil
        end()
        self.wasLeft = wasLeft
    }

    /// Somebody went to a place: outside the stretch ends it.
    func didSeek(to milliseconds: Int) {
        if let bounds, !bounds.contains(milliseconds) { end() }
    }

    /// Playing, or the place, is another than time alone would have made it.
    func watch() { ear.watch(for: bounds?.upperBound) }
}
