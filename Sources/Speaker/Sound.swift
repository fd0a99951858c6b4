// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Playback
import Posix
import Workers

/// The sound of the playback: volume, speed, silences. It gives the player each item as a track with these settings.
public final class Sound {
    let volume: Volume
    public let speeds: Speeds
    let interruption: Interruption
    let alarms: AlarmSound
    public private(set) var changes = SoundChanges()
    /// The time that shorter silences had saved before the current item.
    private var savedBeforeItem = 0
    /// Called when other programs can open the card.
    public var didCloseCard: () -> Void = {}
    /// The list of headphones; nil before their process has started.
    var headphones: HeadphoneList?
    /// True while the sound goes to connected headphones.
    var isOnHeadphones = false
    /// Sends a request to the headphones' process. Returns false if there is none.
    public var askHeadphones: (HeadphoneRequest) -> Bool = { _ in false }
    private let leveling: Leveling
    private let library: Library
    /// The storage of settings; nil to store nothing.
    private let store: Library?
    private let player: any PlayerPort
    private let queueKeeper: QueueKeeper
    private let streaming: Streaming

    init(
        _ library: Library, store: Library?, player: any PlayerPort, mixer: (any MixerPort)?, queueKeeper: QueueKeeper,
        streaming: Streaming, worker: any Performer, timers: any Timers, audience: Audience
    ) {
        self.library = library
        self.store = store
        self.player = player
        self.queueKeeper = queueKeeper
        self.streaming = streaming
        volume = Volume(mixer: mixer) { player.setVolume(percent: $0) }
        speeds = Speeds(library, store: store)
        interruption = Interruption(timers)
        alarms = AlarmSound(volume, player, timers, store: store)
        leveling = Leveling(library: library, worker: worker, audience: audience)
        leveling.track = { [self] id in library.item(id).map { track($0, entry: 0) } }
        leveling.didMeasure = { [self] id in
            if changes.level != .off, player.track?.id == id { player.setGain(gain(of: id), asked: nil) }
        }
    }

    /// - Parameters:
    ///   - names: finds the stored playlists, and calls back with their names.
    ///   - read: reads one, and calls back with its playable items.
    public func setPlaylists(
        names: @escaping (_ finish: @escaping ([String]) -> Void) -> Void,
        read: @escaping (_ name: String, _ finish: @escaping ([ItemID]) -> Void) -> Void
    ) {
        alarms.readPlaylistNames = names
        alarms.readPlaylist = read
    }

    func restore() {
        speeds.restore()
        if let store { changes = store.restoredSound() }
    }

    /// - Parameter entry: the song id of its queue entry.
    func track(_ item: Item, entry: Int) -> Track {
        var track = Track(
            id: item.id, entry: entry, source: streaming.source(of: item),
            durationMilliseconds: item.durationMilliseconds,
            seekTable: library.seekTable(item.id).flatMap { SeekTable(stored: $0) },
            speed: speeds.speed(of: item.id).percent * 10)
        track.shortensSilences = changes.shortensSilences
        track.gain = gain(of: item.id)
        return track
    }

    /// Notes that another item is current.
    func itemDidChange(to item: ItemID) {
        savedBeforeItem = player.savedMilliseconds
        speeds.itemDidChange(to: item)
        measure()
    }

    /// The time that shorter silences have saved in the current item, in milliseconds.
    public var savedOfItemMilliseconds: Int { max(0, player.savedMilliseconds - savedBeforeItem) }

    /// Changes how recordings sound, from now on, and saves it.
    /// - Parameter item: the current item.
    /// - Returns: false if nothing changed.
    func set(_ wanted: SoundChanges, of item: ItemID?, asked: MonotonicTime?) -> Bool {
        let before = changes
        if wanted == before { return false }
        changes = wanted
        store?.save(wanted)
        if wanted.shortensSilences != before.shortensSilences {
            player.setShortensSilences(wanted.shortensSilences, asked: asked)
        }
        if wanted.level != before.level {
            player.setGain(item.flatMap { gain(of: $0) }, asked: asked)
            player.followingDidChange()
            if wanted.level == .off { leveling.stop() } else { measure() }
        }
        return true
    }

    /// Returns an item's gain, in 1/65536; nil if leveling is off. An item without a measurement plays unchanged.
    private func gain(of id: ItemID) -> Int? {
        if changes.level == .off { return nil }
        let gain = library.loudness(id).gain(changes.level, isRandom: queueKeeper.queue.modes.isRandom)
        return Loudness.factor(ofGain: gain ?? 0)
    }

    /// Returns the loudness of an item at full volume, in hundredths of LUFS. An unknown one counts as the target.
    func heardLoudness(of id: Item.ID?) -> Int {
        guard let id, changes.level == .off else { return Loudness.target }
        let known = library.loudness(id)
        let tagged = (known.track ?? known.album).map { Loudness.target.subtractingSaturated($0) }
        return known.measured ?? tagged ?? Loudness.target
    }

    /// Measures the loudness of the current item and of the next.
    private func measure() { if changes.level != .off { leveling.want(queueKeeper.itemsToPlay) } }
}
