// SPDX-License-Identifier: Apache-2.0
import CPNG
import Posix

/// libpng, loaded with the first PNG and kept for as long as the process lives. One thread.
public final class PNGLibrary {
    static let missing = MissingLibrary(name: "libpng", package: "libpng16-16t64, on Debian 12 libpng16-16")

    let table: UnsafeMutablePointer<ns_png_table>

    public init() throws(MissingLibrary) {
        let library = try SharedLibrary.open(["libpng16.so.16"], else: PNGLibrary.missing)
        table = .allocate(capacity: 1)
        if ns_png_bind(library, table) == 0 { throw PNGLibrary.missing }
    }

    /// Returns opaque pixels, 0xXXRRGGBB, as the bytes of a file. Nil if there is no memory.
    public func encode(_ pixels: UnsafePointer<UInt32>, width: Int, height: Int) -> [UInt8]? {
        // The encoder needs three bytes a pixel, or four with opacity.
        var rows = [UInt8](repeating: 0, count: width * height * 3)
        for index in 0..<width * height {
            let pixel = pixels[index]
            rows[3 * index] = UInt8(truncatingIfNeeded: pixel)
            rows[3 * index + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
            rows[3 * index + 2] = UInt8(truncatingIfNeeded: pixel >> 16)
        }
        var image = ns_png_image()
        image.version = UInt32(NS_PNG_VERSION)
        image.width = UInt32(width)
        image.height = UInt32(height)
        image.format = UInt32(NS_PNG_BGR)
        defer { table.pointee.png_image_free(&image) }
        // Incompressible data grows by the file's frame and a few bytes a block.
        var bytes = [UInt8](repeating: 0, count: rows.count + rows.count / 64 + height + 65_536)
        var count = bytes.count
        guard table.pointee.png_image_write_to_memory(&image, &bytes, &count, 0, rows, 0, nil) != 0 else { return nil }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
