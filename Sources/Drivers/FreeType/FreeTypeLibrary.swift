// SPDX-License-Identifier: Apache-2.0
import CFreeType
import Posix

/// FreeType, loaded once and kept for as long as the process lives. One thread.
public final class FreeTypeLibrary {
    static let missing = MissingLibrary(name: "libfreetype", package: "libfreetype6")

    /// The functions, at a constant address, since faces keep it.
    let table: UnsafeMutablePointer<ns_ft_table>
    let handle: UnsafeMutableRawPointer

    public init() throws(MissingLibrary) {
        let library = try SharedLibrary.open(["libfreetype.so.6"], isLazy: true, else: FreeTypeLibrary.missing)
        table = .allocate(capacity: 1)
        var handle: UnsafeMutableRawPointer?
        guard ns_ft_bind(library, table) != 0, table.pointee.FT_Init_FreeType(&handle) == 0, let handle else {
            throw FreeTypeLibrary.missing
        }
        self.handle = handle
    }
}
