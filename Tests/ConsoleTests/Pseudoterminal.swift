import CPosix
import Posix
import Testing

// stdlib.h declares these only where _XOPEN_SOURCE asks for them.
@_silgen_name("posix_openpt") private func posix_openpt(_ flags: Int32) -> Int32
@_silgen_name("grantpt") private func grantpt(_ master: Int32) -> Int32
@_silgen_name("unlockpt") private func unlockpt(_ master: Int32) -> Int32
@_silgen_name("ptsname_r")
private func ptsname_r(_ master: Int32, _ name: UnsafeMutablePointer<CChar>, _ size: Int) -> Int32

/// Opens a terminal without a screen and gives its master: what is written there was typed, what is read from it is shown.
/// `path` becomes the path of the slave.
func openPseudoterminal(_ path: inout String) throws -> FileDescriptor {
    let master = FileDescriptor(owning: posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC))
    var name = [CChar](repeating: 0, count: 64)
    try #require(grantpt(master.number) == 0 && unlockpt(master.number) == 0)
    try #require(ptsname_r(master.number, &name, name.count) == 0)
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try master.setNonBlocking()
    return master
}
