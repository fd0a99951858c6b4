import Core
import Library
import Media
import Playback
import Posix

/// What the player tells.
extension Speaker: PlayerDelegate {
    public func trackAfter(_ track: Track) -> (track: Track, milliseconds: Int)? {
        guard let index = queue.index(following: track.id), let item = library.item(queue.entries[index].itemID) else {
            return nil
        }
        return (self.track(item), item.resumeMilliseconds)
    }

    public func playerDidPass(from ended: Track, to track: Track) {
        listening.didSucceed()
        if let duration = ended.durationMilliseconds { library.savePosition(ended.id, milliseconds: duration) }
        guard let item = library.item(track.id) else { return }
        if let index = queue.index(following: ended.id), queue.entries[index].itemID == track.id { makeCurrent(index) }
        visit(item)
        countPlay(from: item.resumeMilliseconds)
        savePlace()
        saveState()
        audience.didChange(.player)
    }

    public func playerDidEnd(_ track: Track) {
        savePlace()
        saveState()
        audience.didChange(.player)
        audience.didEnd()
    }

    public func playerDidFail(_ track: Track, _ error: PlaybackError, wanted: Bool) {
        audience.warn(error.message)
        listening.didFail(error.message)
        savePlace()
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
            if let index = queue.currentIndex, index + 1 < queue.count, listening.failuresInARow <= queue.count {
                go(to: index + 1, play: true)
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
        audience.didChange(.player)
    }
}
