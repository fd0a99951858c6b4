// SPDX-License-Identifier: Apache-2.0
import CPNG

/// Reads a PNG in memory row by row. The thread of its library.
public final class PNGReader {
    private let library: PNGLibrary
    /// The source, at a constant address, since libpng keeps it.
    private let source: UnsafeMutablePointer<ns_png_source>

    /// Returns nil if it is no PNG.
    /// - Parameter bytes: the file, valid as long as this is used.
    public init?(_ library: PNGLibrary, _ bytes: UnsafeRawBufferPointer) {
        self.library = library
        source = .allocate(capacity: 1)
        source.initialize(to: ns_png_source())
        source.pointee.png = UnsafePointer(library.table)
        source.pointee.bytes = bytes.bindMemory(to: UInt8.self).baseAddress
        source.pointee.left = bytes.count
        if !ns_png_begin(source) { return nil }
    }

    deinit {
        ns_png_end(source)
        source.deallocate()
    }

    public var width: Int { Int(source.pointee.width) }
    public var height: Int { Int(source.pointee.height) }
    /// The number of passes over all rows: 1, or 7 for an interlaced picture, each drawn over the earlier ones.
    public var passes: Int { Int(source.pointee.passes) }

    /// Reads the next row as 0xAARRGGBB, not premultiplied. Returns false if the file is damaged or ends.
    public func read(_ row: UnsafeMutablePointer<UInt32>) -> Bool {
        row.withMemoryRebound(to: UInt8.self, capacity: width * 4) { ns_png_row(source, $0) }
    }
}
