// SPDX-License-Identifier: Apache-2.0
import Core
import Display
import Library
import Model
import Text

extension Speaker {
    /// Switches the voice on or off. A blind listener hears that it is on, and chooses its language with the next presses.
    func switchVoice() {
        let silenced = audience.answers
        guard let isOn = audience.switchVoice() else { return audience.announce(.noVoice) }
        audience.announce(isOn ? .voiceOn : .voiceOff)
        if !isOn {
            silenced?.tell(SpokenWords.sentences([Notice.voiceOff.words]))
            return
        }
        var words = [Notice.voiceOn.words]
        if case .moved = menu.open(.setting(.language)) {
            words += [translated("Forward and back choose the language"), translated("play takes it")]
            if let entry = menu.status?.entry { words.append(SpokenWords.entry(entry)) }
        }
        audience.answers?.tell(SpokenWords.sentences(words))
    }
}
