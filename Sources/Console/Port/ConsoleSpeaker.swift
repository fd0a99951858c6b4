// SPDX-License-Identifier: Apache-2.0
import Core
import Model

/// The console's view of the speaker; `Adapters` implements it.
///
/// All calls come on the control thread, which owns the speaker's state: no call may block, and an action has taken effect for the next
/// snapshot when it returns (the sound may follow some milliseconds later). The implementer calls `notify` on its consoles for every
/// change, of any origin, once the action under way has returned.
public protocol ConsoleSpeaker: AnyObject {
    // MARK: Snapshots

    /// The present state. A command asks for it once, since each call computes it anew.
    var status: SpeakerStatus { get }
    /// The queue as it stands now.
    var queue: QueueListing { get }
    /// Returns the parts of the queue that differ from this version; all of it if the version is unknown, as after a restart.
    func positionsChanged(since version: Int) -> [Range<Int>]
    /// Returns the position of the entry with this number in the queue.
    func position(ofSongID id: Int) -> Int?
    /// Returns the machinery's counters, one line each.
    /// - Parameter isRaw: with the histograms that `nightstand profile` asks for.
    func counters(isRaw: Bool) -> [StatusLine]
    /// True while so much waits for the disk that what would change something must wait too.
    var isDiskBehind: Bool { get }
    /// True while a card is on its way to other programs.
    var isLettingGoOfCard: Bool { get }
    /// The decoders line by line, as MPD's `decoders` has them: plugin, suffix, mime_type.
    var decoders: [StatusLine] { get }
    /// The segment being spoken with up to `neighbours` before and after it (in a gap, those around the gap); nil where the
    /// current item has no transcript.
    /// - Parameter milliseconds: around that place instead; nil for where the ear is.
    func transcript(neighbours: Int, at milliseconds: Int?) -> TranscriptDescription?
    /// Of the current item: its gain and its measured loudness, in hundredths of a decibel; nil where there is none.
    var loudness: (gain: Int?, measured: Int?) { get }
    /// Lists a folder of the library: folders first, in the order of names; with `recursive` everything below too, each folder before what
    /// is in it. "" is the whole library, a song's path is that song alone, and a path that begins with a slash keeps its typed form.
    /// Throws `.noExist` for what is not there.
    func contents(of uri: String, recursive: Bool) throws(ConsoleError) -> Pages<LibraryEntry>
    /// Lists the other files in a folder of the library, from the disk; its songs may be among them.
    func files(in uri: String) -> Awaited<[FileDescription]>
    /// Returns the comments in a song's file; nil if its format has none, or it is unreadable.
    func comments(of uri: String) throws(ConsoleError) -> Awaited<[(name: String, text: String)]?>
    /// The song of the library at a path, as `contents` takes it; nil where none is.
    func song(at uri: String) -> SongDescription?
    /// The songs of the library that a query means.
    func songs(_ query: ItemQuery) -> Pages<LibraryEntry>
    /// Counts the matching songs of the library and their total length; with a tag, for each of its values, in order: a song counts for
    /// each of its values, and what follows a portion may belong to its last group.
    func tally(_ condition: ItemFilter, groupedBy tag: Tag?) -> Pages<SongCount>
    /// Counts the next portion at each call: the numbers at the end, nil before it.
    func statistics() -> () -> LibraryStatistics?
    /// The different combinations of these tags' values that the songs have which match, in order by the first of them, then by the
    /// next. A song of several values has them all; for what it lacks stands the tag's fallback, and then the empty text.
    /// A row has a text of each.
    func values(of tags: [Tag], matching condition: ItemFilter) -> Pages<[String]>
    /// Those favourites of the whole list in this order that stand in `range`, clipped to what there is.
    func favourites(by order: Favourite.Order, in range: Range<Int>) -> [Favourite]

    // MARK: Actions

    /// Performs a command of any input; of sentences only where there is a current item and, but for the ends of a stretch, a transcript;
    /// of the volume only where there is one to set.
    func perform(_ command: Command) throws(ConsoleError)
    /// Says a text, or plays a recording of the library or at an address, over the playback.
    func announce(_ words: String) throws(ConsoleError)
    /// Tells a person about the Wi-Fi.
    func tell(wifi notice: Notice)
    /// Plays the entry at `position`, which exists, from where it was last left.
    func play(position: Int) throws(ConsoleError)
    /// Pauses or carries on; does nothing when stopped.
    func setPaused(_ paused: Bool) throws(ConsoleError)
    /// Goes to a time in the entry at `position`, which exists. Beyond the end means the end.
    func seek(position: Int, toMilliseconds: Int) throws(ConsoleError)
    func set(_ sound: SoundChanges)
    /// - Parameter forBook: for the current item's book alone; a book with a speed of its own is set in any case. Called only where there
    ///   is a current item.
    func setSpeed(_ speed: Speed, forBook: Bool) throws(ConsoleError)
    /// Called only where there is a current item.
    func forgetBookSpeed() throws(ConsoleError)
    /// The song of an address of a network. Throws if it cannot play, with the remedy.
    func stream(at address: String) throws(ConsoleError) -> SongDescription
    /// Puts songs of the library into the queue before `position`, or at its end. Gives the number of the first. Throws
    /// `.playlistMax` where the queue is full, after as many as it took.
    func addToQueue(_ songs: [SongDescription], before position: Int?) throws(ConsoleError) -> Int
    /// Takes the entries at these positions, which exist, out of the queue. Of all: stops.
    func removeFromQueue(_ positions: Range<Int>) throws(ConsoleError)
    /// Starts to scan a folder of the library ("" is all of it) and gives the scan's number, from 1.
    func updateLibrary(_ uri: String, readsAnew: Bool) throws(ConsoleError) -> Int
    /// Forgets long-missing songs, except favorites, a few at once; gives how many.
    func forgetItems(goneForDays days: Int) throws(ConsoleError) -> Int
    func clearError()
    /// Makes the song (nil is the current one) a favourite; false where it is one already.
    func addFavourite(_ uri: String?) throws(ConsoleError) -> Bool
    /// False where it is no favourite.
    func removeFavourite(_ uri: String?) throws(ConsoleError) -> Bool

    // MARK: Copies of the library, and taking one up

    /// Bytes of the copy once it is there; nil until it is ready. Begins one where there is none.
    func backup() throws(ConsoleError) -> Int64?
    /// A piece of the copy; empty at its end.
    func readBackup(at offset: Int64, count: Int) throws(ConsoleError) -> [UInt8]
    func beginRestore() throws(ConsoleError)
    /// False if it must be sent again later.
    func addRestore(_ bytes: [UInt8]) throws(ConsoleError) -> Bool
    func endRestore() throws(ConsoleError)
    /// A word: none, receiving, checking or done. Throws why it failed.
    func restoreState() throws(ConsoleError) -> String

    // MARK: Bookmarks

    /// A page of them, the newest first; only those of known songs.
    func bookmarks(in range: Range<Int>) -> [Bookmark]
    func bookmark(_ number: Int64) -> Bookmark?
    /// Keeps the sentence being spoken; false if it is bookmarked already.
    func addBookmark() throws(ConsoleError) -> Bool
    /// Forgets one; nil means the sentence being spoken. False where there is none.
    func removeBookmark(_ number: Int64?) throws(ConsoleError) -> Bool

    // MARK: Alarms

    var alarms: [AlarmDescription] { get }
    /// - Parameter name: of what it plays: a book, an item, a playlist or a station, a path or an address; nil for the last one that
    ///   played.
    /// - Returns: its number, which may be there later.
    func add(_ alarm: Alarm, playing name: String?) throws(ConsoleError) -> Awaited<Alarm.ID>
    /// False where there is none of this number.
    func removeAlarm(_ id: Alarm.ID) -> Bool
    /// Likewise.
    func setAlarm(_ id: Alarm.ID, isOn: Bool) -> Bool

    // MARK: Books

    /// The book that the song at a path is of (nil is the current one); nil where it is of none.
    func book(of uri: String?) throws(ConsoleError) -> Book?
    /// The chapters of the song, in order; none where it is one piece. A title may be empty.
    func chapters(of uri: String?) throws(ConsoleError) -> [(startMilliseconds: Int, title: String, level: Int)]
    /// The page of the printed book at the current place, or at that of a song; nil if the book has no pages.
    func page(of uri: String?) throws(ConsoleError) -> String?
    /// Plays from a page of the current book, looking through some of its files.
    /// - Parameter files: the number of files searched so far; 0 at first.
    /// - Returns: false if it has to be called again.
    func playPage(_ name: String, from files: inout Int) throws(ConsoleError) -> Bool
    /// Continues a book at its place: the book of a file, of a folder, of a title, or of the only title with this beginning, ignoring
    /// accents and case. Throws `.noExist`, with up to five likely titles.
    /// - Returns: false if there is more to do: call it again.
    func playBook(_ name: String) throws(ConsoleError) -> Bool
    func books(by order: Book.Order) -> Pages<Book>
    /// Marks the book of the song, or a song without a book, as finished or not.
    func setFinished(_ isFinished: Bool, of uri: String?) throws(ConsoleError)

    // MARK: Devices, and the speaker as one that several consoles look at

    /// Places that sound goes to, with numbers from 0.
    var outputs: [OutputDescription] { get }
    /// Lets sound go to the output with this number, which exists, or no longer. Without any it pauses. Kept over a restart.
    func setOutput(_ id: Int, enabled: Bool) throws(ConsoleError)
    /// Those without a wire; nil before the process that drives them has come.
    var headphones: HeadphoneList? { get }
    func headphonesAre(_ list: HeadphoneList)
    func ask(_ request: HeadphoneRequest) throws(ConsoleError)
    /// The names of items and folders, by the folder that paths are relative to.
    var names: SongNames { get }
    /// Has all consoles told of a change that one of them made to what they share. Not from within the command that made it, but once
    /// that has returned.
    func consolesDidChange(_ subsystems: Subsystems)

    // MARK: Favourites and bookmarks for another speaker, and from one

    /// All of them as JSON, an object a line.
    func kept() -> Pages<String>
    /// Takes one in; false where it is there already.
    func takeIn(kept object: String) throws(ConsoleError) -> Bool

    // MARK: Choices

    /// Those that can be, of this speaker.
    var settings: [SettingStatus] { get }
    /// - Parameter value: one of its choices.
    func choose(_ value: String, of setting: SpeakerSetting) throws(ConsoleError)

    // MARK: A household

    /// Nil where the speaker is of none.
    var household: HouseholdState? { get }
    var householdRun: HouseholdRun { get }
    /// The process that carries the household's records is here. Gives for how many seconds more it is to look often for what others
    /// change, since a person is here.
    func answerCarrier() -> Int
    /// Returns the names of the favorites that are not on this speaker, the newest first.
    func absentNames(limit: Int) -> [String]
    func change(household change: HouseholdChange) throws(ConsoleError)
    /// Records behind a revision as JSON, in the order in which they came here.
    func journal(since revision: Int64, limit: Int) throws(ConsoleError) -> Pages<(revision: Int64, record: String)>
    /// Takes in a record that another device has written. Gives a word for what came of it: added, older, same, refused, later.
    func merge(record: String) throws(ConsoleError) -> String

    // MARK: Pictures of songs

    /// The picture that lies in the song's folder, or stands in its tags; nil where there is none. Throws `.noExist` for the tags of what
    /// is no song.
    func picture(of uri: String, _ place: PicturePlace) throws(ConsoleError) -> Awaited<PictureDescription?>

    // MARK: Stored playlists. Calls that wait for a disk return `Awaited`, and fail after some seconds if the disk does not answer; the
    // speaker calls `ConsoleServer.goOn` and `SerialConsole.goOn` when a result has come. A playlist in the library's folder has its path
    // there as its name; it is read-only

    /// Those that are always there, then the stored ones.
    func playlists() -> Awaited<[PlaylistDescription]>
    /// The same without waiting for a disk that hangs: then those that were there when they were last looked at.
    func playlistsKnown() -> Awaited<[PlaylistDescription]>
    func playlist(_ name: String) throws(ConsoleError) -> PlaylistListing
    /// Returns an empty draft for a playlist that can change or be made.
    func draft(forPlaylist name: String) throws(ConsoleError) -> PlaylistDraft
    func change(playlist name: String, _ change: PlaylistChange) throws(ConsoleError) -> Awaited<Void>

    // MARK: Podcasts

    /// Subscribes to a feed; answers once the feed was read, or failed.
    /// - Parameter name: its name until the first reading; if nil, the subscription needs a readable feed.
    /// - Parameter order: nil to leave it as it is; in it nil for as the feed says.
    func subscribe(toFeed address: String, name: String?, order: Feed.Order??) throws(ConsoleError) -> Awaited<Void>
    /// - Parameter feed: its address, its name, or its folder's.
    func unsubscribe(fromFeed feed: String) throws(ConsoleError)
    /// Returns whether a subscription has this address, name or folder.
    func isFeed(_ feed: String) -> Bool
    /// Has feeds asked for now.
    /// - Parameter feed: nil for all.
    func refresh(feed: String?) throws(ConsoleError)
    /// Lists the subscriptions: each with its address without what may be secret in it, how many episodes it has, and how many of them were
    /// never played.
    func subscriptions() -> Pages<(feed: Feed, shownAddress: String, episodes: Int, unheard: Int)>

    // MARK: The order of the queue, and how it advances

    func setModes(_ modes: PlayModes) throws(ConsoleError)
    /// Moves the entries at these positions, which exist, so that the first of them stands at `to`: at most the number of the others.
    func moveInQueue(_ positions: Range<Int>, to: Int) throws(ConsoleError)
    /// Both positions exist.
    func swapInQueue(_ one: Int, _ other: Int) throws(ConsoleError)
    /// Brings the entries at these positions, which exist, into an order of chance.
    func shuffleQueue(_ positions: Range<Int>) throws(ConsoleError)
    /// Makes the entries at these positions, which exist, come sooner in an order of chance: 0 to 255.
    func prioritise(_ positions: Range<Int>, _ priority: Int) throws(ConsoleError)

    // MARK: Screens

    /// A client that describes a screen has come; or has gone.
    func screenCame()
    func screenWent()
    /// Asks the screens; the first one's answer counts. Throws where there is none.
    func screenTree() throws(ConsoleError) -> Awaited<[ElementDescription]>
    /// All that stands on a screen.
    func screenTells(_ elements: [ElementDescription])
    /// A voice says what has the focus of a screen.
    func screenFocuses(_ element: ElementDescription)
    /// Something to be felt. Throws where there is nothing to feel it with.
    func feel(_ haptic: Haptic) throws(ConsoleError)

    // MARK: Stickers: clients' notes on songs. `.noExist` is thrown for what is no song of the library

    /// nil where the song has none of this name.
    func sticker(_ name: String, of uri: String) throws(ConsoleError) -> String?
    /// All of a song, by name.
    func stickers(of uri: String) throws(ConsoleError) -> [(name: String, value: String)]
    func setSticker(_ name: String, of uri: String, to value: String) throws(ConsoleError)
    /// - Parameter name: nil for all of the song's.
    /// - Returns: false if there was none.
    func removeSticker(_ name: String?, of uri: String) throws(ConsoleError) -> Bool
    /// The songs below a folder ("" is the whole library) that have a sticker of this name.
    func stickers(
        named name: String, below uri: String, _ comparison: StickerComparison?
    ) -> Pages<(uri: String, value: String)>

    // MARK: Spoken words

    /// Sentences in which all these words are: phrases in quotes, `*` behind the beginning of a word. Nil where there is no word in it.
    func said(_ words: String) -> SpokenListing?
    /// Returns the songs in which these words occur; none if there is no word in it.
    func songs(saying words: String) -> Awaited<ItemSet>
    /// Plays a song from a place on.
    func play(song identifier: Int64, fromMilliseconds milliseconds: Int) throws(ConsoleError)
}
