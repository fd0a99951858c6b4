// SPDX-License-Identifier: Apache-2.0
import Model
import Scenes
import Wire

/// The pages' source: the speaker, and the settings of this screen.
final class ScreenPageSource: PageSource {
    private let stage: Stage
    private let kept: ScreenSettings
    private let speaker: ScreenSpeaker

    init(_ stage: Stage, _ settings: ScreenSettings, _ speaker: ScreenSpeaker) {
        self.stage = stage
        kept = settings
        self.speaker = speaker
    }

    func ask(_ command: String, lines: @escaping (String?) -> Void) {
        speaker.ask(command) { answer in
            guard let answer, answer.refusal == nil else { return lines(nil) }
            lines(answer.lines)
        }
    }

    func tell(_ command: String) { speaker.tell(command) }

    func settings(_ state: SpeakerStatus) -> [SettingRow] { kept.rows(state) }

    func change(_ name: SettingName, _ step: Element.Step, _ state: SpeakerStatus) {
        kept.change(name, step, stage, state, speaker)
    }

    func askChoices(then: @escaping () -> Void) { kept.askChoices(speaker, then: then) }

    func askConnections(_ state: SpeakerStatus, then: @escaping () -> Void) {
        kept.askConnections(state, speaker, then: then)
    }
}
