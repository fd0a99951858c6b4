// SPDX-License-Identifier: Apache-2.0
/// The clockwise rotation of a picture for a panel that is mounted otherwise than viewed.
public enum PanelRotation: Int, Sendable, CaseIterable {
    case none = 0
    case right = 90
    case half = 180
    case left = 270

    public var isSideways: Bool { self == .right || self == .left }
}

/// From a picture in memory to the pixels of a panel: turns them, and spells them as the panel has them. One thread.
public final class PanelTransfer {
    /// Of the panel itself, in pixels.
    public let panelWidth: Int
    public let panelHeight: Int
    public let rotation: PanelRotation
    public let layout: PixelLayout

    /// Rows are turned so many at a time, so that of the memory that is read whole lines are used.
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

    /// Of pictures for the panel.
    public var width: Int { rotation.isSideways ? panelHeight : panelWidth }
    public var height: Int { rotation.isSideways ? panelWidth : panelHeight }

    /// Returns the width of pictures on the panel.
    /// - Parameters: its own size by its driver, in millimeters.
    /// - Returns: nil for what is no panel's size, and for another shape than its pixels have: many drivers make it up.
    public func widthMillimetres(width: UInt32, height: UInt32) -> Int? {
        guard (15...1500).contains(width), (15...1500).contains(height) else { return nil }
        let (across, down) = (Int(width) * panelHeight, Int(height) * panelWidth)
        if abs(across - down) > max(across, down) / 5 { return nil }
        return Int(rotation.isSideways ? height : width)
    }

    /// The panel has its pixels as a picture has them, row by row: nothing has to be turned or spelled.
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
    ///   - area: in the panel's own pixels, and within them.
    ///   - picture: of `width` × `height`.
    ///   - target: the memory of the area's first pixel; never read, since a panel's memory may be slow to read.
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

    /// `count` rows of the area as columns of the picture.
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
