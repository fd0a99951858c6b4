// SPDX-License-Identifier: Apache-2.0
import Mpg123
import Posix

/// A deck that never plays: its one thread puts bytes in and takes decoded frames out, and may wait.
public final class SpareDeck {
    public let deck: UnsafeMutablePointer<Deck>
    public let shared: UnsafeMutablePointer<DeckShared>
    private let wake: UnsafeMutablePointer<WakeSignal>

    public init(wake signal: consuming WakeSignal) throws(Mpg123Error) {
        let wake = UnsafeMutablePointer<WakeSignal>.allocate(capacity: 1)
        wake.initialize(to: signal)
        let shared = UnsafeMutablePointer<DeckShared>.allocate(capacity: 1)
        shared.initialize(to: DeckShared(feedWake: wake))
        let deck = UnsafeMutablePointer<Deck>.allocate(capacity: 1)
        do throws(Mpg123Error) { deck.initialize(to: try Deck(shared: shared)) } catch {
            deck.deallocate()
            shared.deinitialize(count: 1)
            shared.deallocate()
            wake.deinitialize(count: 1)
            wake.deallocate()
            throw error
        }
        (self.wake, self.shared, self.deck) = (wake, shared, deck)
    }

    deinit {
        deck.deinitialize(count: 1)
        deck.deallocate()
        shared.deinitialize(count: 1)
        shared.deallocate()
        wake.deinitialize(count: 1)
        wake.deallocate()
    }
}
