import Playback
import Posix

/// What the speaker asks of the player; a test puts its own here. Control thread, and nothing waits: what is asked has come
/// about for the properties when the call returns, for the ear some milliseconds later.
public protocol PlayerPort: AnyObject {
    /// Told of what happens to what plays. Set once, before it starts.
    var delegate: (any PlayerDelegate)! { get set }
    /// The track that is heard, or about to be; nil when stopped.
    var track: Track? { get }
    /// What the ear hears of it; where a jump is under way, the place jumped to.
    var positionMilliseconds: Int { get }
    var wantsToPlay: Bool { get }
    /// The track was gone through to its end, and stays there.
    var isAtEnd: Bool { get }
    /// The position moves with time.
    var isAdvancing: Bool { get }
    /// What is to be heard has yet to come from a network.
    var isWaitingForBytes: Bool { get }
    /// There is a card to play on.
    var hasDevice: Bool { get }
    /// No card is looked for: it plays in time, without a sound.
    var isSilent: Bool { get }
    /// Sound may go to the card. If not, nothing plays.
    var isOutputEnabled: Bool { get }

    /// - Parameter asked: when a person asked for it, nil where nobody did; the same below.
    func go(to track: Track, milliseconds: Int, play: Bool, asked: MonotonicTime?)
    func play(asked: MonotonicTime?)
    func pause(asked: MonotonicTime?)
    func seek(toMilliseconds: Int, asked: MonotonicTime?)
    /// Stops and forgets the track.
    func unload(asked: MonotonicTime?)
    /// 0…100.
    func setVolume(percent: Int)
    /// Plays the track on from where it is at another speed, in thousandths.
    func setSpeed(_ speed: Int, asked: MonotonicTime?)
    /// Makes the track's silences shorter from where it is on, or no longer.
    func setShortensSilences(_ shortens: Bool, asked: MonotonicTime?)
    /// Multiplies the track with a gain, in 1/65536, to which it glides from another; nil to play it as it is.
    func setGain(_ gain: Int?, asked: MonotonicTime?)
    /// What sounds dies away within so long, or is there again, whatever the volume is.
    func fall(withinMilliseconds: Int)
    func rise(withinMilliseconds: Int)
    /// What shorter silences have saved up to what is heard, since the start.
    var savedMilliseconds: Int { get }
    /// For how long the position is sure to go on as time does: up to the next silence that is made shorter, as far as is known. Nil
    /// where it always does.
    var steadyMilliseconds: Int? { get }
    /// Times that the card ran dry, since the start.
    var underruns: Int { get }
    /// Lets sound go to the card, or no longer: then it pauses, and lets go of the card.
    func setOutputEnabled(_ isEnabled: Bool)
    /// What follows is not what it was: asks the delegate anew.
    func followingDidChange()
}

extension Player: PlayerPort {}
