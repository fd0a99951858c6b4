// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Wire

/// The speaker's menu: `menu open`, `menu next`, `menu choose`; a screen's haptics too.
extension Session {
    func feel(_ name: String) throws(ConsoleError) {
        guard let haptic = Haptic(name: name) else {
            throw Argument.wrong(name, "Expected " + Haptic.allCases.map { $0.name }.joined(separator: ", "))
        }
        guard let haptics = host.haptics else {
            throw ConsoleError(.noExist, "nothing to feel it with: see [haptics] line")
        }
        haptics(haptic)
    }

    func menu(_ word: String?, _ response: inout ResponseBuffer) throws(ConsoleError) {
        if let word {
            guard let step = Command.Menu(rawValue: word) else {
                throw Argument.wrong(word, "Expected open, next, previous, choose, back or leave")
            }
            try host.perform(.menu(step))
        }
        guard let menu = host.status.menu else { return }
        response.field("list", menu.list.words)
        response.field("entry", menu.entry.title)
        response.field("place", menu.index + 1)
        response.field("count", menu.count)
        if let duration = menu.entry.durationMilliseconds {
            response.field("duration", Seconds.text(Int(clamping: duration)))
        }
        if let percent = menu.entry.heardPercent { response.field("heard", percent) }
        if menu.entry.isCurrent { response.field("current", 1) }
    }
}
