// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

extension Tag {
    /// Finds a tag by MPD's name, ignoring case.
    package init?(name: String) {
        let wanted = name.lowerCase
        guard let tag = Tag.allCases.first(where: { $0 != .format && $0.name.lowerCase == wanted }) else { return nil }
        self = tag
    }
}

/// The tags that a client sees.
package struct TagSet: Equatable {
    private var bits: UInt64

    package init(_ tags: [Tag] = []) {
        bits = 0
        for tag in tags { insert(tag) }
    }

    package static var ofMPD: TagSet { TagSet(Tag.ofMPD) }

    /// The tags, in MPD's order.
    package var tags: [Tag] { Tag.allCases.filter { contains($0) } }

    package func contains(_ tag: Tag) -> Bool { bits >> UInt64(tag.rawValue) & 1 != 0 }

    package mutating func insert(_ tag: Tag) { bits |= 1 << UInt64(tag.rawValue) }

    package mutating func remove(_ tag: Tag) { bits &= ~(1 << UInt64(tag.rawValue)) }
}
