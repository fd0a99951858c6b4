// SPDX-License-Identifier: Apache-2.0
/// The facts about a recording: the tags of MPD's protocol by MPD's names (protocol.rst, "Tags"), followed by those of audiobooks. The raw
/// values stand in the database: never change one, add behind the last.
public enum Tag: UInt8, CaseIterable, Sendable {
    case artist, artistSort, album, albumSort, albumArtist, albumArtistSort, title, track, name, genre, date,
        originalDate
    case composer, composerSort, performer, conductor, work, movement, movementNumber, ensemble, location, grouping,
        comment, disc, label
    case musicBrainzArtist, musicBrainzAlbum, musicBrainzAlbumArtist, musicBrainzTrack, musicBrainzReleaseTrack,
        musicBrainzWork
    /// Not MPD's: the narrator, the book's series and number in it ("3", "2.5"), and the spoken language (ISO 639-2, as in ID3's TLAN).
    case narrator, series, seriesPart, language
    /// The sample format, as MPD writes it: "44100:16:2" for rate, bits and channels. It is no tag of the file.
    case format

    /// The tags of MPD's protocol, in MPD's order.
    public static var ofMPD: [Tag] { allCases.filter { $0.isOfMPD } }

    public var isOfMPD: Bool { rawValue <= Tag.musicBrainzWork.rawValue }

    /// MPD's substitutes for a missing tag, first to last: the album's artist, if only an artist is named.
    public var fallbacks: [Tag] {
        switch self {
        case .artistSort, .albumArtist: [.artist]
        case .albumSort: [.album]
        case .albumArtistSort: [.albumArtist, .artistSort, .artist]
        default: []
        }
    }

    public var name: String {
        switch self {
        case .artist: "Artist"
        case .artistSort: "ArtistSort"
        case .album: "Album"
        case .albumSort: "AlbumSort"
        case .albumArtist: "AlbumArtist"
        case .albumArtistSort: "AlbumArtistSort"
        case .title: "Title"
        case .track: "Track"
        case .name: "Name"
        case .genre: "Genre"
        case .date: "Date"
        case .originalDate: "OriginalDate"
        case .composer: "Composer"
        case .composerSort: "ComposerSort"
        case .performer: "Performer"
        case .conductor: "Conductor"
        case .work: "Work"
        case .movement: "Movement"
        case .movementNumber: "MovementNumber"
        case .ensemble: "Ensemble"
        case .location: "Location"
        case .grouping: "Grouping"
        case .disc: "Disc"
        case .label: "Label"
        case .musicBrainzArtist: "MUSICBRAINZ_ARTISTID"
        case .musicBrainzAlbum: "MUSICBRAINZ_ALBUMID"
        case .musicBrainzAlbumArtist: "MUSICBRAINZ_ALBUMARTISTID"
        case .musicBrainzTrack: "MUSICBRAINZ_TRACKID"
        case .musicBrainzReleaseTrack: "MUSICBRAINZ_RELEASETRACKID"
        case .musicBrainzWork: "MUSICBRAINZ_WORKID"
        case .comment: "Comment"
        case .narrator: "Narrator"
        case .series: "Series"
        case .seriesPart: "SeriesPart"
        case .language: "Language"
        case .format: "Format"
        }
    }
}
