// SPDX-License-Identifier: Apache-2.0
import CFriBidi
import Posix

/// FriBidi, loaded once and kept for as long as the process lives. One thread.
public final class BidiLibrary {
    static let missing = MissingLibrary(name: "libfribidi", package: "libfribidi0")

    private let table: UnsafeMutablePointer<ns_fribidi_table>

    public init() throws(MissingLibrary) {
        let library = try SharedLibrary.open(["libfribidi.so.0"], isLazy: true, else: BidiLibrary.missing)
        table = .allocate(capacity: 1)
        if ns_fribidi_bind(library, table) == 0 { throw BidiLibrary.missing }
    }

    /// Returns the level of each character, odd for right to left, and whether the whole text runs from right to left.
    public func levels(of text: [UInt32]) -> (levels: [Int8], isRightToLeft: Bool) {
        let count = text.count
        var types = [UInt32](repeating: 0, count: count)
        var brackets = [UInt32](repeating: 0, count: count)
        var levels = [Int8](repeating: 0, count: count)
        var direction = UInt32(NS_FRIBIDI_BY_FIRST)
        table.pointee.fribidi_get_bidi_types(text, Int32(count), &types)
        table.pointee.fribidi_get_bracket_types(text, Int32(count), types, &brackets)
        let highest = levels.withUnsafeMutableBufferPointer { levels in
            table.pointee.fribidi_get_par_embedding_levels_ex(
                types, brackets, Int32(count), &direction, levels.baseAddress)
        }
        if highest == 0 { return ([Int8](repeating: 0, count: count), false) }
        // The lowest bit of the direction means right to left.
        return (levels, direction & 1 != 0)
    }
}
