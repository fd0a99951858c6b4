import Core
import Library
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
        audience.didChange([.player, .modes])
    }

    /// What shorter silences have saved a listener of what is current, since it was gone to, in milliseconds.
    public var savedOfItemMilliseconds: Int { max(0, player.savedMilliseconds - savedBeforeItem) }

    /// And since the speaker was started.
    public var savedMilliseconds: Int { player.savedMilliseconds }

    /// Another item is current from here on.
    func countSavedAnew() { savedBeforeItem = player.savedMilliseconds }
}
