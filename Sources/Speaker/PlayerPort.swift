// SPDX-License-Identifier: Apache-2.0
import Playback
import Posix

/// The player's interface for the speaker; a test puts its own here. Control thread, and nothing waits: a request changes the properties
/// before the call returns, and the sound some milliseconds later.
public protocol PlayerPort: AnyObject {
    /// Told of what happens to what plays. Set once, before it starts.
    var delegate: (any PlayerDelegate)! { get set }
    /// The track that is heard, or about to be; nil when stopped.
    var track: Track? { get }
    /// The place of the ear; during a jump, its destination.
    var positionMilliseconds: Int { get }
    var wantsToPlay: Bool { get }
    /// The track was gone through to its end, and stays there.
    var isAtEnd: Bool { get }
    /// The position moves with time.
    var isAdvancing: Bool { get }
    /// True if the wanted place has yet to come from a network.
    var isWaitingForBytes: Bool { get }
    /// There is a card to play on.
    var hasDevice: Bool { get }
    /// True if another program has the card.
    var isDeviceBusy: Bool { get }
    /// The name of that program; nil if it is unknown.
    var cardHolder: String? { get }
    /// True while a card is on its way to other programs.
    var isLettingGoOfCard: Bool { get }
    /// No card is looked for: it plays in time, without a sound.
    var isSilent: Bool { get }
    /// Sound may go to the card. If not, nothing plays.
    var isOutputEnabled: Bool { get }

    /// - Parameter asked: the time of a person's request, or nil; the same below.
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
    /// Fades the sound out within that time, or restores it, at any volume.
    func fall(withinMilliseconds: Int)
    func rise(withinMilliseconds: Int)
    /// The time that shorter silences have saved since the start.
    var savedMilliseconds: Int { get }
    /// For how long the position is sure to go on as time does: up to the next silence that is made shorter, as far as is known. Nil
    /// where it always does.
    var steadyMilliseconds: Int? { get }
    /// Times that the card ran dry, since the start.
    var underruns: Int { get }
    /// Lets sound go to the card, or no longer: then it pauses, and lets go of the card.
    func setOutputEnabled(_ isEnabled: Bool)
    /// Closes the card at once for another program, unless something is heard or settings keep it open.
    func letGoOfCard()
    /// Takes any card that opens, and looks for one every second, for an alarm; or returns to the configured one.
    func setUrgent(_ isUrgent: Bool)
    /// Plays on this device instead of the configured card; nil for the card.
    func setDevice(_ device: String?)
    /// The next track may be another now: asks the delegate anew.
    func followingDidChange()
}

extension Player: PlayerPort {}
