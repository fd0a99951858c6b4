// SPDX-License-Identifier: Apache-2.0
import CHarfBuzz
import Posix

/// HarfBuzz, loaded once and kept for as long as the process lives. One thread.
public final class HarfBuzzLibrary {
    static let missing = MissingLibrary(name: "libharfbuzz", package: "libharfbuzz0b")

    /// The functions, at a constant address, since fonts keep it.
    let table: UnsafeMutablePointer<ns_hb_table>
    let buffer: UnsafeMutableRawPointer
    private let unicode: UnsafeMutableRawPointer?

    public init() throws(MissingLibrary) {
        let library = try SharedLibrary.open(["libharfbuzz.so.0"], isLazy: true, else: HarfBuzzLibrary.missing)
        table = .allocate(capacity: 1)
        guard ns_hb_bind(library, table) != 0, let buffer = table.pointee.hb_buffer_create() else {
            throw HarfBuzzLibrary.missing
        }
        self.buffer = buffer
        unicode = table.pointee.hb_unicode_funcs_get_default()
    }

    /// Returns the four letters of a character's script, as a number.
    public func script(of character: UInt32) -> UInt32 { table.pointee.hb_unicode_script(unicode, character) }

    /// Returns true for a script that follows its neighbors: spaces, digits, marks.
    public static func isCommon(_ script: UInt32) -> Bool { script == ns_hb_common || script == ns_hb_inherited }

    /// Returns true for a character that is placed on, under or around the one before.
    public func isMark(_ character: UInt32) -> Bool {
        let category = Int(table.pointee.hb_unicode_general_category(unicode, character))
        return category >= NS_HB_SPACING_MARK && category <= NS_HB_NONSPACING_MARK
    }
}
