// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Scenes
import Text

/// A choice from a few values: the values, the present one, and the effect of another.
struct ScreenChoice {
    enum Step {
        case tell(String)
        case ask(Element.Question)
    }

    let overlay: Overlay
    private let steps: [Step]

    init(_ question: Element.Question, _ state: SpeakerStatus) {
        switch question {
        case .speed:
            let speeds = ScreenSettings.speeds.filter { Overlay.speeds.contains($0) || $0 == state.speed.percent }
            steps = speeds.map { .tell("speed " + Speed(percent: $0).text) }
            overlay = .speeds(speeds, current: state.speed)
        case .sleep:
            steps = Sleep.choices.map { .tell("sleep " + $0.word) }
            overlay = .sleep(current: state.sleep)
        case .alarmHour:
            steps = (0..<24).map { .ask(.alarmMinute(hour: $0)) }
            overlay = .values(
                title: translated("New alarm"), values: (0..<24).map { "\($0)" }, selected: nil)
        case .alarmMinute(let hour):
            let minutes = stride(from: hour * 60, to: hour * 60 + 60, by: Alarm.stepMinutes)
            steps = minutes.map { .ask(.alarmDays(minute: $0)) }
            overlay = .values(
                title: translated("New alarm"), values: minutes.map { clockWords(minute: $0) }, selected: nil)
        case .alarmDays(let minute):
            steps = AlarmDays.choices.map { .tell("alarm add " + Alarm.timeWords(minute) + " " + $0.words) }
            overlay = .values(
                title: clockWords(minute: minute), values: AlarmDays.choices.map { $0.titleWords }, selected: nil)
        }
    }

    func step(_ index: Int) -> Step? { steps.indices.contains(index) ? steps[index] : nil }
}
