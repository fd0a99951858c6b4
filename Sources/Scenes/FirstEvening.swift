// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Posix
import QREncode
import Text

/// The message of an empty library: the ways to fill it.
public struct FirstEvening {
    /// For a person in front of the panel.
    let words: String
    /// The same for a telephone, from which it can be copied; nil without libqrencode.
    let code: QRCode?

    /// - Parameters:
    ///   - host: the speaker's name on the network, such as "bedside".
    ///   - folder: of the library, such as "/srv/nightstand".
    public init(host: String, folder: String) {
        let address = host.isEmpty ? "" : host + ".local"
        words =
            address.isEmpty
            ? translated("Copy audiobooks into %1, or plug in a disk with them.", folder)
            : translated("Copy audiobooks to %1, into %2.", address, folder)
        let name = address.isEmpty ? "ADDRESS" : address
        // Few words, so that the squares are large: the address of recordings, for any file manager, and of the manual.
        let text = "sftp://\(name)\(folder)\nssh \(name) man nightstand\n"
        do throws(MissingLibrary) { code = try QRCode(text) } catch { code = nil }
    }
}

extension QRCode {
    /// The least that has to be white around it, in its own squares.
    private static let margin = 4

    /// Its size within so much room, in pixels; nil where its squares would be too small for a camera.
    func size(within room: Int) -> Int? {
        let all = side + 2 * QRCode.margin
        return room / all < 2 ? nil : room / all * all
    }

    /// In the middle of a place. White around it and black in it, in any theme.
    func draw(_ picture: Picture, in place: PixelRect, size: Int) {
        let frame = place.middle(width: size, height: size)
        picture.canvas.fill(frame, with: picture.theme.codePaper)
        let module = size / (side + 2 * QRCode.margin)
        for row in 0..<side {
            // One stroke for each run of black ones.
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
