/// Work for the feed thread, in steps so that it never keeps the decks waiting long, and what follows on the control thread.
/// The job crosses threads through rings that order memory, and is touched by one thread at a time.
final class FeedJob: @unchecked Sendable {
    /// Feed thread: does a part, at most some milliseconds of work or one disk access; true when all is done.
    let step: () -> Bool
    /// Control thread: after the last step.
    let finish: () -> Void
    /// May wait behind everything else.
    let isBackground: Bool

    init(isBackground: Bool, step: @escaping () -> Bool, finish: @escaping () -> Void) {
        self.isBackground = isBackground
        self.step = step
        self.finish = finish
    }
}
