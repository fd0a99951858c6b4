// SPDX-License-Identifier: Apache-2.0
import CPanel
import CPosix
import Pixels
import Posix

/// A panel by the kernel's mode setting: HDMI, DSI, DPI, and small SPI panels with such a driver. The kernel restores the text console when
/// the device is closed in any way. One thread.
public final class ModesettingPanel: Panel {
    public let name: String
    public var width: Int { transfer.width }
    public var height: Int { transfer.height }
    public var widthMillimetres: Int? {
        transfer.widthMillimetres(width: output.mm_width, height: output.mm_height)
    }
    public var isOlderKind: Bool { false }
    public var descriptor: Int32 { file.number }
    public private(set) var isBusy = false

    private let file: FileDescriptor
    private var output: ns_drm_output
    private let transfer: PanelTransfer
    /// The buffers: one, or two that are shown alternately.
    private var buffers: [ns_drm_buffer] = []
    /// The changes of the picture since each buffer was written.
    private var pending: [[PixelRect]] = []
    /// The index of the shown buffer.
    private var front = 0
    /// True while the panel is lit.
    private var isLit = true

    /// - Throws: `ENOTSUP` if the card has no connectors, `ENODEV` if nothing is connected.
    public init(_ path: String, method: PanelMethod, rotation: PanelRotation) throws(PosixError) {
        file = try FileDescriptor.open(path, O_RDWR | O_NONBLOCK)
        var card = ns_drm_card()
        if ns_drm_look(file.number, &card) < 0 { throw .last("look at " + path) }
        var found: ns_drm_output?
        for index in 0..<card.connector_count where found == nil {
            var output = ns_drm_output()
            if ns_drm_look_at(file.number, &card, index, &output) == 1 { found = output }
        }
        guard let found else {
            throw PosixError(
                code: ENODEV, operation: "look at " + path, explanation: "nothing is connected to it")
        }
        output = found
        let (width, height) = (Int(found.mode.width), Int(found.mode.height))
        var first = ns_drm_buffer()
        let has16 =
            card.prefers_16_bits && ns_drm_make(file.number, UInt32(width), UInt32(height), 16, &first) == 0
        transfer = PanelTransfer(
            panelWidth: width, panelHeight: height, rotation: rotation, layout: has16 ? .rgb565 : .xrgb8888)
        name = path + ", \(width)x\(height)" + (has16 ? ", 16 bits" : "")
        buffers.append(has16 ? first : try makeBuffer())
        if ns_drm_show(file.number, &output, buffers[0].framebuffer) < 0 {
            let failure = PosixError.last("show something on " + path)
            giveBack()
            throw failure
        }
        // A driver that must be told of changes sends only those, over a line that may be slow.
        if method != .update && (method == .flip || !isToldOfChanges()) {
            do throws(PosixError) { buffers.append(try makeBuffer()) } catch {
                giveBack()
                throw error
            }
        }
        pending = buffers.map { _ in [] }
    }

    deinit { giveBack() }

    private func giveBack() {
        for index in buffers.indices { ns_drm_give_back(file.number, &buffers[index]) }
        buffers = []
    }

    private func makeBuffer() throws(PosixError) -> ns_drm_buffer {
        var buffer = ns_drm_buffer()
        let made = ns_drm_make(
            file.number, UInt32(transfer.panelWidth), UInt32(transfer.panelHeight), UInt32(transfer.layout.bytes * 8),
            &buffer)
        if made < 0 { throw .last("make a picture for the panel") }
        return buffer
    }

    private func isToldOfChanges() -> Bool {
        var clip = ns_drm_clip(x1: 0, y1: 0, x2: 1, y2: 1)
        return ns_drm_tell_changes(file.number, buffers[0].framebuffer, &clip, 1) == 0
    }

    public func show(_ picture: Surface, changed: [PixelRect]) throws(PosixError) {
        let areas = changed.map { transfer.onPanel($0) }
        if buffers.count > 1 { try flip(picture, areas) } else { try update(picture, areas) }
    }

    /// The most clips of one update: the driver's queue is short, so more are merged into one.
    private static let mostClips = 64

    private func update(_ picture: Surface, _ areas: [PixelRect]) throws(PosixError) {
        write(areas, picture, to: buffers[0])
        if areas.isEmpty { return }
        var areas = areas
        if areas.count > ModesettingPanel.mostClips { areas = [ModesettingPanel.bounds(areas)] }
        let clips = areas.map {
            ns_drm_clip(x1: UInt16($0.x), y1: UInt16($0.y), x2: UInt16($0.maxX), y2: UInt16($0.maxY))
        }
        if ns_drm_tell_changes(file.number, buffers[0].framebuffer, clips, UInt32(clips.count)) < 0 && isGone {
            throw .last("show something on " + name)
        }
    }

    private func flip(_ picture: Surface, _ areas: [PixelRect]) throws(PosixError) {
        for index in pending.indices { pending[index] += areas }
        let back = 1 - front
        write(pending[back], picture, to: buffers[back])
        pending[back] = []
        if ns_drm_flip(file.number, output.crtc, buffers[back].framebuffer) < 0 {
            // If the panel was off, or another program changed it, show the buffer at once.
            if isGone || ns_drm_show(file.number, &output, buffers[back].framebuffer) < 0 {
                throw .last("show something on " + name)
            }
        } else {
            isBusy = true
        }
        front = back
    }

    private func write(_ areas: [PixelRect], _ picture: Surface, to buffer: ns_drm_buffer) {
        for area in areas where !area.isEmpty {
            let start = buffer.bytes + (area.y * Int(buffer.pitch) + area.x * transfer.layout.bytes)
            transfer.write(area, of: picture, to: start, stride: Int(buffer.pitch))
        }
    }

    private var isGone: Bool { ns_errno() == ENODEV || ns_errno() == EACCES }

    private static func bounds(_ areas: [PixelRect]) -> PixelRect {
        let x = areas.reduce(.max) { min($0, $1.x) }
        let y = areas.reduce(.max) { min($0, $1.y) }
        return PixelRect(
            x: x, y: y, width: areas.reduce(0) { max($0, $1.maxX) } - x,
            height: areas.reduce(0) { max($0, $1.maxY) } - y)
    }

    public func takeEvents() {
        withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { buffer in
            while read(file.number, buffer.baseAddress, buffer.count) > 0 { isBusy = false }
        }
    }

    public func setLit(_ isLit: Bool) {
        if isLit == self.isLit { return }
        self.isLit = isLit
        _ = ns_drm_show(file.number, &output, isLit ? buffers[front].framebuffer : 0)
    }
}
