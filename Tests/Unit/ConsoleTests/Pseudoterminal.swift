// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import Testing

// stdlib.h declares these only where _XOPEN_SOURCE asks for them.
@_silgen_name("posix_openpt") private func openMaster(_ flags: Int32) -> Int32
@_silgen_name("grantpt") private func grant(_ master: Int32) -> Int32
@_silgen_name("unlockpt") private func unlock(_ master: Int32) -> Int32
@_silgen_name("ptsname_r")
private func slaveName(_ master: Int32, _ name: UnsafeMutablePointer<CChar>, _ size: Int) -> Int32

/// Opens a terminal without a screen and returns its master: writing to it types, reading from it returns the shown bytes. `path` becomes
/// the path of the slave.
func openPseudoterminal(_ path: inout String) throws -> FileDescriptor {
    let master = FileDescriptor(owning: openMaster(O_RDWR | O_NOCTTY | O_CLOEXEC))
    var name = [CChar](repeating: 0, count: 64)
    try #require(grant(master.number) == 0 && unlock(master.number) == 0)
    try #require(slaveName(master.number, &name, name.count) == 0)
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try master.setNonBlocking()
    return master
}
