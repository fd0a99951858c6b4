import Core
import Model

/// What the console needs of the speaker; `Adapters` implements it.
///
/// All of it is called on the control thread, which owns the speaker's state: no call may block, and an action has taken
/// effect for the next snapshot when it returns (the sound may follow some milliseconds later). The implementer calls
/// `notify` on its consoles for every change, whoever caused it, once the action under way has returned.
public protocol ConsoleSpeaker: AnyObject {
    // MARK: Snapshots

    /// Asked for once by a command: it is made anew each time.
    var status: SpeakerStatus { get }
    /// The queue as it stands now.
    var queue: QueueListing { get }
    /// What of the queue is another than at this version; all of it where that is not known, as after a restart.
    func positionsChanged(since version: Int) -> [Range<Int>]
    /// Where the entry with this number stands in the queue.
    func position(ofSongID id: Int) -> Int?
    /// How the machinery does, line by line.
    /// - Parameter isRaw: with the histograms that `nightstand profile` asks for.
    func counters(isRaw: Bool) -> [StatusLine]
    /// True while so much waits for the disk that what would change something must wait too.
    var isDiskBehind: Bool { get }
    /// The decoders line by line, as MPD's `decoders` has them: plugin, suffix, mime_type.
    var decoders: [StatusLine] { get }
    /// The segment being spoken with up to `neighbours` before and after it (in a gap, those around the gap); nil where the
    /// current item has no transcript.
    /// - Parameter milliseconds: around that place instead; nil for where the ear is.
    func transcript(neighbours: Int, at milliseconds: Int?) -> TranscriptDescription?
    /// Of the current item: its gain and the loudness that was measured of it, in hundredths of a decibel; nil where there is none.
    var loudness: (gain: Int?, measured: Int?) { get }
    /// What is in a folder of the library: folders first, in the order of names; with `recursive` everything below too, each folder
    /// before what is in it. "" is the whole library, a song's path is that song alone, and a path that begins with a slash comes
    /// as it was typed. Throws `.noExist` for what is not there.
    func contents(of uri: String, recursive: Bool) throws(ConsoleError) -> Pages<LibraryEntry>
    /// What else is in a folder of the library, as the disk has it; its songs may be among them.
    func files(in uri: String) -> Awaited<[FileDescription]>
    /// What the file of a song says of itself; nil where its format has no such words, or it cannot be read.
    func comments(of uri: String) throws(ConsoleError) -> Awaited<[(name: String, text: String)]?>
    /// The song of the library at a path, as `contents` takes it; nil where none is.
    func song(at uri: String) -> SongDescription?
    /// The songs of the library that a query means.
    func songs(_ query: ItemQuery) -> Pages<LibraryEntry>
    /// How many songs of the library match, and how long they are together; for each value of a tag, in order, where one is given: a
    /// song counts for each of its values, and what follows a portion may belong to its last group.
    func tally(_ condition: ItemFilter, groupedBy tag: Tag?) -> Pages<SongCount>
    /// Counts the next portion at each call: the numbers once all is counted, nil where something is left.
    func statistics() -> () -> LibraryStatistics?
    /// The different combinations of these tags' values that the songs have which match, in order by the first of them, then by the
    /// next. A song of several values has them all; for what it lacks stands the tag's fallback, and then the empty text.
    /// A row has a text of each.
    func values(of tags: [Tag], matching condition: ItemFilter) -> Pages<[String]>
    /// Those favourites of the whole list in this order that stand in `range`, clipped to what there is.
    func favourites(by order: Favourite.Order, in range: Range<Int>) -> [Favourite]

    // MARK: Actions

    /// What a person may ask of the speaker by any input; of sentences only where there is a current item and, but for the ends of a stretch, a
    /// transcript; of the volume only where there is one to set.
    func perform(_ command: Command) throws(ConsoleError)
    /// Plays the entry at `position`, which exists, from where it was last left.
    func play(position: Int) throws(ConsoleError)
    /// Pauses or carries on; does nothing when stopped.
    func setPaused(_ paused: Bool) throws(ConsoleError)
    /// Goes to a time in the entry at `position`, which exists. Beyond the end means the end.
    func seek(position: Int, toMilliseconds: Int) throws(ConsoleError)
    func set(_ sound: SoundChanges)
    /// - Parameter forBook: for the current item's book alone, which one that has its own is set for in any case. Called only where
    ///   there is a current item.
    func setSpeed(_ speed: Speed, forBook: Bool) throws(ConsoleError)
    /// Called only where there is a current item.
    func forgetBookSpeed() throws(ConsoleError)
    /// The song of an address of a network. Throws where it cannot be played, with what would have to be done.
    func stream(at address: String) throws(ConsoleError) -> SongDescription
    /// Puts songs of the library into the queue before `position`, or at its end. Gives the number of the first. Throws
    /// `.playlistMax` where the queue is full, after as many as it took.
    func addToQueue(_ songs: [SongDescription], before position: Int?) throws(ConsoleError) -> Int
    /// Takes the entries at these positions, which exist, out of the queue. Of all: stops.
    func removeFromQueue(_ positions: Range<Int>) throws(ConsoleError)
    /// Starts to scan a folder of the library ("" is all of it) and gives the scan's number, from 1.
    func updateLibrary(_ uri: String, readsAnew: Bool) throws(ConsoleError) -> Int
    /// Forgets songs whose files have been gone for so long, but no favourites, and no more than a thousand; gives how many.
    func forgetItems(goneForDays days: Int) throws(ConsoleError) -> Int
    func clearError()
    /// Makes the song (nil is the current one) a favourite; false where it is one already.
    func addFavourite(_ uri: String?) throws(ConsoleError) -> Bool
    /// False where it is no favourite.
    func removeFavourite(_ uri: String?) throws(ConsoleError) -> Bool

    // MARK: Copies of the library, and taking one up

    /// Bytes of the copy once it is there; nil while it is made. Begins one where there is none.
    func backup() throws(ConsoleError) -> Int64?
    /// A piece of the copy; empty at its end.
    func readBackup(at offset: Int64, count: Int) throws(ConsoleError) -> [UInt8]
    func beginRestore() throws(ConsoleError)
    /// False where it must be sent again later.
    func addRestore(_ bytes: [UInt8]) throws(ConsoleError) -> Bool
    func endRestore() throws(ConsoleError)
    /// A word: none, receiving, checking or done. Throws why it failed.
    func restoreState() throws(ConsoleError) -> String

    // MARK: Sentences that are kept

    /// A page of them, the newest first; those of songs that are known.
    func bookmarks(in range: Range<Int>) -> [Bookmark]
    func bookmark(_ number: Int64) -> Bookmark?
    /// Keeps the sentence being spoken; false where it is kept already.
    func addBookmark() throws(ConsoleError) -> Bool
    /// Forgets one; nil means the sentence being spoken. False where there is none.
    func removeBookmark(_ number: Int64?) throws(ConsoleError) -> Bool

    // MARK: Alarms

    var alarms: [AlarmDescription] { get }
    /// - Parameter name: of what it plays: a book, an item, a playlist or a station, a path or an address; nil for what was heard last.
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
    /// The page of the printed book at the current place, or at that of a song; nil where nobody says.
    func page(of uri: String?) throws(ConsoleError) -> String?
    /// Plays from a page of the current book, looking through some of its files.
    /// - Parameter files: that were looked through; 0 at first.
    /// - Returns: false where it has to be called again.
    func playPage(_ name: String, from files: inout Int) throws(ConsoleError) -> Bool
    /// Goes on with a book where it was left: with that of a file, of a folder, of a title, or of the one title that begins so, whatever
    /// its accents and capitals. Throws `.noExist`, with up to five titles that may be meant.
    /// - Returns: false where there is more to be done: to be called again.
    func playBook(_ name: String) throws(ConsoleError) -> Bool
    func books(by order: Book.Order) -> Pages<Book>
    /// The book of the song, or the song where it is of none, is finished from here on, or is not.
    func setFinished(_ isFinished: Bool, of uri: String?) throws(ConsoleError)

    // MARK: Devices, and the speaker as one that several consoles look at

    /// Places that sound goes to, with numbers from 0.
    var outputs: [OutputDescription] { get }
    /// Lets sound go to the output with this number, which exists, or no longer. Without any it pauses. Kept over a restart.
    func setOutput(_ id: Int, enabled: Bool) throws(ConsoleError)
    /// What items and folders are called, by the folder that paths are relative to.
    var names: SongNames { get }
    /// Has all consoles told of a change that one of them made to what they share. Not from within the command that made it, but once
    /// that has returned.
    func consolesDidChange(_ subsystems: Subsystems)

    // MARK: Favourites and bookmarks for another speaker, and from one

    /// All of them as JSON, an object a line.
    func kept() -> Pages<String>
    /// Takes one in; false where it is there already.
    func takeIn(kept object: String) throws(ConsoleError) -> Bool

    // MARK: What can be chosen

    /// Those that can be, of this speaker.
    var settings: [SettingStatus] { get }
    /// - Parameter value: one of its choices.
    func choose(_ value: String, of setting: SpeakerSetting) throws(ConsoleError)

    // MARK: A household

    /// Nil where the speaker is of none.
    var household: HouseholdState? { get }
    var householdRun: HouseholdRun { get }
    /// Whoever carries records has come. Gives for how many seconds more it is to look often for what others change, since a person is here.
    func answerCarrier() -> Int
    /// What the favourites are called that are not on this speaker, the newest first.
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

    // MARK: Stored playlists. What waits for a disk is `Awaited`, and comes within some seconds as a failure where the disk does not answer;
    // `ConsoleServer.goOn` and `SerialConsole.goOn` are called when something has come. A playlist of the library's folder is named by its
    // path there; it can be read and not changed

    /// Those that are always there, then the stored ones.
    func playlists() -> Awaited<[PlaylistDescription]>
    /// The same without waiting for a disk that hangs: then those that were there when they were last looked at.
    func playlistsKnown() -> Awaited<[PlaylistDescription]>
    func playlist(_ name: String) throws(ConsoleError) -> PlaylistListing
    /// Entries for a playlist that can be changed or made.
    func draft(forPlaylist name: String) throws(ConsoleError) -> PlaylistDraft
    func change(playlist name: String, _ change: PlaylistChange) throws(ConsoleError) -> Awaited<Void>

    // MARK: Podcasts

    /// Subscribes to a feed; answered once it could be read, or could not.
    /// - Parameter name: what it is called until it was read; where nil, it is subscribed to only if it can be.
    /// - Parameter order: nil to leave it as it is; in it nil for as the feed says.
    func subscribe(toFeed address: String, name: String?, order: Feed.Order??) throws(ConsoleError) -> Awaited<Void>
    /// - Parameter feed: its address, its name, or its folder's.
    func unsubscribe(fromFeed feed: String) throws(ConsoleError)
    /// Whether something is subscribed to by this address, name or folder.
    func isFeed(_ feed: String) -> Bool
    /// Has feeds asked for now.
    /// - Parameter feed: nil for all.
    func refresh(feed: String?) throws(ConsoleError)
    /// What is subscribed to: each with its address without what may be secret in it, how many episodes it has, and how many of them were
    /// never played.
    func subscriptions() -> Pages<(feed: Feed, shownAddress: String, episodes: Int, unheard: Int)>

    // MARK: The order of the queue, and the way in which it is gone through

    func setModes(_ modes: PlayModes) throws(ConsoleError)
    /// Moves the entries at these positions, which exist, so that the first of them stands at `to`: at most the number of the others.
    func moveInQueue(_ positions: Range<Int>, to: Int) throws(ConsoleError)
    /// Both positions exist.
    func swapInQueue(_ one: Int, _ other: Int) throws(ConsoleError)
    /// Brings the entries at these positions, which exist, into an order of chance.
    func shuffleQueue(_ positions: Range<Int>) throws(ConsoleError)
    /// Makes the entries at these positions, which exist, come sooner in an order of chance: 0 to 255.
    func prioritise(_ positions: Range<Int>, _ priority: Int) throws(ConsoleError)

    // MARK: What screens are told, and tell

    /// A client has come that tells what stands on it, when it is asked to; or has gone.
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

    // MARK: Stickers: what clients note of songs. `.noExist` is thrown for what is no song of the library

    /// nil where the song has none of this name.
    func sticker(_ name: String, of uri: String) throws(ConsoleError) -> String?
    /// All of a song, by name.
    func stickers(of uri: String) throws(ConsoleError) -> [(name: String, value: String)]
    func setSticker(_ name: String, of uri: String, to value: String) throws(ConsoleError)
    /// - Parameter name: nil for all of the song's.
    /// - Returns: whether there was one.
    func removeSticker(_ name: String?, of uri: String) throws(ConsoleError) -> Bool
    /// The songs below a folder ("" is the whole library) that have a sticker of this name.
    func stickers(
        named name: String, below uri: String, _ comparison: StickerComparison?
    ) -> Pages<(uri: String, value: String)>

    // MARK: What is said in the library

    /// Sentences in which all these words are: phrases in quotes, `*` behind the beginning of a word. Nil where there is no word in it.
    func said(_ words: String) -> SpokenListing?
    /// The songs in which these words are said; none if there is no word in it.
    func songs(saying words: String) -> Awaited<ItemSet>
    /// Plays a song from a place on.
    func play(song identifier: Int64, fromMilliseconds milliseconds: Int) throws(ConsoleError)
}
