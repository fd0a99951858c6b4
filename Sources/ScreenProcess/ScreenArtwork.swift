import Model
import Pixels
import Scenes

/// The picture of what plays.
final class ScreenArtwork {
    let pictures: ScreenPictures
    private(set) var surface: Surface?
    /// It is on its way.
    private(set) var isAwaited = false
    /// How long its shorter side should be.
    var side = 0 { didSet { if side != oldValue { read() } } }
    /// Another one is there, or none.
    var changed: () -> Void = {}
    /// What has it; "" for nothing.
    private var file = ""

    init(_ pictures: ScreenPictures) { self.pictures = pictures }

    func show(_ state: SpeakerStatus) {
        let new = state.hasPicture ? state.file : ""
        if new == file { return }
        file = new
        set(nil)
        read()
    }

    /// The speaker is there anew: it may have gone before it had given all of it.
    func askAgain() { if surface == nil { file = "" } }

    private func read() {
        let (file, side) = (file, side)
        if file.isEmpty || side < 1 { return }
        isAwaited = true
        // Something else may play meanwhile, or on another panel.
        let isWanted = { [self] in file == self.file && side == self.side }
        pictures.picture(of: file, side: side, isWanted: isWanted) { [self] surface in
            if isWanted() { set(surface) }
        }
    }

    private func set(_ new: Surface?) {
        let wasAwaited = isAwaited
        isAwaited = false
        if new == nil && surface == nil && !wasAwaited { return }
        surface = new
        changed()
    }
}
