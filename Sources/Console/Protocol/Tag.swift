import Posix

/// The tags that items have, and what MPD's protocol calls them.
public enum Tag: CaseIterable, Sendable {
    case artist, album, title

    var name: String {
        switch self {
        case .artist: "Artist"
        case .album: "Album"
        case .title: "Title"
        }
    }

    /// By MPD's name in any case.
    init?(name: String) {
        switch name.lowerCase {
        case "artist", "artistsort": self = .artist
        case "album", "albumsort": self = .album
        case "title": self = .title
        default: return nil
        }
    }

    /// Whether it is a tag of MPD's at all: one that no item here has is allowed in questions, a slip of the finger is not.
    static func isKnown(_ name: String) -> Bool {
        let others: [String] = [
            "albumartist", "albumartistsort", "track", "name", "genre", "date", "originaldate", "composer", "performer",
            "conductor", "work", "ensemble",
            "movement", "movementnumber", "location", "grouping", "comment", "disc", "label", "mood", "titlesort",
            "composersort", "showmovement", "musicbrainz_artistid", "musicbrainz_albumid", "musicbrainz_albumartistid",
            "musicbrainz_trackid", "musicbrainz_releasetrackid", "musicbrainz_workid", "musicbrainz_releasegroupid",
        ]
        return Tag(name: name) != nil || others.contains(name.lowerCase)
    }
}

extension SongDescription {
    public subscript(tag: Tag) -> String? {
        switch tag {
        case .artist: artist
        case .album: album
        case .title: title
        }
    }
}
