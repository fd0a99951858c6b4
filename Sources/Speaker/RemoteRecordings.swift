// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Playback
import Posix
import Transcript
import Workers

/// Looks into the recording at an address while it plays: its tags and picture are the item's from then on, and its words are those within
/// it, else those of a file beside it on its server. Episodes have all that from their feed. Control thread.
final class RemoteRecordings {
    /// Recordings without words, whose servers are not asked again in this run.
    private static let mostLacking = 64

    /// Nil if no server may be asked for words.
    var wordsPort: (any FeedPort)?
    private let library: Library
    private let worker: any Performer
    /// The recording that was looked into last, and whether all of it had come: MPEG audio may have tags at its end.
    private var known: (item: ItemID, isWhole: Bool)?
    private var isLooking = false
    private var lacking: [ItemID] = []

    init(_ library: Library, worker: any Performer) {
        self.library = library
        self.worker = worker
    }

    /// Looks into what plays once enough of it has come. Does nothing where that was done.
    /// - Parameter didLearn: called where the item has become another.
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
            // The disk has too much to do. It is tried again when more has come.
        }
    }

    /// Forgets the recording if another one plays, so that its return is a new look.
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

    /// Asks the server for NAME.srt, then for NAME.vtt. A server that has neither is asked once in a run.
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

    /// The address up to the suffix of its name; nil where that is none of audio, and where a question follows it.
    private static func nameWithoutSuffix(_ address: String) -> String? {
        let suffix = address.pathExtension
        if !MediaFormats.isAudio(suffix: suffix) { return nil }
        return String(Substring(address.utf8.dropLast(suffix.utf8.count + 1)))
    }
}

/// One look into what has come of a recording: its tags, then the words in them. Worker thread, in steps.
private final class RecordingLook: TranscriptReader {
    private(set) var tags: Tags?
    /// Too little of it has come.
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
