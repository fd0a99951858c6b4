import Core
import Library
import Media
import Playback
import Posix

/// What the player tells.
extension Speaker: PlayerDelegate {
    public func trackAfter(_ track: Track) -> (track: Track, milliseconds: Int)? {
        guard let index = self.index(of: track), !fallsAsleep(after: track) else { return nil }
        if let start = loopStart(in: track) { return (track, start) }
        queue.prepare(after: index)
        guard let next = queue.index(followingByItself: index), let item = library.item(queue.entries[next].itemID)
        else { return nil }
        // The same once more is heard from its start, wherever it is saved to be now.
        let milliseconds = item.id == track.id ? 0 : startMilliseconds(of: item)
        return (self.track(item, entry: queue.entries[next].songID), milliseconds)
    }

    /// Where a track stands in the queue: its entry, or, where that is gone, another of the same item.
    private func index(of track: Track) -> Int? {
        queue.index(ofSongID: track.entry) ?? queue.index(ofItem: track.id)
    }

    public func playerDidPass(from ended: Track, to track: Track) {
        listening.didSucceed()
        let isAsleep = sleep.endsWithItem && ended.entry == queue.current?.songID
        // A stretch up to the end of the item, once more.
        if loop.isOn && ended.entry == track.entry && ended.id == track.id { return audience.didChange(.player) }
        loop.end()
        if let duration = ended.durationMilliseconds { library.savePosition(ended.id, milliseconds: duration) }
        guard let item = library.item(track.id) else { return }
        if let index = queue.index(ofSongID: track.entry) { makeCurrent(index) }
        visit(item)
        aimSleep()
        countPlay(from: ended.id == track.id ? 0 : startMilliseconds(of: item))
        savePlace()
        saveState()
        audience.didChange(.player)
        consume(ended.entry)
        // Set while the two passed into each other already.
        if isAsleep || queue.modes.single != .off && !queue.modes.repeats, let index = queue.currentIndex {
            if isAsleep { didFallAsleep() }
            // Where it was the same once more, that was not meant any longer either.
            let next = ended.entry == track.entry ? queue.index(after: index, isAsked: true) : index
            pauseAtBorder(before: next ?? index)
        }
    }

    /// What was played leaves the queue, where it is to be so.
    func consume(_ song: Int) {
        guard queue.modes.consumes, let index = queue.index(ofSongID: song), index != queue.currentIndex else { return }
        remove(index..<index + 1)
    }

    /// One item was to be played and no more: paused at the start of the next.
    private func pauseAtBorder(before index: Int) {
        go(to: index, play: false)
        if queue.modes.single == .oneShot { set { $0.single = .off } }
    }

    /// Goes through the queue in another way from now on.
    public func set(_ change: (inout PlayModes) -> Void) {
        var modes = queue.modes
        change(&modes)
        let before = followingEntry
        guard queue.set(modes, isPlaying: player.track != nil) else { return }
        if isLibrary { library.save(modes) }
        places.didWrite()
        if followingEntry != before { player.followingDidChange() }
        audience.didChange(.modes)
    }

    public func playerDidEnd(_ track: Track) {
        savePlace()
        saveState()
        let isAsleep = fallsAsleep(after: track)
        if isAsleep { didFallAsleep() }
        if queue.modes.single != .off || isAsleep, let index = self.index(of: track) {
            queue.prepare(after: index)
            if let next = queue.index(after: index, isAsked: true) {
                pauseAtBorder(before: next)
                return consume(track.entry)
            }
        }
        if queue.modes.consumes, let index = queue.index(ofSongID: track.entry) {
            remove(index..<index + 1)
        }
        audience.didChange(.player)
        audience.didEnd()
    }

    public func playerDidFail(_ track: Track, _ error: PlaybackError, wanted: Bool) {
        if streamDidFail(track, error, wanted: wanted) { return }
        let message = streamFailure(track) ?? error.message
        if listening.isToTell(error) { audience.warn(message) }
        listening.didFail(message)
        savePlace()
        if track.source.stream != nil || library.item(track.id)?.isStream == true {
            return giveUp(track, wanted: wanted)
        }
        guard case .file = error else { return giveUp(track, wanted: wanted) }
        missing.investigate(track.source.name, others: otherFiles(), wanted: wanted) { [self] finding, wanted in
            switch finding {
            case .there: giveUp(track, wanted: wanted)
            case .deleted:
                library.markMissing(track.id)
                giveUp(track, wanted: wanted)
            case .diskAway:
                audience.announce(.fileMissing)
                missing.wait { [self] wanted in
                    guard let item = currentItem, item.id == track.id else { return }
                    load(item, milliseconds: player.positionMilliseconds, play: wanted)
                    scans?.scanAgain()
                }
                audience.didChange(.player)
            }
        }
    }

    /// On to the next, if it was to play.
    private func giveUp(_ track: Track, wanted: Bool) {
        audience.announce(.cannotPlay)
        listening.didGiveUp()
        if wanted {
            if let next = queue.currentIndex.flatMap({ queue.index(after: $0, isAsked: true) }),
                listening.failuresInARow <= queue.count
            {
                go(to: next, play: true)
            } else {
                audience.didEnd()
            }
        }
        audience.didChange(.player)
    }

    /// Files of the queue around the current one: if none of them is there either, their disk is away.
    private func otherFiles() -> [String] {
        let current = queue.currentIndex ?? 0
        let half = MissingFile.otherFilesAsked / 2
        let from = max(0, min(current - half, queue.count - MissingFile.otherFilesAsked))
        let to = min(queue.count, from + MissingFile.otherFilesAsked + 1)
        return (from..<to).filter { $0 != current }.compactMap { library.item(queue.entries[$0].itemID)?.path }
    }

    public func playerDidMeasure(_ track: Track, _ table: SeekTable) {
        // Short files are walked again in no time; long ones are remembered.
        if table.durationMilliseconds >= 10 * 60 * 1000 {
            library.saveSeekTable(track.id, table.bytes, durationMilliseconds: table.durationMilliseconds)
        } else if library.item(track.id)?.durationMilliseconds != table.durationMilliseconds {
            library.saveDuration(track.id, milliseconds: table.durationMilliseconds)
        }
        guard currentItem?.id == track.id else { return }
        refreshItem()
        audience.didChange(.player)
    }

    public func playerDidFailToMeasure(_ track: Track) {}

    public func playerDidLoseDevice(_ message: String) {
        listening.deviceTrouble = message
        audience.warn(message)
        volume.deviceDidGo()
        savePlace()
        audience.didChange([.player, .output])
    }

    public func playerDidFindDevice() {
        listening.deviceTrouble = nil
        audience.warn("the sound device is back")
        volume.deviceDidOpen()
        audience.didChange([.player, .output])
    }

    public func playerDidChange() {
        if player.isAdvancing { listening.didSucceed() }
        if player.hasDevice { volume.deviceDidOpen() }
        listening.playingDidChange(to: player.wantsToPlay, at: timers.now)
        places.playingDidChange(to: player.wantsToPlay)
        loop.watch()
        sleep.watch()
        audience.didChange(.player)
    }
}
