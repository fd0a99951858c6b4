// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Playback
import Posix

/// The commands for the sound: speed, silences, level, and the output itself.
extension Speaker {
    /// The speed of the current item.
    public var currentSpeed: Speed { player.track?.isLive == true ? .own : sound.speeds.now }

    /// Changes the speed of the current item by a number of percent, whether the item has its own speed or not.
    func changeSpeed(by step: Int, _ asked: MonotonicTime?) {
        if player.track?.isLive == true { return audience.announce(.isLive) }
        let wanted = Speed(percent: sound.speeds.now.percent + step)
        if wanted == sound.speeds.now { return audience.announce(step > 0 ? .fastest : .slowest) }
        setSpeed(wanted, forBook: false, asked: asked)
    }

    /// Plays at a speed from now on, and saves it.
    /// - Parameter forBook: true for the current book only; false for all without a speed of their own. A book with its own speed keeps
    ///   having one.
    /// - Returns: false if there is no such book, or it could not be saved.
    @discardableResult
    public func setSpeed(_ speed: Speed, forBook: Bool, asked: MonotonicTime? = nil) -> Bool {
        guard sound.speeds.set(speed, forBook: forBook, of: currentItem?.id) else { return speedIsNotSaved() }
        speedDidChange(asked)
        return true
    }

    /// Plays the current book at the speaker's speed from now on.
    public func forgetBookSpeed(asked: MonotonicTime? = nil) -> Bool {
        guard sound.speeds.setBook(nil, of: currentItem?.id) else { return speedIsNotSaved() }
        speedDidChange(asked)
        return true
    }

    private func speedIsNotSaved() -> Bool {
        if currentItem != nil { audience.announce(.notSaved) }
        return false
    }

    private func speedDidChange(_ asked: MonotonicTime?) {
        places.didWrite()
        if player.track?.isLive != true { player.setSpeed(sound.speeds.now.percent * 10, asked: asked) }
        loop.watch()
        skipped.watch()
        audience.didChange([.player, .modes])
    }

    // MARK: Silences and level

    /// Changes how recordings sound, from now on, and saves it.
    public func set(_ wanted: SoundChanges, asked: MonotonicTime? = nil) {
        guard sound.set(wanted, of: currentItem?.id, asked: asked) else { return }
        places.didWrite()
        loop.watch()
        skipped.watch()
        audience.didChange([.player, .modes])
    }

    /// The loudness of the current item.
    public var currentLoudness: Loudness? { currentItem.map { library.loudness($0.id) } }

    // MARK: The card

    /// Lets sound go to the card, or stops that: then it pauses, and other programs can use the card. Saved over a restart.
    public func setOutputEnabled(_ isEnabled: Bool) {
        if isEnabled == player.isOutputEnabled { return }
        savePlace()
        player.setOutputEnabled(isEnabled)
        library.saveOutput(isEnabled: isEnabled)
        saveState()
        audience.didChange([.player, .output])
    }
}
