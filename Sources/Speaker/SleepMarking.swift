// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Text

/// The bookmark at the place where the sleep timer was set, for a listener who fell asleep before the silence. There is at most one.
extension Speaker {
    /// The distance behind the silence at which the listener is awake and has found the place.
    private static let awakeMilliseconds = 120_000

    /// Marks the present place when the timer is set or reset, or removes the mark.
    func markSleep(_ wanted: Sleep) {
        guard isLibrary else { return }
        forgetSleepMark()
        guard wanted != .off, let place = placeToKeep, player.track?.isLive != true else { return }
        let words = translated("Sleep timer") + ": " + (currentItem?.title ?? "")
        // A listener's own bookmark stays.
        guard library.addBookmark(place.item, milliseconds: place.milliseconds, words: words) == .added else { return }
        sleep.set(mark: SleepMark(item: place.item, milliseconds: place.milliseconds))
        keptDidChange()
    }

    /// Notes the place of the silence.
    func didFallSilent() {
        guard var mark = sleep.mark, let item = currentItem else { return }
        mark.silence = (item.id, player.positionMilliseconds)
        sleep.set(mark: mark)
    }

    /// Removes the mark if playback has gone far enough behind the silence. Call it after saving the place.
    func sleepMarkMayBeHeard() {
        guard wantsToPlay, let silence = sleep.mark?.silence, silence.item == currentItem?.id,
            player.positionMilliseconds.subtractingSaturated(silence.milliseconds) >= Speaker.awakeMilliseconds
        else { return }
        forgetSleepMark()
    }

    /// Notes that playback continued from a file into the next.
    func didHearToEnd(of item: Item.ID) {
        if sleep.mark?.silence?.item == item { forgetSleepMark() }
    }

    private func forgetSleepMark() {
        guard let mark = sleep.mark else { return }
        sleep.set(mark: nil)
        guard let number = library.bookmark(of: mark.item, milliseconds: mark.milliseconds),
            library.removeBookmark(number)
        else { return }
        keptDidChange()
    }
}
