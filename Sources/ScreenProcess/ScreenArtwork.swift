// SPDX-License-Identifier: Apache-2.0
import Model
import Pixels
import Posix
import Scenes

/// The playing item's picture.
final class ScreenArtwork {
    /// The time that the previous item's picture stays, in milliseconds.
    static let patienceMilliseconds = 400

    let pictures: ScreenPictures
    private let timers: any Timers
    private var patience: EventLoop.TimerToken?
    private(set) var surface: Surface?
    /// True while the picture is loading.
    private(set) var isAwaited = false
    /// The length of its shorter side.
    var side = 0 { didSet { if side != oldValue { read() } } }
    /// Called when the picture has changed or is gone.
    var changed: () -> Void = {}
    /// The file of the shown or loading picture; "" for none.
    private var file = ""

    init(_ pictures: ScreenPictures, _ timers: any Timers) {
        self.pictures = pictures
        self.timers = timers
    }

    /// Loads the picture of a state. The last one stays until then: most files of a book have the same.
    func show(_ state: SpeakerStatus) {
        let new = state.hasPicture ? state.file : ""
        if new == file { return }
        file = new
        if new.isEmpty { return set(nil) }
        read()
    }

    /// Loads the picture again after a reconnection, if the speaker had not sent all of it.
    func askAgain() { if surface == nil || isAwaited { file = "" } }

    /// Loads the picture again after a change of the library.
    func lookAgain() {
        let (file, side) = (file, side)
        if file.isEmpty || side < 1 || isAwaited { return }
        let isWanted = { [self] in file == self.file && side == self.side && !isAwaited }
        pictures.picture(of: file, side: side, isWanted: isWanted) { [self] surface in
            if isWanted() { put(surface) }
        }
    }

    private func read() {
        let (file, side) = (file, side)
        if file.isEmpty || side < 1 { return }
        isAwaited = true
        // Another item may play meanwhile, or another panel may be in use.
        let isWanted = { [self] in file == self.file && side == self.side }
        pictures.picture(of: file, side: side, isWanted: isWanted) { [self] surface in
            if isWanted() { set(surface) }
        }
        if let patience { timers.cancel(patience) }
        patience = timers.schedule(inMilliseconds: ScreenArtwork.patienceMilliseconds) { [self] in
            patience = nil
            // The picture on the screen belongs to another item.
            if isAwaited { put(nil) }
        }
    }

    private func set(_ new: Surface?) {
        let wasAwaited = isAwaited
        isAwaited = false
        if let patience { timers.cancel(patience) }
        patience = nil
        if !put(new) && wasAwaited && new == nil { changed() }
    }

    /// Sets the picture. Returns false if it is the present one.
    @discardableResult private func put(_ new: Surface?) -> Bool {
        if let new, let surface, new.isAlike(surface) { return false }
        if new == nil && surface == nil { return false }
        surface = new
        changed()
        return true
    }
}
