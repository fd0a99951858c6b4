import Model

/// What the console needs of the speaker's devices, and of the speaker as one that several consoles look at. Control thread.
public protocol ConsoleDevices: AnyObject {
    /// Places that sound goes to, with numbers from 0.
    var outputs: [OutputDescription] { get }
    /// Lets sound go to the output with this number, which exists, or no longer. Without any it pauses. Kept over a restart.
    func setOutput(_ id: Int, enabled: Bool) throws(ConsoleError)
    /// What items and folders are called, by the folder that paths are relative to.
    var names: SongNames { get }
    /// Has all consoles told of a change that one of them made to what they share. Not from within the command that made it, but once
    /// that has returned.
    func consolesDidChange(_ subsystems: Subsystems)
}
