// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The arguments that the program was started with, its name first. Embedded Swift has no CommandLine, so the kernel is asked
/// (proc(5), /proc/self/cmdline). Each may be a path.
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
    /// Calls `body` with these as a program's arguments.
    public func withCStrings<Result>(_ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result) -> Result {
        var copies: [UnsafeMutablePointer<CChar>?] = map { word in word.withPath { strdup($0) } }
        copies.append(nil)
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeBufferPointer { body($0.baseAddress!) }
    }
}
