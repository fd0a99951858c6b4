import ALSA

/// The card's own volume control, if the configuration names one. A card that is away is tried again with the next change.
final class VolumeControl {
    private let device: String
    private let element: String
    private let warn: (String) -> Void
    private var hasWarned = false

    init(device: String, element: String, warn: @escaping (String) -> Void) {
        self.device = device
        self.element = element
        self.warn = warn
    }

    /// 0…100.
    func set(_ percent: Int) {
        do throws(ALSAError) {
            // Opened for each change: a card that was unplugged in between has another mixer.
            let mixer = try Mixer(device: device, element: element)
            try mixer.setVolume(percent: percent)
            hasWarned = false
        } catch {
            if !hasWarned { warn(error.message) }
            hasWarned = true
        }
    }
}
