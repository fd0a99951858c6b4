// SPDX-License-Identifier: Apache-2.0
@testable import Media

extension AudioDecoding {
    /// However long it takes.
    func seek(toFrame frame: Int64) throws(MediaError) { try seek(toFrame: frame) { true } }
}

extension Units {
    func jump(to unit: Int64) throws(SourceError) { try jump(to: unit) { true } }
}
