// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix

/// A display of the playback. Control thread only. Nothing here throws: a failing screen warns once, and recovers by itself.
public protocol Screen: AnyObject {
    /// Shows `showing`, with its position as of `now`.
    func show(_ showing: SpeakerStatus, at now: MonotonicTime)
    /// Draws the changes by time alone.
    func refresh(at now: MonotonicTime)
    /// Shows a message for two seconds, in place of an earlier one.
    func announce(_ notice: Notice, at now: MonotonicTime)
    /// Blanks and darkens the screen, if possible, at the end of the program.
    func turnOff()
    /// Switches the light on or off, if possible; the text stays.
    func setLit(_ isLit: Bool)
    /// The time of the next change by itself, nil for never. After each call of the above, set one timer for it, and then call `refresh` or
    /// `show`. It equals the call's `now` if the surface takes the picture in portions: handle buttons first.
    var nextChange: MonotonicTime? { get }
}

extension Screen {
    public func setLit(_ isLit: Bool) {}
}
