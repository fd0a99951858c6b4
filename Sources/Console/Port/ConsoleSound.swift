import Core

/// What is done to the sound of what is played. Control thread; nothing waits.
public protocol ConsoleSound: AnyObject {
    var sound: SoundChanges { get }
    func set(_ sound: SoundChanges)
    /// The gain of the current item and the loudness that was measured of it, in hundredths of a decibel; nil where there is none.
    var gain: Int? { get }
    var measuredLoudness: Int? { get }
    /// What shorter silences have saved: of the current item, and since the start.
    var savedOfItemMilliseconds: Int { get }
    var savedMilliseconds: Int { get }
}
