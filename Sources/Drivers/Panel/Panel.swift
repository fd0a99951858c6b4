// SPDX-License-Identifier: Apache-2.0
import CPosix
import Pixels
import Posix

/// A panel that shows pictures. One thread.
public protocol Panel: AnyObject {
    /// The name for people: "/dev/dri/card1, 800x480 on DSI".
    var name: String { get }
    /// The size of pictures, as viewed.
    var width: Int { get }
    var height: Int { get }
    /// The width as viewed; nil if the panel does not report it.
    var widthMillimetres: Int? { get }
    /// True for the older interface. A driver with the newer one may appear later.
    var isOlderKind: Bool { get }
    /// The descriptor for epoll: readable once a picture is shown; -1 if the panel does not report that.
    var descriptor: Int32 { get }
    /// True while the last picture is not shown yet, so another would have to wait.
    var isBusy: Bool { get }

    /// Shows a picture. It waits only for the copy, unless the driver itself waits.
    /// - Parameter changed: the changed parts; only these are read.
    /// - Throws: if the panel is gone.
    func show(_ picture: Surface, changed: [PixelRect]) throws(PosixError)
    /// Handles events. Call it when `descriptor` is readable.
    func takeEvents()
    /// Lights the panel, or turns it off to save power, as far as possible. Lighting it restores its picture.
    func setLit(_ isLit: Bool)
}

/// The way to transfer pictures to a panel.
public enum PanelMethod: Sendable {
    /// The best way for the panel.
    case automatic
    /// Two alternating buffers, switched between two frames of the panel.
    case flip
    /// One buffer; the driver receives the changed rectangles.
    case update
    /// The older interface, /dev/fb*.
    case framebuffer
}

/// Finds the panel.
public enum Panels {
    /// The folder of cards with mode setting, and the prefix of their names.
    public static let cardFolder = "/dev/dri"
    public static let cardStem = "card"

    /// - Parameters:
    ///   - device: "/dev/dri/card1", "/dev/fb1", or "" for the first of either kind with something connected. Any other path is a file that
    ///     stands for a panel.
    ///   - size: the size of such a file, unrotated.
    /// - Throws: the device's fault; without a name, `ENODEV` if there is no device.
    public static func open(
        device: String, method: PanelMethod, rotation: PanelRotation, size: (width: Int, height: Int)
    ) throws(PosixError) -> any Panel {
        if device.begins(with: "/dev/fb") {
            return try FramebufferPanel(device, rotation: rotation)
        }
        if !device.isEmpty && !device.begins(with: "/dev/") {
            return try FramebufferPanel(file: device, width: size.width, height: size.height, rotation: rotation)
        }
        if !device.isEmpty { return try ModesettingPanel(device, method: method, rotation: rotation) }
        var refusal: PosixError?
        if method != .framebuffer {
            do throws(PosixError) {
                if let card = try openCard(method: method, rotation: rotation) { return card }
            } catch { refusal = error }
        }
        if method == .automatic || method == .framebuffer {
            for name in DeviceFolder.nodes("/dev", stem: "fb") {
                do throws(PosixError) { return try FramebufferPanel("/dev/" + name, rotation: rotation) } catch {
                    refusal = error
                }
            }
        }
        throw refusal
            ?? PosixError(
                code: ENODEV, operation: "find a panel",
                explanation: "there is neither /dev/dri/card* nor /dev/fb*")
    }

    /// Opens the first card with something connected.
    /// - Returns: nil if there is none.
    public static func openCard(
        method: PanelMethod, rotation: PanelRotation
    ) throws(PosixError) -> (any Panel)? {
        var refusal: PosixError?
        for name in DeviceFolder.nodes(cardFolder, stem: cardStem) {
            let path = cardFolder + "/" + name
            do throws(PosixError) { return try ModesettingPanel(path, method: method, rotation: rotation) } catch {
                // Some cards only compute, and have no connectors.
                if error.code != ENOTSUP { refusal = error }
            }
        }
        if let refusal { throw refusal }
        return nil
    }
}
