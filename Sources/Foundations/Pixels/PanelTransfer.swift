// SPDX-License-Identifier: Apache-2.0
/// The clockwise rotation of a picture for a panel mounted at another angle.
public enum PanelRotation: Int, Sendable, CaseIterable {
    case none = 0
    case right = 90
    case half = 180
    case left = 270

    public var isSideways: Bool { self == .right || self == .left }
}

/// Transfers a picture to a panel: rotates it, and converts it to the panel's pixel format. One thread.
public final class PanelTransfer {
    /// The size of the panel itself, in pixels.
    public let panelWidth: Int
    public let panelHeight: Int
    public let rotation: PanelRotation
    public let layout: PixelLayout

    /// The number of rows rotated at a time, which uses whole cache lines of the source.
    private static let turned = 8
    private let rows: UnsafeMutablePointer<UInt32>

    public init(panelWidth: Int, panelHeight: Int, rotation: PanelRotation, layout: PixelLayout) {
        self.panelWidth = panelWidth
        self.panelHeight = panelHeight
        self.rotation = rotation
        self.layout = layout
        rows = .allocate(capacity: rotation == .none ? 1 : panelWidth * PanelTransfer.turned)
    }

    deinit { rows.deallocate() }

    /// The width of pictures for the panel.
    public var width: Int { rotation.isSideways ? panelHeight : panelWidth }
    public var height: Int { rotation.isSideways ? panelWidth : panelHeight }

    /// Returns the width of pictures on the panel, in millimeters.
    /// - Parameters: the panel's size according to its driver, in millimeters.
    /// - Returns: nil if no panel has that size, or if its shape differs from the pixels': many drivers report a fictitious size.
    public func widthMillimetres(width: UInt32, height: UInt32) -> Int? {
        guard (15...1500).contains(width), (15...1500).contains(height) else { return nil }
        let (across, down) = (Int(width) * panelHeight, Int(height) * panelWidth)
        if abs(across - down) > max(across, down) / 5 { return nil }
        return Int(rotation.isSideways ? height : width)
    }

    /// True if the panel has the picture's format and needs no rotation.
    public var isCopy: Bool { rotation == .none && layout == .xrgb8888 }

    /// Returns the rectangle on the panel for a part of the picture.
    public func onPanel(_ rect: PixelRect) -> PixelRect {
        switch rotation {
        case .none: rect
        case .right: PixelRect(x: panelWidth - rect.maxY, y: rect.x, width: rect.height, height: rect.width)
        case .half:
            PixelRect(
                x: panelWidth - rect.maxX, y: panelHeight - rect.maxY, width: rect.width, height: rect.height)
        case .left: PixelRect(x: rect.y, y: panelHeight - rect.maxX, width: rect.height, height: rect.width)
        }
    }

    /// Writes a part of the panel.
    /// - Parameters:
    ///   - area: a part of the panel, in its own pixels.
    ///   - picture: a picture of `width` × `height`.
    ///   - target: the memory of the area's first pixel. It is never read, since a panel's memory may be slow.
    ///   - stride: bytes from one row of the target to the next.
    public func write(_ area: PixelRect, of picture: Surface, to target: UnsafeMutableRawPointer, stride: Int) {
        var row = 0
        while row < area.height {
            let count = min(PanelTransfer.turned, area.height - row)
            switch rotation {
            case .none:
                for line in row..<row + count {
                    layout.write(
                        picture.row(area.y + line) + area.x, count: area.width, x: area.x, y: area.y + line,
                        to: target + line * stride)
                }
            case .half:
                for line in row..<row + count {
                    let from = picture.row(panelHeight - 1 - area.y - line) + (panelWidth - 1 - area.x)
                    for x in 0..<area.width { rows[x] = from[-x] }
                    layout.write(
                        rows, count: area.width, x: area.x, y: area.y + line, to: target + line * stride)
                }
            case .right, .left:
                turn(area, row, count, picture)
                for line in 0..<count {
                    layout.write(
                        rows + line * area.width, count: area.width, x: area.x, y: area.y + row + line,
                        to: target + (row + line) * stride)
                }
            }
            row += count
        }
    }

    /// Writes `count` rows of the area, which are columns of the picture.
    private func turn(_ area: PixelRect, _ row: Int, _ count: Int, _ picture: Surface) {
        let width = area.width
        for x in 0..<width {
            if rotation == .right {
                let from = picture.row(panelWidth - 1 - area.x - x) + (area.y + row)
                for line in 0..<count { rows[line &* width &+ x] = from[line] }
            } else {
                let from = picture.row(area.x + x) + (panelHeight - 1 - area.y - row)
                for line in 0..<count { rows[line &* width &+ x] = from[-line] }
            }
        }
    }
}
