import Core
import Posix

/// Which songs are meant.
public indirect enum SongCondition: Sendable {
    public enum Subject: Sendable {
        /// Where a song lacks it, its fallbacks.
        case tag(Tag)
        /// Any of the tags of MPD's protocol.
        case any
        /// The path relative to the library's folder.
        case file
    }

    public enum Comparison: Sendable {
        case equals, contains, startsWith
    }

    /// What a song lacks is as the empty text.
    case compare(Subject, Comparison, String, foldsCase: Bool)
    /// Somewhere in it.
    case matches(Subject, TextPattern)
    /// The song at this path, or those in this folder and below.
    case base(String)
    /// The file's last change, seconds since 1970.
    case modifiedSince(Int64)
    /// When the library first saw it, seconds since 1970.
    case addedSince(Int64)
    /// Words that are spoken in it; see `ConsoleWords.said`. Of songs of the library only.
    case said(String)
    case not(SongCondition)
    case all([SongCondition])
}

/// Which songs of the library are to be listed, and in which order.
public struct SongQuery: Sendable {
    public enum Order: Sendable, Equatable {
        case tag(Tag)
        /// By the file's last change, or by when the library first saw it.
        case modified, added
    }

    public var condition: SongCondition
    /// nil for the order of folders.
    public var order: Order?
    public var isDescending: Bool

    public init(_ condition: SongCondition, order: Order? = nil, isDescending: Bool = false) {
        self.condition = condition
        self.order = order
        self.isDescending = isDescending
    }
}

extension SongCondition {
    /// For songs that are at hand; of those in the library the speaker decides.
    public func matches(_ song: SongDescription) -> Bool {
        switch self {
        case .compare(let subject, let comparison, let text, let foldsCase):
            let matcher = TextMatcher(comparison, text, foldsCase)
            return subject.isAny(of: song, isEmptyEnough: text.isEmpty) { matcher.matches($0) }
        case .matches(let subject, let pattern):
            return subject.isAny(of: song, isEmptyEnough: pattern.isFound(in: "")) { bytes in
                bytes.withUnsafeBytes { pattern.isFound(in: $0) }
            }
        case .base(let folder):
            return folder.isEmpty || song.uri == folder
                || (song.uri.begins(with: folder)
                    && song.uri.utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/"))
        case .modifiedSince(let seconds): return (song.modifiedSeconds ?? 0) >= seconds
        case .addedSince(let seconds): return (song.addedSeconds ?? 0) >= seconds
        case .said: return false
        case .not(let condition): return !condition.matches(song)
        case .all(let conditions): return conditions.allSatisfy { $0.matches(song) }
        }
    }
}

extension SongCondition.Subject {
    /// Of several values one is enough.
    /// - Parameter isEmptyEnough: the answer for a song that lacks the tag and what stands for it.
    fileprivate func isAny(
        of song: SongDescription, isEmptyEnough: Bool, _ test: (ArraySlice<UInt8>) -> Bool
    ) -> Bool {
        switch self {
        case .file: return test(Array(song.uri.utf8)[...])
        case .any:
            var isFound = false
            song.tags.visit { tag, range in
                if !isFound && tag.isOfMPD { isFound = test(song.tags.bytes[range]) }
            }
            return isFound
        case .tag(let tag):
            for tag in [tag] + tag.fallbacks {
                var isThere = false
                var isFound = false
                song.tags.visit { other, range in
                    guard other == tag else { return }
                    isThere = true
                    if !isFound { isFound = test(song.tags.bytes[range]) }
                }
                if isThere { return isFound }
            }
            return isEmptyEnough
        }
    }
}

/// Compares many texts with one.
private struct TextMatcher {
    private let comparison: SongCondition.Comparison
    private let needle: [UInt8]
    private let foldsCase: Bool

    /// - Parameter foldsCase: capitals are as small letters.
    init(_ comparison: SongCondition.Comparison, _ text: String, _ foldsCase: Bool) {
        self.comparison = comparison
        self.foldsCase = foldsCase
        needle = Array((foldsCase ? text.lowerCase : text).utf8)
    }

    func matches(_ bytes: ArraySlice<UInt8>) -> Bool {
        if !foldsCase { return holds(bytes) }
        return holds(Array(String(decoding: bytes, as: UTF8.self).lowerCase.utf8)[...])
    }

    private func holds(_ hay: ArraySlice<UInt8>) -> Bool {
        switch comparison {
        case .equals: return hay.elementsEqual(needle)
        case .startsWith: return hay.starts(with: needle)
        case .contains:
            var start = hay.startIndex
            while start + needle.count <= hay.endIndex {
                if hay[start...].starts(with: needle) { return true }
                start += 1
            }
            return false
        }
    }
}
