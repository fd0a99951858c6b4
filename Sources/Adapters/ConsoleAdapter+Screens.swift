// SPDX-License-Identifier: Apache-2.0
import Console
import Core
import Model
import Speaker

extension ConsoleAdapter {
    public func screenCame() { trees.screenCame() }
    public func screenWent() { trees.screenWent() }

    public func screenTree() throws(ConsoleError) -> Awaited<[ElementDescription]> {
        let tree = try trees.ask()
        consolesDidChange(.screen)
        return tree
    }

    public func screenTells(_ elements: [ElementDescription]) { trees.tell(elements) }

    public func screenFocuses(_ element: ElementDescription) {
        speaker.sayFocus(
            element.label, element.value, element.hint,
            isSelected: element.state.split(separator: " ").contains("selected"))
    }

    public var settings: [SettingStatus] { SpeakerSetting.allCases.compactMap(speaker.status) }

    public func choose(_ value: String, of setting: SpeakerSetting) throws(ConsoleError) {
        if !speaker.choose(value, of: setting) { throw ConsoleError(.argument, "\(value) cannot be chosen") }
    }

    public func feel(_ haptic: Haptic) throws(ConsoleError) {
        guard let haptics else { throw ConsoleError(.noExist, "nothing to feel it with: see [haptics] line") }
        haptics(haptic)
    }
}
