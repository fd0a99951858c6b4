import Console
import Core
import Speaker

extension ConsoleAdapter {
    public func setModes(_ modes: PlayModes) throws(ConsoleError) { speaker.set { $0 = modes } }

    public func moveInQueue(_ positions: Range<Int>, to: Int) throws(ConsoleError) { speaker.move(positions, to: to) }

    public func swapInQueue(_ one: Int, _ other: Int) throws(ConsoleError) { speaker.swap(one, other) }

    public func shuffleQueue(_ positions: Range<Int>) throws(ConsoleError) { speaker.shuffle(positions) }

    public func prioritise(_ positions: Range<Int>, _ priority: Int) throws(ConsoleError) {
        speaker.prioritise(positions, UInt8(clamping: priority))
    }
}
