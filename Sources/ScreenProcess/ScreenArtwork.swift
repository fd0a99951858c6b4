// SPDX-License-Identifier: Apache-2.0
import Model
import Pixels
import Posix
import Scenes

/// The picture of what plays.
final class ScreenArtwork {
    /// So long the picture of what played before stays.
    static let patienceMilliseconds = 400

    let pictures: ScreenPictures
    private let timers: any Timers
    private var patience: EventLoop.TimerToken?
    private(set) var surface: Surface?
    /// It is on its way.
    private(set) var isAwaited = false
    /// The length of its shorter side.
    var side = 0 { didSet { if side != oldValue { read() } } }
    /// Another one is there, or none.
    var changed: () -> Void = {}
    /// What has it; "" for nothing.
    private var file = ""

    init(_ pictures: ScreenPictures, _ timers: any Timers) {
        self.pictures = pictures
        self.timers = timers
    }

    /// The last picture stays until the next one is there: most files of a book have the same.
    func show(_ state: SpeakerStatus) {
        let new = state.hasPicture ? state.file : ""
        if new == file { return }
        file = new
        if new.isEmpty { return set(nil) }
        read()
    }

    /// The speaker is there anew: it may have gone before it had given all of it.
    func askAgain() { if surface == nil || isAwaited { file = "" } }

    /// The library has changed: its picture may be another.
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
        // Something else may play meanwhile, or on another panel.
        let isWanted = { [self] in file == self.file && side == self.side }
        pictures.picture(of: file, side: side, isWanted: isWanted) { [self] surface in
            if isWanted() { set(surface) }
        }
        if let patience { timers.cancel(patience) }
        patience = timers.schedule(inMilliseconds: ScreenArtwork.patienceMilliseconds) { [self] in
            patience = nil
            // It is still read: the picture on the screen is not of the playing item.
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

    /// Returns false where it is the one that is there.
    @discardableResult private func put(_ new: Surface?) -> Bool {
        if let new, let surface, new.isAlike(surface) { return false }
        if new == nil && surface == nil { return false }
        surface = new
        changed()
        return true
    }
}
