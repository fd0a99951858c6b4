import Posix

extension Assembly {
    /// A folder that is memory, and outlives the process; nil for none.
    static var memoryFolder: String? {
        environmentVariable("RUNTIME_DIRECTORY") ?? environmentVariable("XDG_RUNTIME_DIR")
    }

    /// Whether a recording ended the last process; if so it is passed over, and that is said once.
    static func lookForDeath(statePath: String, _ warn: (String) -> Void) {
        guard let folder = memoryFolder else { return }
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
