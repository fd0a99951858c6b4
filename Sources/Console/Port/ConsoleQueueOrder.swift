import Core

/// The order of the queue, and the way in which it is gone through, as consoles change them. Control thread; nothing waits.
public protocol ConsoleQueueOrder: AnyObject {
    func setModes(_ modes: PlayModes) throws(ConsoleError)
    /// Moves the entries at these positions, which exist, so that the first of them stands at `to`: at most the number of the others.
    func moveInQueue(_ positions: Range<Int>, to: Int) throws(ConsoleError)
    /// Both positions exist.
    func swapInQueue(_ one: Int, _ other: Int) throws(ConsoleError)
    /// Brings the entries at these positions, which exist, into an order of chance.
    func shuffleQueue(_ positions: Range<Int>) throws(ConsoleError)
    /// Makes the entries at these positions, which exist, come sooner in an order of chance: 0 to 255.
    func prioritise(_ positions: Range<Int>, _ priority: Int) throws(ConsoleError)
}
