import Core
import Library
import Media
import Model
import Playback
import Posix

/// How fast things are played.
public struct Speeds: Equatable, Sendable {
    public internal(set) var speaker = Speed.own
    /// Of the book that is current; nil where none was set for it.
    public internal(set) var book: Speed?

    public var now: Speed { book ?? speaker }
}

extension Speaker {
    /// What plays comes as it is spoken, at no other speed.
    var isLive: Bool { player.track?.source.stream?.isLive == true }

    /// At which the current item is played.
    public var currentSpeed: Speed { isLive ? .own : speeds.now }

    /// At which an item is played.
    func speed(of item: Item.ID) -> Speed { library.speed(ofBookOf: item) ?? speeds.speaker }

    /// Faster or slower by so many percent: what is current, whether that has a speed of its own or not.
    func changeSpeed(by step: Int, _ asked: MonotonicTime?) {
        if isLive { return audience.announce(.isLive) }
        let wanted = Speed(percent: speeds.now.percent + step)
        if wanted == speeds.now { return audience.announce(step > 0 ? .fastest : .slowest) }
        setSpeed(wanted, forBook: false, asked: asked)
    }

    /// Plays at a speed from now on, and remembers it.
    /// - Parameter forBook: for the book that is current alone, and not for all that have none of their own. One that has keeps to have.
    /// - Returns: false where there is no such book, or it could not be saved.
    @discardableResult
    public func setSpeed(_ speed: Speed, forBook: Bool, asked: MonotonicTime? = nil) -> Bool {
        if forBook || speeds.book != nil {
            guard let item = currentItem, saveForBook(speed, item) else { return false }
            speeds.book = speed
        } else {
            speeds.speaker = speed
            if isLibrary { library.save(speed) }
        }
        useSpeed(asked)
        return true
    }

    /// The current book is played at the speaker's speed from now on.
    public func forgetBookSpeed(asked: MonotonicTime? = nil) -> Bool {
        guard let item = currentItem, saveForBook(nil, item) else { return false }
        speeds.book = nil
        useSpeed(asked)
        return true
    }

    private func saveForBook(_ speed: Speed?, _ item: Item) -> Bool {
        if library.save(speed, forBookOf: item.id) { return true }
        audience.announce(.notSaved)
        return false
    }

    private func useSpeed(_ asked: MonotonicTime?) {
        places.didWrite()
        if !isLive { player.setSpeed(speeds.now.percent * 10, asked: asked) }
        loop.watch()
        audience.didChange([.player, .modes])
    }
}
