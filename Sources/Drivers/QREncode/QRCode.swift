// SPDX-License-Identifier: Apache-2.0
import CQREncode
import Posix

/// A QR code: a square of black and white modules, without the white margin that it needs.
public struct QRCode: Equatable, Sendable {
    static let missing = MissingLibrary(name: "libqrencode", package: "libqrencode4")

    /// The number of its rows and columns, 21…177.
    public let side: Int
    /// The modules; the lowest bit of each is set for black.
    private let modules: [UInt8]

    /// Encodes a text with libqrencode, which is loaded and kept. Returns nil for an empty text, or one that is too long.
    public init?(_ text: String) throws(MissingLibrary) {
        let library = try SharedLibrary.open(["libqrencode.so.4"], else: QRCode.missing)
        let table = UnsafeMutablePointer<ns_qr_table>.allocate(capacity: 1)
        defer { table.deallocate() }
        if ns_qr_bind(library, table) == 0 { throw QRCode.missing }
        var bytes = Array(text.utf8)
        bytes.append(0)
        let made = bytes.withUnsafeBytes { bytes in
            table.pointee.QRcode_encodeString8bit(
                bytes.bindMemory(to: CChar.self).baseAddress!, Int32(NS_QR_SMALLEST), Int32(NS_QR_LOW))
        }
        guard let made else { return nil }
        defer { table.pointee.QRcode_free(made) }
        side = Int(made.pointee.width)
        modules = Array(UnsafeBufferPointer(start: made.pointee.data, count: side * side))
    }

    public func isBlack(column: Int, row: Int) -> Bool { modules[row * side + column] & 1 != 0 }
}
