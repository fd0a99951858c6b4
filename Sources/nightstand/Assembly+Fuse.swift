import Posix

extension Assembly {
    /// Whether a recording ended the last process; if so it is passed over, and that is said once.
    static func lookForDeath(statePath: String, runtimeFolder: String?, _ warn: (String) -> Void) {
        guard let folder = runtimeFolder else { return }
        let death = Fuse.install(path: folder + "/touching")
        let name = death?.name
        Fuse.passedOver = PassedOver(path: statePath + "/passed-over", adding: name)
        guard let death, death.signal != 0 else { return }
        warn(
            name.map {
                "\($0): ended the speaker (signal \(death.signal)); it is passed over until it changes, or somebody chooses it"
            }
                ?? "the speaker had ended by signal \(death.signal)")
    }
}
