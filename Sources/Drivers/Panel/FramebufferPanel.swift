// SPDX-License-Identifier: Apache-2.0
import CPanel
import CPosix
import Pixels
import Posix

/// A panel with the kernel's older interface, /dev/fb*, the only one of many SPI panels. Rows are written to it, since mapped memory would
/// count as this process's. The kernel's text is kept off it, if permitted. One thread.
public final class FramebufferPanel: Panel {
    public let name: String
    public var width: Int { transfer.width }
    public var height: Int { transfer.height }
    public let widthMillimetres: Int?
    public var isOlderKind: Bool { isDevice }
    public var descriptor: Int32 { -1 }
    public var isBusy: Bool { false }

    private let file: FileDescriptor
    private let transfer: PanelTransfer
    private let stride: Int
    private let start: Int64
    /// The rows in the panel's format, if they cannot be written directly from the picture.
    private let rows: UnsafeMutableRawPointer
    private let isCopy: Bool
    private static let rowsAtOnce = 16
    private let isDevice: Bool

    public init(_ path: String, rotation: PanelRotation) throws(PosixError) {
        file = try FileDescriptor.open(path, O_RDWR)
        var fb = ns_fb()
        if ns_fb_look(file.number, &fb) < 0 { throw .last("look at " + path) }
        func channel(_ offset: UInt32, _ bits: UInt32) -> PixelLayout.Channel {
            PixelLayout.Channel(offset: Int(offset), bits: Int(bits))
        }
        let isOrdinary = fb.bits % 8 == 0 && fb.width > 0 && fb.height > 0 && fb.width <= 16384 && fb.height <= 16384
        guard isOrdinary,
            let layout = PixelLayout(
                bytes: Int(fb.bits) / 8, red: channel(fb.red_offset, fb.red_bits),
                green: channel(fb.green_offset, fb.green_bits), blue: channel(fb.blue_offset, fb.blue_bits)),
            Int(fb.stride) >= Int(fb.width) * layout.bytes
        else {
            throw PosixError(
                code: ENOTSUP, operation: "look at " + path,
                explanation: "pixels of \(fb.bits) bits, of which red has \(fb.red_bits), are not known")
        }
        transfer = PanelTransfer(
            panelWidth: Int(fb.width), panelHeight: Int(fb.height), rotation: rotation, layout: layout)
        widthMillimetres = transfer.widthMillimetres(width: fb.mm_width, height: fb.mm_height)
        stride = Int(fb.stride)
        start = Int64(fb.start)
        name = path + ", \(fb.width)x\(fb.height), \(fb.bits) bits"
        isCopy = transfer.isCopy
        rows = FramebufferPanel.makeRows(transfer)
        isDevice = true
        TextConsole.take()
    }

    /// Opens a file that stands for a panel: rows of four bytes a pixel. For tests, and for programs that forward pictures.
    public init(file path: String, width: Int, height: Int, rotation: PanelRotation) throws(PosixError) {
        file = try FileDescriptor.open(path, O_RDWR | O_CREAT)
        transfer = PanelTransfer(panelWidth: width, panelHeight: height, rotation: rotation, layout: .xrgb8888)
        if ftruncate(file.number, off_t(width * height * 4)) < 0 { throw .last("make " + path) }
        widthMillimetres = nil
        stride = width * 4
        start = 0
        name = path + ", \(width)x\(height)"
        isCopy = transfer.isCopy
        rows = FramebufferPanel.makeRows(transfer)
        isDevice = false
    }

    private static func makeRows(_ transfer: PanelTransfer) -> UnsafeMutableRawPointer {
        .allocate(byteCount: transfer.panelWidth * transfer.layout.bytes * rowsAtOnce, alignment: 16)
    }

    deinit {
        rows.deallocate()
        if isDevice { TextConsole.giveBack() }
    }

    public func show(_ picture: Surface, changed: [PixelRect]) throws(PosixError) {
        for rect in changed where !rect.isEmpty {
            let area = transfer.onPanel(rect)
            let rowBytes = area.width * transfer.layout.bytes
            var y = area.y
            while y < area.maxY {
                let count = min(FramebufferPanel.rowsAtOnce, area.maxY - y)
                var from = UnsafeRawPointer(rows)
                var pitch = rowBytes
                if isCopy {
                    from = UnsafeRawPointer(picture.row(y) + area.x)
                    pitch = picture.width * transfer.layout.bytes
                } else {
                    let part = PixelRect(x: area.x, y: y, width: area.width, height: count)
                    transfer.write(part, of: picture, to: rows, stride: rowBytes)
                }
                // Write adjacent whole rows at once.
                if rowBytes == stride && pitch == stride {
                    try write(from, count * rowBytes, y, 0)
                } else {
                    for line in 0..<count {
                        try write(from + line * pitch, rowBytes, y + line, area.x * transfer.layout.bytes)
                    }
                }
                y += count
            }
        }
    }

    private func write(_ bytes: UnsafeRawPointer, _ count: Int, _ row: Int, _ offset: Int) throws(PosixError) {
        let place = start + Int64(row) * Int64(stride) + Int64(offset)
        while true {
            if pwrite(file.number, bytes, count, off_t(place)) >= 0 { return }
            if ns_errno() != EINTR { throw .last("write to " + name) }
        }
    }

    public func takeEvents() {}

    public func setLit(_ isLit: Bool) { if isDevice { _ = ns_fb_set_lit(file.number, isLit) } }
}
