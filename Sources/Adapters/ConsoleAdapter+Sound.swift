import Console
import Core
import Posix
import Speaker

extension ConsoleAdapter {
    public var sound: SoundChanges { speaker.sound }
    public func set(_ sound: SoundChanges) { speaker.set(sound, asked: turnBegan()) }
    public var gain: Int? { speaker.currentLoudness?.gain(speaker.sound.level, isRandom: speaker.queue.modes.isRandom) }
    public var measuredLoudness: Int? { speaker.currentLoudness?.measured }
    public var savedOfItemMilliseconds: Int { speaker.savedOfItemMilliseconds }
    public var savedMilliseconds: Int { speaker.savedMilliseconds }
}
