// SPDX-License-Identifier: Apache-2.0
import Core
import Model

/// One item of the queue or the library, as MPD's protocol shows a song.
struct SongDescription: Sendable {
    /// The path relative to the library's folder, without a leading slash; `add` takes it.
    var uri: String
    /// The speaker's number for the song.
    var identifier: Int64
    /// The number of the chapter that is this song, from 1 on; 0 for a whole file.
    var chapter: UInt16 = 0
    /// The chapter's stretch of its file, in milliseconds; nil for a whole file.
    var bounds: Range<Int>?
    var tags: TagList
    /// The duration; nil if unknown.
    var durationMilliseconds: Int?
    var fileBytes: Int64?
    /// The time of the file's last change, in seconds since 1970.
    var modifiedSeconds: Int64?
    /// The time when the library first saw it, in seconds since 1970.
    var addedSeconds: Int64?
    /// The place in the queue, for a song of the queue.
    var entry: SpeakerStatus.QueuePlace?

    init(
        uri: String, identifier: Int64 = 0, tags: TagList = TagList(),
        durationMilliseconds: Int? = nil, fileBytes: Int64? = nil, modifiedSeconds: Int64? = nil,
        addedSeconds: Int64? = nil,
        entry: SpeakerStatus.QueuePlace? = nil
    ) {
        self.uri = uri
        self.identifier = identifier
        self.tags = tags
        self.durationMilliseconds = durationMilliseconds
        self.fileBytes = fileBytes
        self.modifiedSeconds = modifiedSeconds
        self.addedSeconds = addedSeconds
        self.entry = entry
    }
}

/// An entry of a library folder.
enum LibraryEntry: Sendable {
    /// A folder by its path relative to the library's.
    case folder(uri: String, modifiedSeconds: Int64?)
    case song(SongDescription)
}

extension ItemMatch {
    /// Returns whether a song matches. For songs in memory; the speaker decides about those in the library.
    func holds(_ song: SongDescription) -> Bool {
        var uri = song.uri
        return uri.withUTF8 { path in
            song.tags.bytes.withUnsafeBytes { tags in
                holds(
                    ItemRow(
                        id: song.identifier, path: UnsafeRawBufferPointer(path), modified: song.modifiedSeconds ?? 0,
                        added: song.addedSeconds ?? 0, tags: tags))
            }
        }
    }
}
