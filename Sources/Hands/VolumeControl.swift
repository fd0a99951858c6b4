// SPDX-License-Identifier: Apache-2.0
import ALSA
import Speaker
import Workers

/// The card's own volume control, if configured. The worker uses the card, since it may hang, and its description is on the disk. A missing
/// card gives one warning.
public final class VolumeControl: MixerPort {
    private let device: String
    private let element: String
    private let worker: any Performer
    private let warn: (String) -> Void
    private var hasWarned = false

    public init(device: String, element: String, worker: any Performer, warn: @escaping (String) -> Void) {
        self.device = device
        self.element = element
        self.worker = worker
        self.warn = warn
    }

    public func set(_ percent: Int, finish: @escaping (Bool) -> Void) {
        let (device, element) = (device, element)
        var failure: String?
        do throws(Job.Refusal) {
            try worker.perform(.pressed, key: "mixer") {
                // Open it for each change: a replugged card has another mixer.
                do throws(ALSAError) {
                    try Mixer(device: device, element: element).setVolume(percent: percent)
                } catch { failure = error.message }
                return .done
            } finish: { [self] outcome in
                // A later change will report its own result.
                if outcome != .done { return }
                if let failure, !hasWarned { warn(failure) }
                hasWarned = failure != nil
                finish(failure == nil)
            }
        } catch { finish(false) }
    }
}
