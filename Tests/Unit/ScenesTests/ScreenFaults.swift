// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Pixels
import Testing

@testable import Scenes

/// The faults of a drawn screen, in words.
enum ScreenFaults {
    /// A text that is cut without an ellipsis, leaves the panel, or lies on another.
    static func of(_ texts: [DrawnText], on stage: Stage) -> [String] {
        var faults: [String] = []
        for (index, text) in texts.enumerated() {
            if text.isCut { faults.append("\(text.text) is cut") }
            if !stage.bounds.contains(text.frame) { faults.append("\(text.text) leaves the panel") }
            for other in texts[(index + 1)...] where !text.frame.intersection(other.frame).isEmpty {
                faults.append("\(text.text) and \(other.text) overlap")
            }
        }
        return faults
    }

    /// A target that has no name, is too small, leaves the panel, or overlaps another element.
    /// - Parameter least: the least size of a target, in pixels; nil for the design's.
    static func of(targets elements: [Element], on stage: Stage, least: Int? = nil) -> [String] {
        let targets = elements.filter { $0.action != .none && $0.role != .text }
        let least = least ?? stage.pixels(Metrics.target)
        let lower = targets.lazy.filter { isScrolled($0) }.map(\.frame.maxY).max() ?? 0
        var faults: [String] = []
        for (index, target) in targets.enumerated() {
            let frame = target.frame
            if target.label.isEmpty { faults.append("something without a name") }
            // Scrolled content may end at a bar: there is more of it.
            let isWhole = !isScrolled(target) || frame.maxY < lower
            if frame.width < least || isWhole && frame.height < least {
                faults.append("\(target.label) is only \(frame.width)x\(frame.height) of \(least)")
            }
            if !stage.bounds.contains(frame) { faults.append("\(target.label) leaves the panel") }
            // A banner lies on top of what it covers a part of.
            for other in targets[(index + 1)...]
            where other.label != "Now playing" && !frame.intersection(other.frame).isEmpty {
                faults.append("\(target.label) and \(other.label) overlap")
            }
        }
        return faults
    }

    static func isScrolled(_ element: Element) -> Bool {
        if element.role == .tab { return false }
        switch element.action {
        case .open, .play, .order, .section, .change, .type, .search, .show(.library): return true
        default: return element.role == .row || element.role == .setting
        }
    }
}
