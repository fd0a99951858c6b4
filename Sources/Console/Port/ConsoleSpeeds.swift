import Core

/// How fast things are played. Control thread; nothing waits.
public protocol ConsoleSpeeds: AnyObject {
    /// At which the current item is played: 1 for what is live, whatever is set.
    var currentSpeed: Speed { get }
    var speakerSpeed: Speed { get }
    /// Of the current item's book; nil where none was set for it.
    var bookSpeed: Speed? { get }
    /// - Parameter forBook: for the current item's book alone, which one that has its own is set for in any case. Called only where
    ///   there is a current item.
    func setSpeed(_ speed: Speed, forBook: Bool) throws(ConsoleError)
    /// Called only where there is a current item.
    func forgetBookSpeed() throws(ConsoleError)
}
