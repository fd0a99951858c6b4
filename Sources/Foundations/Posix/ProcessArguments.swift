// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Returns the arguments of the program, its name first. Embedded Swift has no CommandLine, so it reads the kernel's /proc/self/cmdline
/// (proc(5)). Each argument may be a path.
public func processArguments() throws(PosixError) -> [String] {
    let file = try FileDescriptor.open("/proc/self/cmdline", O_RDONLY)
    var bytes: [UInt8] = []
    var failure: PosixError?
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
        while true {
            do throws(PosixError) {
                let count = try file.read(into: buffer)
                if count == 0 { return }
                bytes.append(contentsOf: buffer[..<count])
            } catch {
                failure = error
                return
            }
        }
    }
    if let failure { throw failure }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
        .map { String(pathBytes: $0) }
}

extension [String] {
    /// Calls `body` with the texts as a program's arguments.
    public func withCStrings<Result>(_ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result) -> Result {
        var copies: [UnsafeMutablePointer<CChar>?] = map { word in word.withPath { strdup($0) } }
        copies.append(nil)
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeBufferPointer { body($0.baseAddress!) }
    }
}
