// SPDX-License-Identifier: Apache-2.0
import CPNG

/// A PNG in memory, read row by row. The thread of its library.
public final class PNGReader {
    private let library: PNGLibrary
    /// libpng holds on to it.
    private let source: UnsafeMutablePointer<ns_png_source>

    /// Nil where it is no PNG. - Parameter bytes: as long as this is used.
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
    /// The number of passes over all rows, each on top of the earlier ones: 1, or 7 where the picture is interlaced.
    public var passes: Int { Int(source.pointee.passes) }

    /// The next row: 0xAARRGGBB, the channels not multiplied by the opacity. False where the file is damaged or ends.
    public func read(_ row: UnsafeMutablePointer<UInt32>) -> Bool {
        row.withMemoryRebound(to: UInt8.self, capacity: width * 4) { ns_png_row(source, $0) }
    }
}
