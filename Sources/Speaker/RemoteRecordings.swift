// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Playback
import Posix
import Transcript
import Workers

/// Probes the recording at an address while it plays. The item gets its tags and picture. Its transcript comes from the recording itself,
/// or else from a file beside it on its server. Episodes have all that from their feed. Control thread.
final class RemoteRecordings {
    /// The limit of recordings without a transcript in this run, to spare their servers more requests.
    private static let mostLacking = 64

    /// The port for fetching transcripts; nil if no server may be asked.
    var wordsPort: (any FeedPort)?
    private let library: Library
    private let worker: any Performer
    /// The recording that was probed last, and whether all of it had come: MPEG audio may have tags at its end.
    private var known: (item: ItemID, isWhole: Bool)?
    private var isLooking = false
    private var lacking: [ItemID] = []

    init(_ library: Library, worker: any Performer) {
        self.library = library
        self.worker = worker
    }

    /// Probes the current item once enough of it has come. Does nothing if that is done.
    /// - Parameter didLearn: called if the item has changed.
    func follow(_ item: Item, _ track: Track, _ transcripts: TranscriptFollower, didLearn: @escaping () -> Void) {
        if isLooking || item.isEpisode || track.id != item.id { return }
        guard let stream = track.source.stream, !stream.isLive, stream.isReady || stream.isWhole else { return }
        let isFirst = known?.item != item.id
        let isWhole = stream.isWhole
        if !isFirst && (known?.isWhole == true || !isWhole) { return }
        let look = RecordingLook(track.source, durationMilliseconds: item.durationMilliseconds)
        do throws(Job.Refusal) {
            _ = try worker.perform(.background, key: "recording") {
                look.step() ? .done : .again
            } finish: {
                [self] outcome in
                isLooking = false
                guard outcome == .done, !look.needsMore else { return }
                known = (item.id, isWhole)
                if let tags = look.tags, learn(tags, item) { didLearn() }
                if !isFirst { return }
                if look.transcript != nil { return transcripts.read(look, of: item.id) }
                askForWords(of: item, transcripts)
            }
            isLooking = true
        } catch {
            // The worker has too much to do. It is tried again when more has come.
        }
    }

    /// Forgets the recording if another one plays, so that its return means a new probe.
    func itemDidChange(to item: ItemID) { if known?.item != item { known = nil } }

    /// - Returns: true if the tags add something.
    private func learn(_ tags: Tags, _ item: Item) -> Bool {
        if tags.list.isEmpty && tags.cover == nil { return false }
        var probe = Probe(stream: item.path)
        if tags.list[.title] != nil {
            probe.tags = tags.list
        } else {
            probe.tags = TagList([(.title, item.title)])
            for (tag, value) in tags.list.all { probe.tags.append(tag, value) }
        }
        if tags.cover != nil { probe.artwork = "embedded" }
        probe.cover = tags.cover
        probe.durationMilliseconds = item.durationMilliseconds
        probe.loudness = tags.gains.loudness
        probe.chapters = tags.chapters.clamped(to: item.durationMilliseconds)
        if item.tags == probe.tags && item.artwork == probe.artwork { return false }
        return library.upsert(probe) != nil
    }

    /// Asks the server for NAME.srt, then for NAME.vtt. A server without either is asked once in a run.
    private func askForWords(of item: Item, _ transcripts: TranscriptFollower) {
        guard let wordsPort, !lacking.contains(item.id), let name = RemoteRecordings.nameWithoutSuffix(item.path) else {
            return
        }
        func ask(_ suffix: String, _ type: String, otherwise: @escaping () -> Void) {
            wordsPort.fetchWords(beside: name + suffix) { file in
                guard let file else { return otherwise() }
                transcripts.read(
                    FetchedTranscript(file, type: type, durationMilliseconds: item.durationMilliseconds), of: item.id)
            }
        }
        ask(".srt", "application/srt") {
            ask(".vtt", "text/vtt") { [self] in
                if lacking.count >= RemoteRecordings.mostLacking { lacking.removeFirst() }
                lacking.append(item.id)
            }
        }
    }

    /// Returns the address without its suffix; nil if the suffix is not of audio, or is followed by a query.
    private static func nameWithoutSuffix(_ address: String) -> String? {
        let suffix = address.pathExtension
        if !MediaFormats.isAudio(suffix: suffix) { return nil }
        return String(Substring(address.utf8.dropLast(suffix.utf8.count + 1)))
    }
}

/// One probe of the received part of a recording: its tags, then its transcript. Worker thread, in steps.
private final class RecordingLook: TranscriptReader {
    private(set) var tags: Tags?
    /// True if too little of the recording has come.
    private(set) var needsMore = false
    var transcript: Transcript? { lyrics?.transcript }
    var warnings: [String] { [] }
    private let source: MediaSource
    private let durationMilliseconds: Int?
    private var lyrics: EmbeddedLyrics?
    private var isOver = false

    init(_ source: MediaSource, durationMilliseconds: Int?) {
        self.source = source
        self.durationMilliseconds = durationMilliseconds
    }

    func step() -> Bool {
        if isOver { return true }
        if let lyrics {
            isOver = lyrics.step()
            return isOver
        }
        do throws(MediaError) {
            tags = try Tags(arrivedOf: source)
            let opened: any ByteSource
            do throws(SourceError) { opened = try source.open() } catch { throw .source(error) }
            lyrics = EmbeddedLyrics(try ArrivedSource(tagsOf: opened), durationMilliseconds: durationMilliseconds)
            return false
        } catch {
            if case .source(let cause) = error { needsMore = cause.isNotThereYet }
        }
        isOver = true
        return true
    }
}
