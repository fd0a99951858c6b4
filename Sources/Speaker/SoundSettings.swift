import Core
import Library
import Model
import Playback
import Posix

/// What is done to the sound, and what it saves.
extension Speaker {
    /// Sets how recordings are heard, from now on, and remembers it.
    public func set(_ wanted: SoundChanges, asked: MonotonicTime? = nil) {
        let before = sound
        if wanted == before { return }
        sound = wanted
        if isLibrary { library.save(wanted) }
        places.didWrite()
        if wanted.shortensSilences != before.shortensSilences {
            player.setShortensSilences(wanted.shortensSilences, asked: asked)
            loop.watch()
        }
        if wanted.level != before.level {
            player.setGain(currentItem.flatMap { gain(of: $0.id) }, asked: asked)
            player.followingDidChange()
            if wanted.level == .off { leveling.stop() } else { measureLoudness() }
        }
        audience.didChange([.player, .modes])
    }

    func connectLeveling() {
        leveling.track = { [self] id in library.item(id).map { track($0, entry: 0) } }
        leveling.didMeasure = { [self] id in
            if sound.level != .off, player.track?.id == id { player.setGain(gain(of: id), asked: nil) }
        }
    }

    /// What an item is multiplied with, in 1/65536; nil where nothing is to be brought to a level. As it is before it was measured.
    func gain(of id: Item.ID) -> Int? {
        if sound.level == .off { return nil }
        let gain = library.loudness(id).gain(sound.level, isRandom: queue.modes.isRandom)
        return Loudness.factor(ofGain: gain ?? 0)
    }

    /// Of the current item.
    public var currentLoudness: Loudness? { currentItem.map { library.loudness($0.id) } }

    /// Finds out how loud what is played is, and what comes next.
    func measureLoudness() {
        guard sound.level != .off, let index = queue.currentIndex else { return }
        let following = queue.index(followingByItself: index)
        var items = [queue.entries[index].itemID]
        if let following, following != index { items.append(queue.entries[following].itemID) }
        leveling.want(items)
    }

    /// What shorter silences have saved a listener of what is current, since it was gone to, in milliseconds.
    public var savedOfItemMilliseconds: Int { max(0, player.savedMilliseconds - savedBeforeItem) }

    /// And since the speaker was started.
    public var savedMilliseconds: Int { player.savedMilliseconds }

    /// Another item is current from here on.
    func countSavedAnew() { savedBeforeItem = player.savedMilliseconds }
}
