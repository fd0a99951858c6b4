// SPDX-License-Identifier: Apache-2.0
import Model

@testable import Console

extension FakeSpeaker {
    var names: SongNames { SongNames(root: "/srv/nightstand") }

    func setOutput(_ id: Int, enabled: Bool) throws(ConsoleError) {
        try act("output \(id) \(enabled)", .output)
        outputs[id].isEnabled = enabled
    }

    func consolesDidChange(_ subsystems: Subsystems) { onChange(subsystems) }
}
