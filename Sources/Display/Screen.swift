// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix

/// Anything that can show what plays. Control thread only; nothing here throws, a screen that fails keeps quiet about it
/// after one warning and comes back by itself.
public protocol Screen: AnyObject {
    /// Shows `showing`, with its position as of `now`.
    func show(_ showing: SpeakerStatus, at now: MonotonicTime)
    /// Draws what time alone has changed since.
    func refresh(at now: MonotonicTime)
    /// Shows a passing word for two seconds; a newer one replaces it.
    func announce(_ notice: Notice, at now: MonotonicTime)
    /// Leaves the glass dark and blank, if it can be: the program ends.
    func turnOff()
    /// Has its light on or off, if that is in its power; its text stays.
    func setLit(_ isLit: Bool)
    /// When the picture next changes by itself, nil for never. Set one timer for it after each call of the above, and call
    /// `refresh` then, or `show`. It is the `now` of that call if the glass takes the picture in portions and waits for the next one: look
    /// after buttons first.
    var nextChange: MonotonicTime? { get }
}

extension Screen {
    public func setLit(_ isLit: Bool) {}
}
