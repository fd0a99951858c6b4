// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Posix
import QREncode
import Text

/// The message of an empty library: the ways to fill it.
public struct FirstEvening {
    /// The words for a person in front of the panel.
    let words: String
    /// The same message as a QR code, so that a telephone can copy it; nil without libqrencode.
    let code: QRCode?

    /// - Parameters:
    ///   - host: the speaker's name on the network, such as "bedside".
    ///   - folder: the library's folder, such as "/srv/nightstand".
    public init(host: String, folder: String) {
        let address = host.isEmpty ? "" : host + ".local"
        words =
            address.isEmpty
            ? translated("Copy audiobooks into %1, or plug in a disk with them.", folder)
            : translated("Copy audiobooks to %1, into %2.", address, folder)
        let name = address.isEmpty ? "ADDRESS" : address
        // Few words keep the squares large: the SFTP address for any file manager, and the command for the manual.
        let text = "sftp://\(name)\(folder)\nssh \(name) man nightstand\n"
        do throws(MissingLibrary) { code = try QRCode(text) } catch { code = nil }
    }
}

extension QRCode {
    /// The least white margin around the code, in squares.
    private static let margin = 4

    /// Returns the largest size within the room, in pixels; nil if the squares would be too small for a camera.
    func size(within room: Int) -> Int? {
        let all = side + 2 * QRCode.margin
        return room / all < 2 ? nil : room / all * all
    }

    /// Draws the code in the middle of a place. It is black on white in every theme.
    func draw(_ picture: Picture, in place: PixelRect, size: Int) {
        let frame = place.middle(width: size, height: size)
        picture.canvas.fill(frame, with: picture.theme.codePaper)
        let module = size / (side + 2 * QRCode.margin)
        for row in 0..<side {
            // Draws one stroke for each run of black squares.
            var column = 0
            while column < side {
                let begin = column
                while column < side && isBlack(column: column, row: row) { column += 1 }
                if column > begin {
                    picture.canvas.fill(
                        PixelRect(
                            x: frame.x + (begin + QRCode.margin) * module, y: frame.y + (row + QRCode.margin) * module,
                            width: (column - begin) * module, height: module), with: picture.theme.codeInk)
                }
                column += 1
            }
        }
    }
}
