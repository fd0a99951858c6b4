// SPDX-License-Identifier: Apache-2.0
import Playback
import Posix

/// The player's interface for the speaker; a test has its own. Control thread, and nothing waits: a request changes the properties before
/// the call returns, and the sound some milliseconds later.
public protocol PlayerPort: AnyObject {
    /// The receiver of the player's reports. Set once, before it starts.
    var delegate: (any PlayerDelegate)! { get set }
    /// The audible track, or the one about to be; nil when stopped.
    var track: Track? { get }
    /// The audible position; during a jump, its destination.
    var positionMilliseconds: Int { get }
    var wantsToPlay: Bool { get }
    /// True if the track has played to its end, and stays there.
    var isAtEnd: Bool { get }
    /// True if the position moves with time.
    var isAdvancing: Bool { get }
    /// True if the wanted place has yet to come from a network.
    var isWaitingForBytes: Bool { get }
    /// True if there is a card to play on.
    var hasDevice: Bool { get }
    /// True if another program has the card.
    var isDeviceBusy: Bool { get }
    /// The name of that program; nil if it is unknown.
    var cardHolder: String? { get }
    /// True while a card is on its way to other programs.
    var isLettingGoOfCard: Bool { get }
    /// True if the player looks for no card: it plays in time, without a sound.
    var isSilent: Bool { get }
    /// True if sound may go to the card. If not, nothing plays.
    var isOutputEnabled: Bool { get }

    /// - Parameter asked: the time of a listener's request, or nil; the same below.
    func go(to track: Track, milliseconds: Int, play: Bool, asked: MonotonicTime?)
    func play(asked: MonotonicTime?)
    func pause(asked: MonotonicTime?)
    func seek(toMilliseconds: Int, asked: MonotonicTime?)
    /// Stops and forgets the track.
    func unload(asked: MonotonicTime?)
    /// Sets the volume, 0…100.
    func setVolume(percent: Int)
    /// Changes the track's speed from its present position on, in thousandths.
    func setSpeed(_ speed: Int, asked: MonotonicTime?)
    /// Sets whether the track's silences are shortened, from its present position on.
    func setShortensSilences(_ shortens: Bool, asked: MonotonicTime?)
    /// Multiplies the track by a gain, in 1/65536, and glides to it from another; nil for no gain.
    func setGain(_ gain: Int?, asked: MonotonicTime?)
    /// Fades the sound out within that time, or restores it, at any volume.
    func fall(withinMilliseconds: Int)
    func rise(withinMilliseconds: Int)
    /// The time that shorter silences have saved since the start.
    var savedMilliseconds: Int { get }
    /// The time for which the position surely moves with time: up to the next shortened silence, as far as it is known. nil if it always
    /// does.
    var steadyMilliseconds: Int? { get }
    /// The number of underruns of the card since the start.
    var underruns: Int { get }
    /// Lets sound go to the card, or stops that: then it pauses, and releases the card.
    func setOutputEnabled(_ isEnabled: Bool)
    /// Closes the card at once for another program, unless something plays or settings keep it open.
    func letGoOfCard()
    /// Takes any card that opens, and looks for one every second, for an alarm; or returns to the configured one.
    func setUrgent(_ isUrgent: Bool)
    /// Plays on this device instead of the configured card; nil for the card.
    func setDevice(_ device: String?)
    /// Asks the delegate again for the next track, which may be another now.
    func followingDidChange()
}

extension Player: PlayerPort {}
