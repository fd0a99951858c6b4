// SPDX-License-Identifier: Apache-2.0
import CTurboJPEG
import Posix

/// libturbojpeg, loaded with the first JPEG and kept for the life of the process. The decoder lives as long as this object. One thread.
public final class JPEGLibrary {
    static let missing = MissingLibrary(name: "libturbojpeg", package: "libturbojpeg0")

    let table: UnsafeMutablePointer<ns_tj_table>
    let handle: UnsafeMutableRawPointer

    public init() throws(MissingLibrary) {
        let library = try SharedLibrary.open(["libturbojpeg.so.0"], isLazy: true, else: JPEGLibrary.missing)
        table = .allocate(capacity: 1)
        guard ns_tj_bind(library, table) != 0, let handle = table.pointee.tjInitDecompress() else {
            throw JPEGLibrary.missing
        }
        self.handle = handle
    }

    deinit {
        _ = table.pointee.tjDestroy(handle)
        table.deallocate()
    }
}

/// Examines and decodes a JPEG in memory. The thread of its library.
public struct JPEGPicture {
    private let library: JPEGLibrary
    private let bytes: UnsafeRawBufferPointer
    public let width: Int
    public let height: Int
    /// True if the whole picture must be decoded at once: at least 3 bytes of memory a pixel.
    public let isProgressive: Bool
    /// The camera's orientation as a number in EXIF, 1 for upright, at most 8.
    public let orientation: Int
    /// True if the colors are those of print, as in covers from publishers.
    private let isOfPrint: Bool

    /// Returns nil if it is no JPEG.
    /// - Parameter bytes: the file, valid as long as this is used.
    public init?(_ library: JPEGLibrary, _ bytes: UnsafeRawBufferPointer) {
        var width: Int32 = 0
        var height: Int32 = 0
        var sampling: Int32 = 0
        var space: Int32 = 0
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        guard
            library.table.pointee.tjDecompressHeader3(
                library.handle, start, UInt(bytes.count), &width, &height, &sampling, &space) == 0, width > 0,
            height > 0
        else { return nil }
        self.library = library
        self.bytes = bytes
        self.width = Int(width)
        self.height = Int(height)
        isProgressive = JPEGPicture.isProgressive(bytes)
        orientation =
            JPEGPicture.first(in: bytes) {
                $0 == 0xE1 ? JPEGPicture.orientation(UnsafeRawBufferPointer(rebasing: bytes[$1])) : nil
            }
            ?? 1
        isOfPrint = space == Int32(NS_TJ_IS_CMYK) || space == Int32(NS_TJ_IS_YCCK)
    }

    /// Returns the smallest size that the decoder can produce directly, at least `width` × `height` if the picture has that.
    public func size(atLeast width: Int, _ height: Int) -> (width: Int, height: Int) {
        var best = (self.width, self.height)
        var count: Int32 = 0
        guard let factors = library.table.pointee.tjGetScalingFactors(&count) else { return best }
        for index in 0..<Int(count) {
            let (numerator, denominator) = (Int(factors[index].numerator), Int(factors[index].denominator))
            // Sizes such as 7/8 cost more than the full one.
            if numerator != 1 { continue }
            let size = (
                (self.width * numerator + denominator - 1) / denominator,
                (self.height * numerator + denominator - 1) / denominator
            )
            if size.0 >= width && size.1 >= height && size.0 < best.0 { best = size }
        }
        return best
    }

    /// Decodes into 0xXXRRGGBB.
    /// - Parameter size: a result of `size(atLeast:)`.
    /// - Returns: false if less than half could be decoded. The missing part of a truncated picture has one color.
    public func decode(_ size: (width: Int, height: Int), to pixels: UnsafeMutablePointer<UInt32>) -> Bool {
        let table = library.table.pointee
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        let code = pixels.withMemoryRebound(to: UInt8.self, capacity: size.width * size.height * 4) { bytes in
            table.tjDecompress2(
                library.handle, start, UInt(self.bytes.count), bytes, Int32(size.width), Int32(size.width * 4),
                Int32(size.height), Int32(isOfPrint ? NS_TJ_CMYK : NS_TJ_BGRX), Int32(NS_TJ_FAST_UPSAMPLING))
        }
        if isOfPrint { JPEGPicture.mixInks(pixels, count: size.width * size.height) }
        if code == 0 { return true }
        if table.tjGetErrorCode(library.handle) != Int32(NS_TJ_WARNING) { return false }
        return JPEGPicture.hasUpperHalf(pixels, size)
    }

    /// Converts cyan, magenta, yellow and black, each stored as remaining light (as Adobe does), to red, green and blue.
    private static func mixInks(_ pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        for index in 0..<count {
            let inks = pixels[index]
            let black = inks >> 24
            let red = (inks & 0xFF) * black / 255
            let green = (inks >> 8 & 0xFF) * black / 255
            let blue = (inks >> 16 & 0xFF) * black / 255
            pixels[index] = 0xFF00_0000 | red << 16 | green << 8 | blue
        }
    }

    /// Returns true if the upper half was decoded. The library fills unreadable lines with one color, down to the last.
    private static func hasUpperHalf(_ pixels: UnsafeMutablePointer<UInt32>, _ size: (width: Int, height: Int)) -> Bool
    {
        let last = pixels[size.width * size.height - 1]
        for index in stride(from: size.width * size.height - 1, through: size.width * (size.height / 2), by: -1)
        where pixels[index] != last {
            return true
        }
        return false
    }

    /// Returns true for a progressive frame marker.
    private static func isProgressive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        first(in: bytes) { marker, _ in
            switch marker {
            case 0xC2, 0xC6, 0xCA, 0xCE: true
            case 0xC0, 0xC1, 0xC3, 0xDA: false
            default: nil
            }
        } ?? false
    }

    /// Returns the first result of `look` for a segment before the image data; nil for none.
    /// - Parameter look: gets the marker and the place of the segment's content.
    private static func first<Answer>(
        in bytes: UnsafeRawBufferPointer, _ look: (UInt8, Range<Int>) -> Answer?
    ) -> Answer? {
        var index = 2
        while index + 4 <= bytes.count, bytes[index] == 0xFF {
            let marker = bytes[index + 1]
            if marker == 0xFF {
                index += 1
                continue
            }
            let end = index + 2 + max(2, Int(bytes[index + 2]) << 8 + Int(bytes[index + 3]))
            if let answer = look(marker, index + 4..<max(index + 4, min(end, bytes.count))) { return answer }
            if marker == 0xDA { return nil }
            index = end
        }
        return nil
    }

    /// Reads tag 0x112 of an EXIF block's first directory; nil if it has none.
    private static func orientation(_ bytes: UnsafeRawBufferPointer) -> Int? {
        let header = Array("Exif\0\0".utf8)
        guard bytes.count >= 14, bytes.starts(with: header) else { return nil }
        let isLittle = bytes[6] == 0x49
        func number(_ at: Int, _ count: Int) -> Int? {
            if at < 0 || at > bytes.count - count { return nil }
            var value: Int64 = 0
            for index in 0..<count { value = value << 8 | Int64(bytes[at + (isLittle ? count - 1 - index : index)]) }
            return Int(clamping: value)
        }
        guard let offset = number(10, 4), offset < bytes.count, let count = number(6 + offset, 2) else { return nil }
        for entry in 0..<count {
            let place = 8 + offset + 12 * entry
            guard let tag = number(place, 2), let value = number(place + 8, 2) else { return nil }
            if tag == 0x112 { return (1...8).contains(value) ? value : nil }
        }
        return nil
    }
}
