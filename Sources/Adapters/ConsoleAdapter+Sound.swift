import Console
import Core
import Posix
import Speaker

extension ConsoleAdapter {
    public var sound: SoundChanges { speaker.sound }
    public func set(_ sound: SoundChanges) { speaker.set(sound, asked: turnBegan()) }
    public var savedOfItemMilliseconds: Int { speaker.savedOfItemMilliseconds }
    public var savedMilliseconds: Int { speaker.savedMilliseconds }
}
