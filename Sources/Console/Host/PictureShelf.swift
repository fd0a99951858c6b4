// SPDX-License-Identifier: Apache-2.0
import Library
import Media
import Posix
import Wire
import Workers

enum PicturePlace {
    case folder
    /// The picture in the song itself.
    case tags
}

/// A cache of pictures for consoles: the worker reads each whole, and the cache keeps it while a client fetches it piece by piece. Control
/// thread.
final class PictureShelf {
    /// The limit of all pictures together; a larger one is kept alone.
    static let mostBytes = 2 << 20
    /// The time after the last request at which a picture is dropped.
    static let keptMilliseconds = 30_000

    private struct Entry {
        let path: String
        let place: PicturePlace
        /// The picture; nil if there is none.
        let picture: Picture?
    }

    private let worker: any Performer
    private let timers: any Timers
    /// The entries; the one requested last is at the end.
    private var entries: [Entry] = []
    private var lastAsked = MonotonicTime.now
    private var isTimerSet = false

    init(_ worker: any Performer, timers: any Timers) {
        self.worker = worker
        self.timers = timers
    }

    /// Empties the cache after a change of the library: a song may have another picture.
    func forget() { entries = [] }

    /// Returns whether a picture is in memory.
    func has(_ path: String, _ place: PicturePlace) -> Bool {
        entries.contains { $0.place == place && $0.path == path }
    }

    /// - Parameters:
    ///   - path: the path of the song.
    ///   - recording: the song, if it is no file at that path.
    ///   - source: the picture itself, if it was fetched; nil for the song's or its folder's picture.
    ///   - finish: called at once if the picture is in memory.
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
        // The hundred files of a book have one picture, and share its memory.
        for entry in entries where entry.picture != nil && entry.picture?.bytes == picture?.bytes {
            picture = entry.picture
        }
        entries.append(Entry(path: path, place: place, picture: picture))
        while entries.count > 1 && (bytes > PictureShelf.mostBytes || entries.count > 256) { entries.removeFirst() }
        setTimer()
        return picture
    }

    /// The memory of all pictures; equal neighbors share their bytes.
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

    /// A reader of a picture. The worker owns it, until it is done.
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

        /// Makes one access to the disk; returns true when done.
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
