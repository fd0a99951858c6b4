// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Playback
import Transcript

/// The circumstances of playback or silence.
struct Circumstances {
    var hasItem = false
    /// True if something plays or is paused.
    var hasTrack = false
    /// True if the player plays, or would if it could.
    var playerWantsToPlay = false
    /// True if there is no card, but one is needed.
    var lacksDevice = false
    /// True if another program has the card.
    var isDeviceBusy = false
    /// True if the file to play is away.
    var isFileAwaited = false
    /// True if the recording comes from a network that is slow or away.
    var isStreamAwaited = false
    /// The reason of the stream's wait.
    var streamTrouble = Trouble.streamAwaited
    /// True if the card plays.
    var isAdvancing = false
    /// True if the current item has failed, without another attempt.
    var hasFailed = false
    var isQueueEmpty = true
    var isLibraryEmpty = true
    var isScanning = false
    var hasScanned = false
    /// True if there is an alarm, but the clock is unknown.
    var isClockAwaited = false
    /// True if the configuration has a mistake.
    var areSettingsMistaken = false
    /// True for the library's folder; false for named files.
    var isLibrary = true

    var state: SpeakerStatus.State { playerWantsToPlay || isFileAwaited ? .playing : hasTrack ? .paused : .stopped }

    var wait: SpeakerStatus.Wait? {
        if playerWantsToPlay && lacksDevice { return .device }
        if isStreamAwaited && !isAdvancing { return .network }
        return isFileAwaited || isQueueEmpty && isLibraryEmpty && !isScanning && !hasItem ? .library : nil
    }

    /// The most urgent trouble for the listener; nil for none.
    var trouble: Trouble? {
        if playerWantsToPlay && lacksDevice { return isDeviceBusy ? .soundDeviceBusy : .noSoundDevice }
        if isFileAwaited { return .fileMissing }
        if isStreamAwaited { return streamTrouble }
        if hasFailed { return .cannotPlay }
        if areSettingsMistaken && !playerWantsToPlay { return .settingsMistaken }
        if isQueueEmpty && !hasItem {
            if !isLibraryEmpty { return .queueEmpty }
            if !isScanning && hasScanned { return .noAudioFound }
            // Named files are found before this could be read.
            if isLibrary { return .lookingForAudio }
        }
        // A listener need not know it during playback.
        return isClockAwaited && !playerWantsToPlay ? .clockNotSet : nil
    }

    /// True while a listener without a recording waits for the scan. Only consoles show later scans.
    var tellsFilesSeen: Bool {
        isScanning && isLibrary && (isQueueEmpty && isLibraryEmpty && !hasItem || !hasScanned) && !playerWantsToPlay
            && !isFileAwaited
    }
}

extension SpeakerStatus {
    mutating func take(_ circumstances: Circumstances) {
        state = circumstances.state
        wait = circumstances.wait
        trouble = circumstances.trouble
        if !circumstances.tellsFilesSeen { filesSeen = nil }
    }
}

extension Speaker {
    /// The present state.
    public var status: SpeakerStatus {
        var status = SpeakerStatus()
        status.filesSeen = queueKeeper.filesSeen
        status.take(circumstances)
        status.error = troubleMessage
        if status.trouble == .fileMissing { status.missingStick = missing.stick }
        if status.trouble == .soundDeviceBusy { status.guest = player.cardHolder }
        status.menu = menu.status
        status.language = audience.languages?.current ?? ""
        status.takesStreams = streaming.port != nil
        status.isTranscriptBeingRead = transcripts.isReading
        status.repeatedStretch = loop.bounds
        status.volumePercent = sound.volume.percent
        status.speed = currentSpeed
        status.speakerSpeed = sound.speeds.speaker
        status.bookSpeed = sound.speeds.book
        status.sound = sound.changes
        status.savedOfItemMilliseconds = sound.savedOfItemMilliseconds
        status.savedMilliseconds = player.savedMilliseconds
        status.alarm = alarms.status
        status.sleep = sleep.setting
        status.sleepMilliseconds = sleep.remainingMilliseconds
        tellItem(&status)
        tellQueue(&status)
        return status
    }

    /// The most urgent trouble for the listener; nil for none.
    var trouble: Trouble? { circumstances.trouble }

    private var circumstances: Circumstances {
        Circumstances(
            hasItem: currentItem != nil, hasTrack: player.track != nil, playerWantsToPlay: player.wantsToPlay,
            lacksDevice: listening.troubles.ofDevice != nil && !player.hasDevice && !player.isSilent,
            isDeviceBusy: player.isDeviceBusy, isFileAwaited: missing.isAwaited,
            isStreamAwaited: currentItem.map { streaming.isAwaited($0) } ?? false,
            streamTrouble: currentItem.map { streaming.reason($0) } ?? .streamAwaited, isAdvancing: player.isAdvancing,
            hasFailed: itemTrouble != nil && !wantsToPlay, isQueueEmpty: queue.isEmpty,
            // Queried only if it matters: usually there is a queue.
            isLibraryEmpty: queue.isEmpty && (!isLibrary || library.isEmpty),
            isScanning: queueKeeper.scans?.isScanning ?? false, hasScanned: queueKeeper.scans?.hasScanned ?? true,
            isClockAwaited: alarms.isClockAwaited, areSettingsMistaken: listening.troubles.ofSettings != nil,
            isLibrary: isLibrary)
    }

    private func tellItem(_ status: inout SpeakerStatus) {
        guard let item = currentItem else { return }
        status.take(item)
        status.bounds = currentBounds
        if let track = player.track, track.source != .tone {
            status.durationMilliseconds = track.durationMilliseconds ?? item.durationMilliseconds
            status.positionMilliseconds = player.positionMilliseconds
        }
        if listening.namesChapters, let index = listening.chapter(at: status.positionMilliseconds) {
            status.chapter = listening.chapters[index].title
            status.chapterNumber = index + 1
            status.chapterCount = listening.chapters.count
        }
        if player.track == nil { return }
        status.bufferedMilliseconds = streaming.bufferedMilliseconds(item)
        status.rendition = streaming.rendition(item)
        if let transcript = transcripts.transcript, transcript.hasWords {
            status.segment = transcript.index(at: status.positionMilliseconds).map { transcript[$0] }
        }
    }

    private func tellQueue(_ status: inout SpeakerStatus) {
        status.modes = queue.modes
        status.queueVersion = queue.version
        status.queueLength = queue.count
        guard let index = queue.currentIndex else { return }
        func place(_ index: Int) -> SpeakerStatus.QueuePlace {
            SpeakerStatus.QueuePlace(position: index, id: queue.entries[index].songID)
        }
        status.current = place(index)
        status.next = queue.index(after: index, isAsked: false).map(place)
    }
}
