import ALSA
import Audio
import Media
import Posix

/// The audio thread as control sees it; a test puts its own here. Control thread, no call blocks.
protocol AudioPort: AnyObject {
    func send(_ request: AudioRequest)
    /// What the audio thread saw last.
    var heard: HeardState { get }
}

/// Opens cards and closes them. Feed thread; a driver may take its time.
protocol OutputOpener: AnyObject {
    func open(_ request: PlaybackDevice.Request) throws(PlaybackError) -> OpenOutput
    func close(_ output: UnsafeMutablePointer<Output>)
}

/// A card that was opened, and what control needs to know of it.
struct OpenOutput {
    var output: UnsafeMutablePointer<Output>
    var periodMicroseconds: Int
    /// What the card takes, whatever the stream is.
    var card: OutputKeeper.Format
}

/// Brings decks to places in streams. Feed thread; a disk may take its time.
protocol DeckPreparer: AnyObject {
    /// - Parameter goOn: asked now and then; false gives up with `PlaybackError.cancelled`.
    func prepare(_ deck: Int, _ order: DeckOrder, goOn: () -> Bool) throws(PlaybackError) -> PreparedDeck
    /// Lets go of the deck's stream.
    func close(_ deck: Int)
}

/// What a deck is to be got ready for.
struct DeckOrder {
    var track: Track
    var milliseconds: Int
    var token: Int
}

/// What is known of a deck that is ready.
struct PreparedDeck {
    /// Hz.
    var rate: Int
    var channels: Int
    /// Where the stream ends, if the place asked for lies behind that.
    var endMilliseconds: Int?
    /// What was found out on the way to the place, if all of the stream had to be gone through.
    var foundTable: SeekTable?
}

/// The control thread's timers; a test puts its own clock here.
protocol Scheduler: AnyObject {
    var now: MonotonicTime { get }
    @discardableResult
    func schedule(at due: MonotonicTime, _ action: @escaping () -> Void) -> EventLoop.TimerToken
    func cancel(_ token: EventLoop.TimerToken)
}

extension EventLoop: Scheduler {
    var now: MonotonicTime { .now }
}
