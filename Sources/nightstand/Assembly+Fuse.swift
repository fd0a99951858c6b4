// SPDX-License-Identifier: Apache-2.0
import Posix

extension Assembly {
    /// Checks whether a recording ended the last process; if so, it is skipped, with one message.
    static func lookForDeath(statePath: String, runtimeFolder: String?, _ warn: (String) -> Void) {
        guard let folder = runtimeFolder else { return }
        let death = Fuse.install(path: folder + "/touching")
        let name = death?.name
        Fuse.passedOver = PassedOver(path: statePath + "/passed-over", adding: name)
        guard let death else { return }
        let how = death.signal == 0 ? "killed from outside" : "signal \(death.signal)"
        if let name {
            warn("\(name): ended the speaker (\(how)); it is passed over until it changes, or somebody chooses it")
        } else if death.signal != 0 {
            warn("the speaker had ended by \(how)")
        }
    }
}
