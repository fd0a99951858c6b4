// SPDX-License-Identifier: Apache-2.0
import CPosix
import Pixels
import Posix

/// A panel that pictures are shown on. One thread.
public protocol Panel: AnyObject {
    /// For people: "/dev/dri/card1, 800x480 on DSI".
    var name: String { get }
    /// Of pictures, as they are looked at.
    var width: Int { get }
    var height: Int { get }
    /// The width as seen by its viewer; nil where it does not say so.
    var widthMillimetres: Int? { get }
    /// By the older interface, which the driver of the newer one may come after.
    var isOlderKind: Bool { get }
    /// For epoll: readable once a picture that was given is shown; -1 where nothing tells that.
    var descriptor: Int32 { get }
    /// The last picture is not shown yet: another would wait for it.
    var isBusy: Bool { get }

    /// Shows the picture. Never waits for more than its copy, but where the driver itself does.
    /// - Parameter changed: the difference to the last picture; the rest is not looked at.
    /// - Throws: if the panel is gone.
    func show(_ picture: Surface, changed: [PixelRect]) throws(PosixError)
    /// Call when `descriptor` is readable.
    func takeEvents()
    /// Off, it shows nothing and takes no power, as far as it can; its picture is back when it is lit again.
    func setLit(_ isLit: Bool)
}

/// The way of pictures to a panel.
public enum PanelMethod: Sendable {
    /// The best way for the panel.
    case automatic
    /// Two buffers that are shown in turn, changed over between two pictures of the panel.
    case flip
    /// One buffer; the driver gets the changed rectangles.
    case update
    /// The older interface, /dev/fb*.
    case framebuffer
}

/// Finds the panel.
public enum Panels {
    /// The folder of cards that set modes, and the prefix of their names.
    public static let cardFolder = "/dev/dri"
    public static let cardStem = "card"

    /// - Parameters:
    ///   - device: "/dev/dri/card1", "/dev/fb1", or "" for the first with something connected, of either kind. Any other path is that of a
    ///     file that stands for a panel.
    ///   - size: of such a file, as the panel is made.
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

    /// The first card with something connected. - Returns: nil where there is none.
    public static func openCard(
        method: PanelMethod, rotation: PanelRotation
    ) throws(PosixError) -> (any Panel)? {
        var refusal: PosixError?
        for name in DeviceFolder.nodes(cardFolder, stem: cardStem) {
            let path = cardFolder + "/" + name
            do throws(PosixError) { return try ModesettingPanel(path, method: method, rotation: rotation) } catch {
                // Some cards only compute, and have nothing to connect.
                if error.code != ENOTSUP { refusal = error }
            }
        }
        if let refusal { throw refusal }
        return nil
    }
}
