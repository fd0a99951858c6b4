import Core
import Model

/// What the console needs of the speaker; `Adapters` implements it.
///
/// All of it is called on the control thread, which owns the speaker's state: no call may block, and an action has taken
/// effect for the next snapshot when it returns (the sound may follow some milliseconds later). The implementer calls
/// `notify` on its consoles for every change, whoever caused it, once the action under way has returned.
public protocol ConsoleSpeaker: ConsoleBackups, ConsoleBookmarks, ConsoleBooks, ConsoleDevices, ConsoleKept,
    ConsolePictures, ConsolePlaylists, ConsolePodcasts, ConsoleQueueOrder, ConsoleScreens, ConsoleSentences,
    ConsoleSleep, ConsoleSound, ConsoleSpeeds, ConsoleStickers,
    ConsoleStreams,
    ConsoleWords
{
    // MARK: Snapshots

    var status: SpeakerStatus { get }
    /// The queue as it stands now.
    var queue: QueueListing { get }
    /// What of the queue is another than at this version; all of it where that is not known, as after a restart.
    func positionsChanged(since version: Int) -> [Range<Int>]
    /// Where the entry with this number stands in the queue.
    func position(ofSongID id: Int) -> Int?
    var counters: CountersDescription { get }
    /// What plays which files.
    var decoders: [DecoderDescription] { get }
    /// The segment being spoken with up to `neighbours` before and after it (in a gap, those around the gap); nil where the
    /// current item has no transcript.
    /// - Parameter milliseconds: around that place instead; nil for where the ear is.
    func transcript(neighbours: Int, at milliseconds: Int?) -> TranscriptDescription?
    /// Whether the current item's transcript is still looked for: sound does not wait for it.
    var isTranscriptBeingRead: Bool { get }
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
    func songs(_ query: SongQuery) -> Pages<LibraryEntry>
    /// How many songs of the library match, and how long they are together; for each value of a tag, in order, where one is given: a
    /// song counts for each of its values, and what follows a portion may belong to its last group.
    func tally(_ condition: SongCondition, groupedBy tag: Tag?) -> Pages<SongCount>
    /// Counts the next portion at each call: the numbers once all is counted, nil where something is left.
    func statistics() -> () -> LibraryStatistics?
    /// The different combinations of these tags' values that the songs have which match, in order by the first of them, then by the
    /// next. A song of several values has them all; for what it lacks stands the tag's fallback, and then the empty text.
    /// A row has a text of each.
    func values(of tags: [Tag], matching condition: SongCondition) -> Pages<[String]>
    /// Those favourites of the whole list in this order that stand in `range`, clipped to what there is.
    func favourites(
        by order: Favourite.Order, in range: Range<Int>
    ) throws(ConsoleError) -> [Favourite]

    // MARK: Actions

    /// Plays, or carries on after a pause.
    func play() throws(ConsoleError)
    /// Plays the entry at `position`, which exists, from where it was last left.
    func play(position: Int) throws(ConsoleError)
    /// Pauses or carries on; does nothing when stopped.
    func setPaused(_ paused: Bool) throws(ConsoleError)
    func stop() throws(ConsoleError)
    func next() throws(ConsoleError)
    func previous() throws(ConsoleError)
    /// Goes to a time in the entry at `position`, which exists. Beyond the end means the end.
    func seek(position: Int, toMilliseconds: Int) throws(ConsoleError)
    /// Moves by so much within the current item; moves in quick succession add up. Called only when there is one.
    func seek(byMilliseconds: Int) throws(ConsoleError)
    /// 0 to 100. Called only where `status.volumePercent` is not nil.
    func setVolume(percent: Int) throws(ConsoleError)
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
}
