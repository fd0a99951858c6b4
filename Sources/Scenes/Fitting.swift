// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

extension Stage {
    /// Sets a text in the first of the styles in which all of it has room, and cuts it only in the last.
    /// - Parameters:
    ///   - box: in pixels.
    ///   - mostLines: at most so many, however high the box is.
    func fit(
        _ text: String, _ styles: [TypeStyle], width: Int, height: Int, mostLines: Int = 8
    ) -> (set: TextLayout, style: TypeStyle) {
        for style in styles.dropLast() {
            let lines = min(mostLines, height / lineHeight(style))
            if lines < 1 { continue }
            let set = set(text, style, width: width, lines: lines)
            if !set.isTruncated && !set.hasTornWord { return (set, style) }
        }
        let last = styles.last ?? .body
        return (set(text, last, width: width, lines: max(1, min(mostLines, height / lineHeight(last)))), last)
    }
}
