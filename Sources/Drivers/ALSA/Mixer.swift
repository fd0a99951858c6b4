// SPDX-License-Identifier: Apache-2.0
import CALSA

/// One volume control of a card, for boards that set the volume in the DAC. Control thread.
public struct Mixer: ~Copyable {
    private let mixer: OpaquePointer
    private let element: OpaquePointer
    private let smallest: Int
    private let largest: Int
    /// True if the range is in hundredths of a decibel, false if in the card's own steps.
    private let isDecibel: Bool

    /// - Parameters:
    ///   - device: the PCM's name; its card has the mixer (`plughw:CARD=DAC,DEV=0` has `hw:CARD=DAC`).
    ///   - elementName: the name in `amixer scontrols`. An unknown name throws an error that lists the known ones.
    public init(device: String, element elementName: String) throws(ALSAError) {
        let card = Mixer.card(of: device)
        var opened: OpaquePointer?
        let code = snd_mixer_open(&opened, 0)
        guard code == 0, let mixer = opened else { throw ALSAError(code, "open mixer") }
        let found: OpaquePointer
        do throws(ALSAError) { found = try Mixer.find(elementName, in: mixer, of: card) } catch {
            snd_mixer_close(mixer)
            throw error
        }
        self.mixer = mixer
        element = found
        var low = 0
        var high = 0
        let hasDecibel = snd_mixer_selem_get_playback_dB_range(found, &low, &high) == 0 && low < high
        if !hasDecibel { snd_mixer_selem_get_playback_volume_range(found, &low, &high) }
        isDecibel = hasDecibel
        // Below -60 dB nothing is audible, and it would take half the range of the knob.
        smallest = hasDecibel ? max(low, high - 6000) : low
        // Above 0 dB a DAC may clip.
        largest = hasDecibel && low < 0 ? min(high, 0) : high
    }

    private static func find(
        _ wanted: String, in mixer: OpaquePointer, of card: String
    ) throws(ALSAError) -> OpaquePointer {
        func check(_ code: Int32) throws(ALSAError) {
            if code < 0 { throw ALSAError(code, "open mixer of \(card)") }
        }
        try check(snd_mixer_attach(mixer, card))
        try check(snd_mixer_selem_register(mixer, nil, nil))
        try check(snd_mixer_load(mixer))
        var names = ""
        var next = snd_mixer_first_elem(mixer)
        while let element = next {
            if snd_mixer_selem_has_playback_volume(element) != 0 {
                let name = String(cString: snd_mixer_selem_get_name(element))
                if name == wanted { return element }
                names += (names.isEmpty ? "" : ", ") + name
            }
            next = snd_mixer_elem_next(element)
        }
        let others = names.isEmpty ? "it has none" : "there are: " + names
        throw ALSAError(-2, "mixer of \(card): no volume control '\(wanted)', \(others)")
    }

    deinit { snd_mixer_close(mixer) }

    /// Sets the volume, 0…100. Decibels are spaced evenly, as loudness is heard. 0 is the card's minimum.
    public borrowing func setVolume(percent: Int) throws(ALSAError) {
        let percent = min(100, max(0, percent))
        let value = smallest + (largest - smallest) * percent / 100
        let code: Int32
        if percent == 0 {
            var low = 0
            var high = 0
            snd_mixer_selem_get_playback_volume_range(element, &low, &high)
            code = snd_mixer_selem_set_playback_volume_all(element, low)
        } else if isDecibel {
            code = snd_mixer_selem_set_playback_dB_all(element, value, 0)
        } else {
            code = snd_mixer_selem_set_playback_volume_all(element, value)
        }
        if code < 0 { throw ALSAError(code, "set mixer volume") }
    }

    /// Returns `hw:CARD=DAC` for a name with a card, else `default`.
    static func card(of device: String) -> String {
        guard let colon = device.utf8.firstIndex(of: UInt8(ascii: ":")) else { return "default" }
        var card = device[device.utf8.index(after: colon)...]
        if let comma = card.utf8.firstIndex(of: UInt8(ascii: ",")) { card = card[..<comma] }
        if card.isEmpty { return "default" }
        return "hw:" + String(card)
    }
}
