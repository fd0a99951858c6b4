import Library
import Model
import Posix
import Workers

extension Speaker {
    /// Somebody chose an item: one that has ended the speaker is tried once more.
    func tryAgain(_ item: Item) {
        guard let passedOver = Fuse.passedOver, passedOver.forgive(item.path) else { return }
        do throws(Job.Refusal) {
            try worker.perform(.background, key: "passed over") {
                passedOver.save()
                return .done
            } finish: { _ in
            }
        } catch { audience.warn("\(item.path) was not noted to be tried again: the disk does not answer") }
    }
}
