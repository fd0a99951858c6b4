// SPDX-License-Identifier: Apache-2.0
import Configuration
import Interaction
import Panel

/// The brightness of the panel, by events and times.
final class ScreenLight {
    var machine: ScreenMachine
    private let dimBrightness: Int
    private let setLamp: (Int) -> Void
    /// The last set light; nil after a change of panels.
    private var shown: ScreenMachine.Light?
    private var shownBrightness = -1

    /// - Parameter setLamp: sets the lamp, in percent; 0 is off.
    init(_ settings: Configuration.Screen, at moment: Int, setLamp: @escaping (Int) -> Void) {
        var timing = ScreenMachine.Settings()
        timing.dimMilliseconds = settings.dimSeconds * 1000
        timing.darkMilliseconds = settings.offSeconds * 1000
        timing.isDarkAtNight = settings.isOffAtNight
        machine = ScreenMachine(timing, at: moment)
        dimBrightness = settings.dimBrightness
        self.setLamp = setLamp
    }

    func forget() { shown = nil }

    /// Sets the panel's brightness.
    /// - Parameter percent: the bright value.
    /// - Returns: true if it was dark and shows nothing yet.
    func shine(_ percent: Int, on panel: (any Panel)?) -> Bool {
        let light = machine.light
        if light == shown && (light != .bright || percent == shownBrightness) { return false }
        let wasDark = shown == .dark
        (shown, shownBrightness) = (light, percent)
        switch light {
        case .bright: setLamp(percent)
        case .dimmed: setLamp(dimBrightness)
        case .dark: setLamp(0)
        }
        if light == .dark {
            panel?.setLit(false)
        } else if wasDark {
            panel?.setLit(true)
            return true
        }
        return false
    }
}
