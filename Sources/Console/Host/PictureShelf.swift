// SPDX-License-Identifier: Apache-2.0
import Library
import Media
import Posix
import Wire
import Workers

enum PicturePlace {
    case folder
    /// The song's own.
    case tags
}

/// Pictures that consoles have asked for: the worker reads each whole, and the shelf keeps it while a client fetches it piece by piece.
/// Control thread.
final class PictureShelf {
    /// Of all together; one that is larger is kept alone.
    static let mostBytes = 2 << 20
    /// So long after it was last asked for a picture is let go of.
    static let keptMilliseconds = 30_000

    private struct Entry {
        let path: String
        let place: PicturePlace
        /// nil: there is none.
        let picture: Picture?
    }

    private let worker: any Performer
    private let timers: any Timers
    /// The one last asked for at the end.
    private var entries: [Entry] = []
    private var lastAsked = MonotonicTime.now
    private var isTimerSet = false

    init(_ worker: any Performer, timers: any Timers) {
        self.worker = worker
        self.timers = timers
    }

    /// The library has changed: a song may have another picture.
    func forget() { entries = [] }

    /// Returns whether it is in memory.
    func has(_ path: String, _ place: PicturePlace) -> Bool {
        entries.contains { $0.place == place && $0.path == path }
    }

    /// - Parameters:
    ///   - path: of the song.
    ///   - recording: the song, where it is no file of that path.
    ///   - source: the picture itself, where it was fetched; nil for what the song or its folder has.
    ///   - finish: called at once where the picture is at hand.
    func picture(
        of path: String, _ place: PicturePlace, in recording: MediaSource? = nil, source: MediaSource? = nil,
        finish: @escaping (Result<Picture?, ConsoleError>) -> Void
    ) {
        lastAsked = timers.now
        if let index = entries.firstIndex(where: { $0.place == place && $0.path == path }) {
            let entry = entries.remove(at: index)
            entries.append(entry)
            return finish(.success(entry.picture))
        }
        let answer = Reading(path, place, recording, source)
        let job = Job(.pressed) {
            answer.step() ? .done : .again
        } finish: { [self] outcome in
            guard outcome == .done else { return finish(.failure(PictureShelf.hangs)) }
            finish(.success(keep(answer.picture, path, place)))
        }
        do throws(Job.Refusal) { try worker.take(job) } catch { finish(.failure(PictureShelf.hangs)) }
    }

    private static let hangs = ConsoleError(.system, "The disk does not answer")

    private func keep(_ picture: Picture?, _ path: String, _ place: PicturePlace) -> Picture? {
        var picture = picture
        // The hundred files of a book have one picture, and it takes its room once.
        for entry in entries where entry.picture != nil && entry.picture?.bytes == picture?.bytes {
            picture = entry.picture
        }
        entries.append(Entry(path: path, place: place, picture: picture))
        while entries.count > 1 && (bytes > PictureShelf.mostBytes || entries.count > 256) { entries.removeFirst() }
        setTimer()
        return picture
    }

    /// What is held; equal neighbours share their bytes.
    var bytes: Int {
        var sum = 0
        var last: [UInt8] = []
        for entry in entries {
            guard let own = entry.picture?.bytes else { continue }
            if own != last { sum += own.count }
            last = own
        }
        return sum
    }

    private func setTimer() {
        if isTimerSet { return }
        isTimerSet = true
        timers.schedule(at: lastAsked.adding(milliseconds: PictureShelf.keptMilliseconds)) { [self] in
            isTimerSet = false
            if timers.now.milliseconds(since: lastAsked) >= Int64(PictureShelf.keptMilliseconds) {
                entries = []
            } else {
                setTimer()
            }
        }
    }

    /// The worker's, until it is done.
    private final class Reading: @unchecked Sendable {
        private let path: String
        private let place: PicturePlace
        private let recording: MediaSource
        private var reading: PictureReading?
        private(set) var picture: Picture?

        init(_ path: String, _ place: PicturePlace, _ recording: MediaSource?, _ source: MediaSource?) {
            self.path = path
            self.place = place
            self.recording = recording ?? .file(path: path)
            if let source { reading = PictureReading(source, isEmbedded: false) }
        }

        /// One access to the disk; true when done.
        func step() -> Bool {
            guard let reading else {
                switch place {
                case .tags: reading = PictureReading(recording, isEmbedded: true)
                case .folder:
                    guard recording.path != nil,
                        let found = FolderPicture.find(beside: path) ?? TalkingBook.cover(ofAudio: path)
                    else { return true }
                    reading = PictureReading(.file(path: found), isEmbedded: false)
                }
                return false
            }
            do throws(SourceError) {
                if try !reading.step() { return false }
                picture = reading.picture
            } catch {}
            return true
        }
    }
}
