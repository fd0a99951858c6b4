// SPDX-License-Identifier: Apache-2.0
import ALSA
import Audio
import Media
import Posix

/// The audio thread as control sees it; tests have their own. Control thread; no call blocks.
protocol AudioPort: AnyObject {
    func send(_ request: AudioRequest)
    /// The audio thread's last published state.
    var heard: HeardState { get }
}

/// Opens and closes cards. Feed thread; a driver may take its time.
protocol OutputOpener: AnyObject {
    func open(_ request: PlaybackDevice.Request) throws(PlaybackError) -> OpenOutput
    func close(_ output: UnsafeMutablePointer<Output>)
    /// Returns the name of the program that uses the card of a device; nil if unknown.
    func holder(of device: String) -> String?
}

/// An open card, with the facts for control.
struct OpenOutput {
    var output: UnsafeMutablePointer<Output>
    var periodMicroseconds: Int
    /// The card's format, independent of the stream's.
    var card: OutputKeeper.Format
}

/// Prepares decks at positions in streams. Feed thread; a disk may take its time.
protocol DeckPreparer: AnyObject {
    /// - Parameter goOn: called repeatedly; false cancels with `PlaybackError.cancelled`.
    func prepare(_ deck: Int, _ order: DeckOrder, goOn: () -> Bool) throws(PlaybackError) -> PreparedDeck
    /// Closes the deck's stream.
    func close(_ deck: Int)
}

/// The order for preparing a deck.
struct DeckOrder {
    var track: Track
    var milliseconds: Int
    var token: Int
}

/// The facts about a prepared deck.
struct PreparedDeck {
    /// The rate in Hz.
    var rate: Int
    var channels: Int
    /// The end of the stream, if the wanted position is beyond it.
    var endMilliseconds: Int?
    /// The seek table, if the search walked over the whole stream.
    var foundTable: SeekTable?
}

/// The control thread's timers; tests have their own clock.
protocol Scheduler: AnyObject {
    var now: MonotonicTime { get }
    @discardableResult
    func schedule(at due: MonotonicTime, _ action: @escaping () -> Void) -> EventLoop.TimerToken
    func cancel(_ token: EventLoop.TimerToken)
}

extension EventLoop: Scheduler {
    var now: MonotonicTime { .now }
}
