// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Text
import Typography

/// The screen of a ringing alarm: its name, its sound, and two answers for a half-asleep hand.
extension Overlay {
    /// The part of the height for the answers.
    private static let answersPart: Float = 0.6

    func drawRinging(_ title: String, _ words: String, _ picture: Picture) {
        let stage = picture.stage
        let measures = SimpleMeasures(stage)
        picture.canvas.fill(stage.bounds, with: picture.theme.background)
        var room = stage.bounds.inset(by: measures.gap)
        var answers = room.cutBottom(Int(Float(room.height) * Overlay.answersPart), gap: measures.gap / 2)
        let (snooze, end) = (translated("Snooze"), translated("End"))
        let half = (room.width - measures.gap) / 2
        // The answers stand above each other if their words would be cut off side by side.
        let isBeside = max(measures.width(of: snooze, stage), measures.width(of: end, stage)) <= half
        let first =
            isBeside
            ? answers.cutLeft(half, gap: measures.gap)
            : answers.cutTop((answers.height - measures.gap) / 2, gap: measures.gap)
        SimpleButton(symbol: .moon, word: snooze, isPrimary: true).draw(
            picture, first, measures,
            Element(
                frame: first, label: snooze, hint: translated("%1 min", "\(Alarm.snoozeMinutes)"),
                action: .alarm(.snooze)))
        SimpleButton(symbol: .cross, word: end).draw(
            picture, answers, measures, Element(frame: answers, label: end, action: .alarm(.end)))
        drawHead(title, words, picture, room, measures)
    }

    private func drawHead(
        _ title: String, _ words: String, _ picture: Picture, _ room: PixelRect, _ measures: SimpleMeasures
    ) {
        let stage = picture.stage
        let set = measures.fitting(
            title, stage, width: room.width, height: room.height - (words.isEmpty ? 0 : measures.wordsLine))
        let free = room.height - set.height
        let styles = [measures.words] + SimpleMetrics.titleSteps.map { measures.words.scaled(by: $0) }
        let (below, _) = stage.fit(words, styles, width: room.width, height: free, mostLines: 2)
        let hasWords = !words.isEmpty && below.height <= free
        var place = room.middle(height: set.height + (hasWords ? below.height : 0))
        let head = place.cutTop(set.height)
        picture.write(set, title, in: head, picture.theme.text, align: .center)
        picture.add(head, title, value: words, role: .heading)
        if hasWords { picture.write(below, words, in: place, picture.theme.secondaryText, align: .center) }
    }
}
