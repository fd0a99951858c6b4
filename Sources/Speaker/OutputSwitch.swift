import Core
import Library

/// Whether sound may go to the card.
extension Speaker {
    public var isOutputEnabled: Bool { player.isOutputEnabled }

    /// Lets sound go to the card, or no longer: then it pauses, and other programs can have the card. Kept over a restart.
    public func setOutputEnabled(_ isEnabled: Bool) {
        if isEnabled == player.isOutputEnabled { return }
        savePlace()
        player.setOutputEnabled(isEnabled)
        library.saveOutput(isEnabled: isEnabled)
        saveState()
        audience.didChange([.player, .output])
    }
}

extension Speaker {
    /// Something else was written into the library: the disk is to have it.
    public func didWrite() { places.didWrite() }
}
