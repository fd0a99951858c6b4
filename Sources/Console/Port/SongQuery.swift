import Core
import Posix

/// Which songs are meant.
public indirect enum SongCondition: Sendable {
    public enum Subject: Sendable {
        case tag(Tag)
        /// Any of the tags.
        case any
        /// The path relative to the library's folder.
        case file
    }

    public enum Comparison: Sendable {
        case equals, contains, startsWith
    }

    /// What a song lacks is as the empty text.
    case compare(Subject, Comparison, String, foldsCase: Bool)
    /// The song at this path, or those in this folder and below.
    case base(String)
    /// The file's last change, seconds since 1970.
    case modifiedSince(Int64)
    case not(SongCondition)
    case all([SongCondition])

    static let none = SongCondition.not(.all([]))
}

/// Which songs of the library are to be listed, and in which order.
public struct SongQuery: Sendable {
    public var condition: SongCondition
    /// By this tag; nil for the order of folders.
    public var order: Tag?
    public var isDescending: Bool

    public init(_ condition: SongCondition, order: Tag? = nil, isDescending: Bool = false) {
        self.condition = condition
        self.order = order
        self.isDescending = isDescending
    }
}

extension SongCondition {
    /// For songs that are at hand; of those in the library the speaker decides.
    public func matches(_ song: SongDescription) -> Bool {
        switch self {
        case .compare(.tag(let tag), let comparison, let text, let foldsCase):
            song.tags.has(tag, comparison, text, foldsCase)
        case .compare(.file, let comparison, let text, let foldsCase):
            comparison.holds(song.uri, text, foldsCase)
        case .compare(.any, let comparison, let text, let foldsCase):
            Tag.ofMPD.contains { song.tags.has($0, comparison, text, foldsCase) }
        case .base(let folder):
            folder.isEmpty || song.uri == folder
                || (song.uri.begins(with: folder)
                    && song.uri.utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/"))
        case .modifiedSince(let seconds): (song.modifiedSeconds ?? 0) >= seconds
        case .not(let condition): !condition.matches(song)
        case .all(let conditions): conditions.allSatisfy { $0.matches(song) }
        }
    }
}

extension TagList {
    /// Of several values one is enough; what is not there is as the empty text.
    fileprivate func has(
        _ tag: Tag, _ comparison: SongCondition.Comparison, _ text: String, _ foldsCase: Bool
    ) -> Bool {
        let values = values(of: tag)
        return values.isEmpty
            ? comparison.holds("", text, foldsCase) : values.contains { comparison.holds($0, text, foldsCase) }
    }
}

extension SongCondition.Comparison {
    /// - Parameter foldsCase: capitals are as small letters.
    func holds(_ value: String, _ text: String, _ foldsCase: Bool) -> Bool {
        let hay = Array((foldsCase ? value.lowerCase : value).utf8)
        let needle = Array((foldsCase ? text.lowerCase : text).utf8)
        switch self {
        case .equals: return hay == needle
        case .startsWith: return hay.starts(with: needle)
        case .contains:
            var start = 0
            while start + needle.count <= hay.count {
                if hay[start...].starts(with: needle) { return true }
                start += 1
            }
            return false
        }
    }
}
