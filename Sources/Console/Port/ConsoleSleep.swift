import Core

/// Falling silent by itself. Control thread; nothing waits.
public protocol ConsoleSleep: AnyObject {
    var sleep: Sleep { get }
    /// Until all is silent; nil where nobody counts minutes.
    var sleepMilliseconds: Int? { get }
    func setSleep(_ sleep: Sleep)
}
