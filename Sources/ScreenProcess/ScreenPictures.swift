// SPDX-License-Identifier: Apache-2.0
import Core
import Pixels
import Posix
import Scenes
import Wire
import Workers

/// The pictures of the speaker: requested piece by piece, decoded on a separate thread, and cached in a folder at their shown size. Showing
/// a picture again costs two short answers of the speaker and a read.
final class ScreenPictures {
    private static let mostBytes = 32 * 1024 * 1024

    private let worker: any Performer
    private let deaths: PictureDeaths
    private let cache: PictureCache?
    /// The recordings with new pictures that no frame contains yet.
    private var undrawn: [String] = []
    private let ask: (String, @escaping (SpeakerLink.Answer?) -> Void) -> Void

    /// - Parameters:
    ///   - folder: the folder of pictures; nil to keep none.
    ///   - deaths: the folder of `PictureDeaths`.
    ///   - ask: asks the speaker.
    init(
        worker: any Performer, folder: String?, deaths: String,
        ask: @escaping (String, @escaping (SpeakerLink.Answer?) -> Void) -> Void
    ) {
        self.worker = worker
        self.ask = ask
        self.deaths = PictureDeaths(folder: deaths)
        cache = folder.map { PictureCache(folder: $0) }
    }

    /// The service manager's cache folder, or the user's own; nil if there is neither.
    static var folder: String? {
        if let folder = environmentVariable("CACHE_DIRECTORY") { return folder + "/pictures" }
        let user = environmentVariable("XDG_CACHE_HOME") ?? environmentVariable("HOME").map { $0 + "/.cache" }
        return user.map { $0 + "/nightstand/pictures" }
    }

    /// Marks the pictures that the next frame draws for the first time, since that may exhaust the memory.
    func beginFrame() { for file in undrawn { deaths.begin(file) } }

    /// Removes those marks after the frame.
    func endFrame() {
        for file in undrawn { deaths.end(file) }
        undrawn = []
    }

    private func give(_ surface: Surface?, of fetch: Fetch) {
        if surface != nil && !undrawn.contains(fetch.file) { undrawn.append(fetch.file) }
        fetch.finish(surface)
    }

    /// The download of one picture.
    private final class Fetch {
        let file: String
        let side: Int
        let isWanted: () -> Bool
        let finish: (Surface?) -> Void
        /// The command for the picture within the file; later the one for the picture beside it.
        var command = "readpicture"
        var bytes: [UInt8] = []
        var size = 0
        var key: PictureCache.Key?

        init(_ file: String, _ side: Int, isWanted: @escaping () -> Bool, finish: @escaping (Surface?) -> Void) {
            self.file = file
            self.side = side
            self.isWanted = isWanted
            self.finish = finish
        }
    }

    /// - Parameters:
    ///   - side: the length of its shorter side.
    ///   - isWanted: asked repeatedly: an unwanted picture is not read.
    ///   - finish: gets the picture, or nil if none is readable. Called later, never within this call.
    func picture(
        of file: String, side: Int, isWanted: @escaping () -> Bool = { true }, finish: @escaping (Surface?) -> Void
    ) {
        begin(Fetch(file, side, isWanted: isWanted, finish: finish))
    }

    /// Loads the picture of what a row stands for.
    func cover(of row: ListRow, side: Int, finish: @escaping (Surface?) -> Void) {
        switch row.kind {
        // A podcast's picture lies in the folder of its episodes.
        case .podcast: picture(of: row.file, side: side, finish: finish)
        case .book where row.file.isEmpty:
            // The book was never begun: use its first file.
            ask("listall " + row.name.quotedArgument) { [self] answer in
                guard let file = answer?.value("file") else { return finish(nil) }
                picture(of: file, side: side, finish: finish)
            }
        default: picture(of: row.playsFile, side: side, finish: finish)
        }
    }

    private func begin(_ fetch: Fetch) {
        piece(of: fetch, from: 0) { [self] bytes, size in
            guard let bytes else {
                if fetch.command == "albumart" { return fetch.finish(nil) }
                fetch.command = "albumart"
                return begin(fetch)
            }
            fetch.bytes = bytes
            fetch.size = size
            if cache == nil { return goOn(fetch) }
            look(fetch)
        }
    }

    /// - Parameter then: gets the piece, nil at the end, and the total length.
    private func piece(of fetch: Fetch, from offset: Int, _ then: @escaping ([UInt8]?, Int) -> Void) {
        ask(fetch.command + " " + fetch.file.quotedArgument + " \(offset)") { answer in
            guard let answer, answer.refusal == nil, !answer.binary.isEmpty,
                let size = answer.value("size").flatMap({ Int($0) }), size <= ScreenPictures.mostBytes
            else { return then(nil, 0) }
            then(answer.binary, size)
        }
    }

    /// Looks the picture up in the cache, by its first and last bytes.
    private func look(_ fetch: Fetch) {
        let sample = PictureCache.Key.sampleBytes
        if fetch.bytes.count >= fetch.size { return look(fetch, last: fetch.bytes.suffix(sample)) }
        piece(of: fetch, from: max(0, fetch.size - sample)) { [self] last, _ in
            guard let last, last.count == min(sample, fetch.size) else { return goOn(fetch) }
            look(fetch, last: last[...])
        }
    }

    private func look(_ fetch: Fetch, last: ArraySlice<UInt8>) {
        if deaths.contains(fetch.file) { return fetch.finish(nil) }
        let key = PictureCache.Key(
            bytes: fetch.size, first: fetch.bytes.prefix(PictureCache.Key.sampleBytes), last: last)
        fetch.key = key
        let side = fetch.side
        let reading = Reading()
        let cache = cache
        work(
            { reading.surface = cache?.picture(key, side: side) },
            then: { [self] in if let surface = reading.surface { give(surface, of: fetch) } else { goOn(fetch) } })
    }

    /// Loads the rest of the picture and decodes it, unless it has killed this process before.
    private func goOn(_ fetch: Fetch) {
        if !fetch.isWanted() || deaths.contains(fetch.file) { return fetch.finish(nil) }
        if fetch.bytes.count >= fetch.size { return read(fetch) }
        piece(of: fetch, from: fetch.bytes.count) { [self] bytes, size in
            guard let bytes, size == fetch.size else { return fetch.finish(nil) }
            fetch.bytes += bytes
            goOn(fetch)
        }
    }

    private func read(_ fetch: Fetch) {
        let reading = Reading()
        let (deaths, cache) = (deaths, cache)
        let (file, side, key, bytes) = (fetch.file, fetch.side, fetch.key, fetch.bytes)
        fetch.bytes = []
        work(
            {
                deaths.begin(file)
                do throws(ArtworkReader.Failure) {
                    reading.surface = try ArtworkReader().decode(bytes, side: side)
                } catch { reading.problem = error }
                deaths.end(file)
                if let surface = reading.surface, let key { cache?.keep(surface, key, side: side) }
            },
            then: { [self] in
                if let problem = reading.problem {
                    Log.notice("screen: the picture of \(file): " + problem.words)
                }
                give(reading.surface, of: fetch)
            })
    }

    private final class Reading: @unchecked Sendable {
        var surface: Surface?
        var problem: ArtworkReader.Failure?
    }

    /// Runs work on the other thread, since it may take a second.
    private func work(_ body: @escaping () -> Void, then: @escaping () -> Void) {
        let step: () -> Job.Step = {
            body()
            return .done
        }
        _ = try? worker.perform(.pressed, step: step) { outcome in if case .done = outcome { then() } }
    }
}

extension ArtworkReader.Failure {
    var words: String {
        switch self {
        case .missing(let library): library.message
        case .unreadable(let message): message
        case .tooLarge: "it is too large"
        case .damaged: "it is no JPEG or PNG that can be read"
        }
    }
}
