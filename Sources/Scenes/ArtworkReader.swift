// SPDX-License-Identifier: Apache-2.0
import PNG
import Pixels
import Posix
import TurboJPEG

/// Reads pictures from files as surfaces of the needed size. One thread.
public final class ArtworkReader {
    /// The reason why a picture cannot be read.
    public enum Failure: Error, Equatable {
        case missing(MissingLibrary)
        case unreadable(String)
        /// It would take more memory or time than a picture is worth.
        case tooLarge
        case damaged
    }

    /// The largest picture, in pixels, that may be whole in memory at once.
    static let mostWholePixels = 8_000_000
    static let mostPixels = 100_000_000
    /// The largest picture, in pixels, that a decoder may return before it is reduced.
    static let mostDecodedPixels = 4_000_000
    /// The greatest ratio of the longer side to the shorter one; the rest is cropped.
    private static let mostLengths = 2
    private static let mostBytes = 32 * 1024 * 1024

    private var jpeg: JPEGLibrary?
    private var png: PNGLibrary?

    public init() {}

    /// - Parameter side: the wanted length of the shorter side, in pixels. A smaller picture keeps its size.
    public func read(_ path: String, side: Int) throws(Failure) -> Surface {
        let bytes: [UInt8]
        do throws(PosixError) { bytes = try Files.readToEnd(path, limit: ArtworkReader.mostBytes) } catch {
            throw .unreadable(error.message)
        }
        return try decode(bytes, side: side)
    }

    public func decode(_ bytes: [UInt8], side: Int) throws(Failure) -> Surface {
        var result: Surface?
        var failure = Failure.damaged
        bytes.withUnsafeBytes { buffer in
            do throws(Failure) {
                if buffer.count > 8, buffer[0] == 0x89, buffer[1] == 0x50 {
                    result = try decodePNG(buffer, side)
                } else if buffer.count > 8, buffer[0] == 0xFF, buffer[1] == 0xD8 {
                    result = try decodeJPEG(buffer, side)
                }
            } catch { failure = error }
        }
        guard let result else { throw failure }
        return result
    }

    /// Returns the size for a picture. The sides come from files, so products need 64 bits.
    private func target(_ width: Int, _ height: Int, _ side: Int) -> (width: Int, height: Int) {
        let short = min(width, height)
        if short <= side { return (width, height) }
        func reduced(_ length: Int) -> Int { Int(clamping: max(1, Int64(length) * Int64(side) / Int64(short))) }
        return (reduced(width), reduced(height))
    }

    private static func pixels(_ width: Int, _ height: Int) -> Int64 { Int64(width) * Int64(height) }

    /// Returns the middle part of a very long or tall picture, any other picture as it is.
    private func cropped(_ surface: Surface) -> Surface {
        let most = ArtworkReader.mostLengths * min(surface.width, surface.height)
        let (width, height) = (min(surface.width, most), min(surface.height, most))
        if width == surface.width && height == surface.height { return surface }
        let middle = Surface(width: width, height: height)
        let (x, y) = ((surface.width - width) / 2, (surface.height - height) / 2)
        for row in 0..<height { middle.row(row).update(from: surface.row(y + row) + x, count: width) }
        return middle
    }

    private func decodeJPEG(_ bytes: UnsafeRawBufferPointer, _ side: Int) throws(Failure) -> Surface {
        if jpeg == nil {
            do throws(MissingLibrary) { jpeg = try JPEGLibrary() } catch { throw .missing(error) }
        }
        guard let library = jpeg else { throw .damaged }
        guard let picture = JPEGPicture(library, bytes) else { throw .damaged }
        let pixels = ArtworkReader.pixels(picture.width, picture.height)
        if pixels > Int64(picture.isProgressive ? ArtworkReader.mostWholePixels : ArtworkReader.mostPixels) {
            throw .tooLarge
        }
        let target = target(picture.width, picture.height, side)
        let size = picture.size(atLeast: target.width, target.height)
        if ArtworkReader.pixels(size.width, size.height) > Int64(ArtworkReader.mostDecodedPixels) { throw .tooLarge }
        let surface = Surface(width: size.width, height: size.height)
        if !picture.decode(size, to: surface.pixels) { throw .damaged }
        if target.width >= size.width { return upright(cropped(surface), picture.orientation) }
        let reduced = AreaReducer.reduced(surface, width: target.width, height: target.height)
        return upright(cropped(reduced), picture.orientation)
    }

    /// Turns a picture upright, by the camera's orientation.
    /// - Parameter orientation: the number in EXIF.
    private func upright(_ surface: Surface, _ orientation: Int) -> Surface {
        if orientation <= 1 { return surface }
        let (width, height) = (surface.width, surface.height)
        let isOnItsSide = orientation >= 5
        let turned = Surface(width: isOnItsSide ? height : width, height: isOnItsSide ? width : height)
        let (fromRight, fromBelow) = ([2, 3, 7, 8].contains(orientation), [3, 4, 6, 7].contains(orientation))
        for y in 0..<turned.height {
            let row = turned.row(y)
            for x in 0..<turned.width {
                let (column, line) = isOnItsSide ? (y, x) : (x, y)
                row[x] = surface.row(fromBelow ? height - 1 - line : line)[fromRight ? width - 1 - column : column]
            }
        }
        return turned
    }

    private func decodePNG(_ bytes: UnsafeRawBufferPointer, _ side: Int) throws(Failure) -> Surface {
        if png == nil {
            do throws(MissingLibrary) { png = try PNGLibrary() } catch { throw .missing(error) }
        }
        guard let library = png else { throw .damaged }
        guard let picture = PNGReader(library, bytes) else { throw .damaged }
        let isInterlaced = picture.passes > 1
        let most = isInterlaced ? ArtworkReader.mostWholePixels : ArtworkReader.mostPixels
        if ArtworkReader.pixels(picture.width, picture.height) > Int64(most) { throw .tooLarge }
        let target = target(picture.width, picture.height, side)
        if ArtworkReader.pixels(target.width, target.height) > Int64(ArtworkReader.mostDecodedPixels) {
            throw .tooLarge
        }
        let reducer = AreaReducer(
            sourceWidth: picture.width, sourceHeight: picture.height, width: target.width, height: target.height)
        let result = Surface(width: reducer.width, height: reducer.height)
        let rows = Surface(width: picture.width, height: isInterlaced ? picture.height : 1)
        if isInterlaced {
            passing: for _ in 0..<picture.passes {
                for y in 0..<picture.height where !picture.read(rows.row(y)) { break passing }
            }
        }
        for y in 0..<picture.height {
            let row = rows.row(isInterlaced ? y : 0)
            // A truncated picture is shown up to where it ends.
            if !isInterlaced && !picture.read(row) { break }
            for x in 0..<picture.width {
                let pixel = row[x]
                let alpha = pixel >> 24
                // Transparent pixels lie on white, as on a web page.
                if alpha < 255 { row[x] = Rows.mix(0xFFFF_FFFF, pixel, by: alpha + alpha >> 7) | 0xFF00_0000 }
            }
            reducer.take(row) { y in result.row(min(y, result.height - 1)) }
        }
        return cropped(result)
    }
}
