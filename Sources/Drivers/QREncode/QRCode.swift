// SPDX-License-Identifier: Apache-2.0
import CQREncode
import Posix

/// A text that a telephone's camera reads: a square of black and white ones, without the white that has to be around it.
public struct QRCode: Equatable, Sendable {
    static let missing = MissingLibrary(name: "libqrencode", package: "libqrencode4")

    /// Of its rows and columns: 21…177.
    public let side: Int
    /// The lowest bit of each says black.
    private let modules: [UInt8]

    /// With libqrencode, which is loaded for it and kept. Nil for a text that is too long, and for one without characters.
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
