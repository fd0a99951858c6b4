// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Pixels
import Text
import Typography

/// A short message: an action, a refusal with its reason, an offer to undo, or the title.
public struct Toast: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case done, refused, playing
    }

    public var words: String
    public var kind: Kind
    /// The title of a button, for `Element.Action.undo`; nil for none.
    public var button: String?

    public init(_ words: String, _ kind: Kind = .done, button: String? = nil) {
        self.words = words
        self.kind = kind
        self.button = button
    }

    /// The time that the toast stays, in milliseconds.
    var stay: Int {
        let seconds = button != nil ? Motion.undo : kind == .done ? Motion.toast : Motion.banner
        return Int(seconds * 1000)
    }

    private var symbol: Symbol? {
        switch kind {
        case .done: nil
        case .refused: .warning
        case .playing: .speaker
        }
    }

    private static var styles: [TypeStyle] { [.rowTitle, .chip, .smallChip, .caption1] }

    private func buttonWidth(_ stage: Stage) -> Int {
        guard let button else { return 0 }
        return max(stage.pixels(Metrics.target), stage.set(button, .chip, width: stage.width).width)
            + stage.pixels(Spacing.medium)
    }

    private func signWidth(_ stage: Stage) -> Int {
        symbol == nil ? 0 : stage.pixels(Metrics.buttonSymbol + Spacing.small)
    }

    /// Returns its frame: above the bars, as wide as its words need.
    func frame(_ stage: Stage, in room: PixelRect) -> PixelRect {
        let beside = stage.pixels(stage.isCompact ? Spacing.small : Spacing.medium)
        let padding = 2 * stage.pixels(Spacing.medium) + signWidth(stage) + buttonWidth(stage)
        let most = min(room.width - 2 * beside, stage.pixels(Breakpoint.readableWidth))
        let wanted = stage.set(words, .rowTitle, width: 4 * stage.width).width + padding
        let width = min(most, wanted)
        // A second line follows if one is too short.
        let lines = wanted > most ? 2 : 1
        let height = max(
            stage.pixels(Metrics.toastHeight), lines * stage.lineHeight(.rowTitle) + stage.pixels(Spacing.medium))
        return room.bottom(height + beside).top(min(height, room.height)).middle(width: width)
    }

    func draw(_ picture: Picture, in frame: PixelRect) {
        let (stage, theme) = (picture.stage, picture.theme)
        var room = frame.inset(x: stage.pixels(Spacing.medium), y: 0)
        if let symbol {
            let sign = room.cutLeft(stage.pixels(Metrics.buttonSymbol), gap: stage.pixels(Spacing.small))
            let color = kind == .refused ? theme.danger : theme.accent
            picture.draw(symbol, in: sign, points: Metrics.buttonSymbol, picture.readable(color, in: sign))
        }
        if let button {
            let place = room.cutRight(
                buttonWidth(stage) - stage.pixels(Spacing.medium), gap: stage.pixels(Spacing.medium))
            picture.write(button, .chip, in: place, theme.accent, align: .center)
            let target = max(frame.height, stage.pixels(Metrics.target))
            picture.add(place.middle(height: target), button, action: .undo)
        }
        let (set, _) = stage.fit(words, Toast.styles, width: room.width, height: frame.height, mostLines: 2)
        let isAlone = symbol == nil && button == nil
        picture.write(set, words, in: room, theme.text, align: isAlone ? .center : .leading)
        if kind == .playing {
            picture.add(
                frame, translated("Now playing"), value: words, hint: translated("shows the player"),
                action: .show(.player))
        } else {
            picture.add(room, words)
        }
    }
}
