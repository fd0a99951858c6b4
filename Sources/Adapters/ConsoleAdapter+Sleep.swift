import Console
import Core
import Speaker

extension ConsoleAdapter {
    public var sleep: Sleep { speaker.sleepSetting }
    public var sleepMilliseconds: Int? { speaker.sleepMilliseconds }
    public func setSleep(_ sleep: Sleep) { perform(.sleep(sleep)) }
}
