import Core
import Model
import Scenes
import Text

/// What is chosen from a few values: which these are, which one it is now, and the command that sets another.
struct ScreenChoice {
    let overlay: Overlay
    private let commands: [String]

    init(_ question: Element.Question, _ state: SpeakerStatus) {
        switch question {
        case .speed:
            let speeds = ScreenSettings.speeds.filter { $0 <= 200 || $0 == state.speed.percent }
            commands = speeds.map { "speed " + ScreenSettings.decimal($0) }
            overlay = .values(
                title: translated("Speed"),
                values: speeds.map { withDecimalSign(ScreenSettings.decimal($0)) + "\u{00D7}" },
                selected: speeds.firstIndex(of: state.speed.percent))
        case .sleep:
            commands = Sleep.steps.map { "sleep " + $0.word }
            overlay = .values(
                title: translated("Sleep timer"), values: Sleep.steps.map { ScreenSettings.capitalised($0.words) },
                selected: Sleep.steps.firstIndex(of: state.sleep))
        }
    }

    func command(_ index: Int) -> String? { commands.indices.contains(index) ? commands[index] : nil }
}
