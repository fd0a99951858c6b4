// SPDX-License-Identifier: Apache-2.0
import Core
import Display
import Model
import Scanning
import Testing

@testable import Speaker
@testable import SpeakerBench

@Suite("What is so") struct StatusTests {
    /// The first look through a library in which nothing was found so far.
    private let waiting = Circumstances(isScanning: true)

    private func present(_ speaker: Circumstances, filesSeen: Int? = 1204, buffered: Int? = nil) -> SpeakerStatus {
        var status = SpeakerStatus()
        status.filesSeen = filesSeen
        status.bufferedMilliseconds = buffered
        status.take(speaker)
        return status
    }

    /// While a stream is waited for, how full its buffer is: in sixteen characters, with the dots spelled out.
    @Test func howFullTheBufferIs() {
        var speaker = Circumstances(playerWantsToPlay: true, isStreamAwaited: true, isQueueEmpty: false)
        #expect(present(speaker).standingWords == "Waiting for the stream")
        for (milliseconds, words) in [(0, "0.0 s"), (449, "0.4 s"), (9999, "9.9 s"), (10_000, "10 s")] {
            #expect(present(speaker, buffered: milliseconds).standingWords == "Waiting\u{2026} " + words)
        }
        speaker.isStreamAwaited = false
        #expect(present(speaker, buffered: 10_000).standingWords == nil)
    }

    @Test func whoWaitsForTheFirstItemSeesHowFarTheLookHasCome() {
        #expect(present(waiting).standingWords == "Looking for audio 1,204")
        #expect(present(waiting).trouble == .lookingForAudio)
        #expect(present(waiting, filesSeen: nil).standingWords == "Looking for audio")
        // A disk that comes back is waited for, too.
        var later = waiting
        later.hasScanned = true
        #expect(present(later).filesSeen == 1204)
        var over = later
        over.isScanning = false
        #expect(present(over).standingWords == "No audio found")
    }

    @Test func theFirstLookIsShownBesideWhatWasFoundUntilItPlays() {
        var speaker = waiting
        speaker.isQueueEmpty = false
        speaker.hasTrack = true
        #expect(present(speaker).standingWords == "Looking for audio 1,204")
        #expect(present(speaker).trouble == nil)
        speaker.playerWantsToPlay = true
        #expect(present(speaker).standingWords == nil)
        // Looks later on are nothing that a person at the speaker waits for.
        speaker.playerWantsToPlay = false
        speaker.hasScanned = true
        #expect(present(speaker).standingWords == nil)
    }

    @Test func whatIsWrongComesBeforeHowFarTheLookIs() {
        var speaker = waiting
        speaker.isFileAwaited = true
        #expect(present(speaker).standingWords == "File is missing")
        speaker.isFileAwaited = false
        speaker.isLibrary = false
        #expect(present(speaker).standingWords == nil)
    }

    @Test func progressIsToldForAsLongAsNothingPlays() {
        let bench = Bench()
        bench.scans.isScanning = true
        bench.scans.hasScanned = false
        bench.scans.progress = ScanProgress(filesSeen: 7)
        bench.speaker.scanDidBegin()
        #expect(bench.changed() == .scan)
        // A look that is over before it tells anything leaves no trace on the glass.
        #expect(bench.showing.filesSeen == nil)
        bench.scans.progress = ScanProgress(filesSeen: 64)
        bench.speaker.scanDidProgress()
        #expect(bench.changed() == .scanProgress)
        #expect(bench.showing.standingWords == "Looking for audio 64")
        bench.add("a")
        bench.press(.play)
        _ = bench.changed()
        bench.speaker.scanDidProgress()
        #expect(bench.changed() == [])
        #expect(bench.showing.standingWords == nil)
        bench.press(.pause)
        #expect(bench.showing.standingWords == "Looking for audio 64")
        bench.scans.isScanning = false
        bench.speaker.scanDidEnd(foundAny: true)
        #expect(bench.showing.standingWords == nil)
    }

    @Test func anEmptyLibrary() {
        let bench = Bench()
        bench.scans.isScanning = true
        bench.scans.hasScanned = false
        #expect(bench.showing.state == .stopped && bench.showing.trouble == .lookingForAudio)
        bench.scans.isScanning = false
        bench.scans.hasScanned = true
        #expect(bench.showing.wait == .library && bench.showing.trouble == .noAudioFound)
    }

    /// Each state that there is, one by one: a trouble has a cause, time passes only where something sounds, and nothing is said of an empty
    /// library that is full.
    @Test func everyStateOfTheSpeaker() {
        var seen: Set<String> = []
        for bits in 0..<(1 << 16) {
            func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
            var state = Circumstances(
                hasItem: bit(0), hasTrack: bit(1), playerWantsToPlay: bit(2), lacksDevice: bit(3),
                isDeviceBusy: bit(15),
                isFileAwaited: bit(4), isStreamAwaited: bit(5), streamTrouble: bit(6) ? .noServer : .streamAwaited,
                isAdvancing: bit(7), hasFailed: bit(8), isQueueEmpty: bit(9), isLibraryEmpty: bit(10),
                isScanning: bit(11), hasScanned: bit(12), isClockAwaited: bit(13),
                areSettingsMistaken: bit(14))
            // What cannot be.
            if state.hasFailed && (state.playerWantsToPlay || state.isFileAwaited || !state.hasItem) { continue }
            if state.isStreamAwaited && !state.playerWantsToPlay || state.isAdvancing && !state.playerWantsToPlay {
                continue
            }
            state.isLibrary = true
            let shown = present(state)
            seen.insert(state.trouble?.text ?? "")
            switch state.trouble {
            case .noSoundDevice?, .soundDeviceBusy?:
                #expect(state.lacksDevice && state.playerWantsToPlay)
                #expect(state.isDeviceBusy == (state.trouble == .soundDeviceBusy))
            case .fileMissing?: #expect(state.isFileAwaited)
            case .streamAwaited?, .noServer?: #expect(state.isStreamAwaited)
            case .cannotPlay?: #expect(state.hasFailed && shown.state != .playing)
            case .queueEmpty?: #expect(state.isQueueEmpty && !state.isLibraryEmpty)
            case .noAudioFound?: #expect(state.isLibraryEmpty && state.isQueueEmpty && !state.isScanning)
            case .lookingForAudio?: #expect(state.isLibraryEmpty && state.isQueueEmpty)
            case .settingsMistaken?: #expect(state.areSettingsMistaken && !state.playerWantsToPlay)
            case .clockNotSet?: #expect(state.isClockAwaited && !state.playerWantsToPlay)
            case nil: #expect(!state.hasFailed && !state.isFileAwaited && !state.isStreamAwaited)
            case .noNetwork?, .serverSilent?, .serverRefuses?: Issue.record("nobody said so")
            }
            if shown.isRunning {
                #expect(!(state.isStreamAwaited && !state.isAdvancing) && !state.isFileAwaited)
                #expect(!(state.lacksDevice && state.playerWantsToPlay))
            }
        }
        #expect(seen.count == 12)
    }

    /// In sixteen characters, with the seconds that are there.
    @Test func whyAStreamWaits() {
        var speaker = Circumstances(playerWantsToPlay: true, isStreamAwaited: true, isQueueEmpty: false)
        for (trouble, words) in [
            (Trouble.noNetwork, "No network"), (.noServer, "Unknown server"), (.serverSilent, "Server is silent"),
            (.serverRefuses, "Server refuses"),
        ] {
            speaker.streamTrouble = trouble
            #expect(present(speaker).standingWords == words && words.count <= 16)
            #expect(present(speaker, buffered: 3200).standingWords == words + " 3.2 s")
            #expect(present(speaker).wait == .network && !present(speaker).isRunning)
        }
        // The present bytes are heard first.
        speaker.isAdvancing = true
        #expect(present(speaker).wait == nil && present(speaker).isRunning)
    }

    /// Each remote control sends `clear`.
    @Test func anEmptyQueueOverAFullLibrary() {
        let bench = Bench()
        bench.add("a", "b")
        bench.speaker.remove(0..<2)
        #expect(bench.showing.trouble == .queueEmpty && bench.showing.wait == nil)
        bench.press(.play)
        #expect(bench.title == "a" && bench.showing.trouble == nil)
    }

    @Test func theTranscriptAtTheEar() {
        let bench = Bench()
        bench.add("a")
        bench.worker.runAll()
        bench.press(.play, .seek(milliseconds: 2500))
        #expect(bench.showing.segment?.text == "Two.")
        bench.press(.seek(milliseconds: 1500))
        #expect(bench.showing.segment == nil)
        bench.press(.stop)
        #expect(bench.showing.segment == nil)
    }

    @Test func everyWordFitsASmallGlass() {
        let fixed: [Notice] = [
            .addedToFavourites, .removedFromFavourites, .alreadyFavourite, .bookmarkAdded, .bookmarkRemoved,
            .bookmarkThere, .notSaved, .firstItem, .lastItem, .loudest, .quietest, .fastest, .slowest, .isLive,
            .cannotPlay, .fileMissing, .nothingToPlay, .lookingForAudio, .queueFull, .goodbye, .noTranscript,
            .firstSentence, .lastSentence, .loopBegins, .loopOn, .loopOff, .loopInOneFile, .nothingChosen, .alarmSet,
            .alarmOff, .alarmRemoved, .snoozing, .heardElsewhere,
        ]
        for notice in fixed { #expect(notice.words.utf8.count <= 32, "\(notice)") }
        for trouble in Trouble.allCases { #expect(trouble.words.utf8.count <= 32, "\(trouble)") }
    }
}
