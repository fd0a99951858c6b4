// SPDX-License-Identifier: Apache-2.0
import Posix
import Workers

/// Decides what to do about an unreadable file: wait if its disk is away, or give up if only the file is. The worker asks the disk, since a
/// disk that hangs may not answer.
final class MissingFile {
    static let lookAgainMilliseconds = 2000
    /// The number of other files to check, to find out whether their disk is there.
    static let otherFilesAsked = 32

    /// The finding about a file.
    enum Finding: Equatable {
        /// The file is there, and still unreadable.
        case there
        /// Other files of its disk are there: only this one is missing.
        case deleted
        /// The file's disk is away, perhaps not for long.
        case diskAway
    }

    private enum State {
        case none
        /// The worker checks the file for the first time.
        case asking
        case waiting
    }

    private let worker: any Performer
    private let timers: any Timers
    private let disk: DiskLook
    private let audience: Audience
    private var state = State.none
    private var path = ""
    private var timer: EventLoop.TimerToken?
    private var job: Job?
    /// The number of queries, which exposes the answer to an old one.
    private var questionNumber = 0
    /// True if playback resumes when the file is back.
    private var wantsToPlay = false
    /// The name of the stick with the file; nil if it is on none.
    private(set) var stick: String?

    init(worker: any Performer, timers: any Timers, disk: DiskLook, audience: Audience) {
        self.audience = audience
        self.worker = worker
        self.timers = timers
        self.disk = disk
    }

    /// True if playback starts as soon as the file is there.
    var isAwaited: Bool { state != .none && wantsToPlay }

    /// Pauses: the file's return does not start playback.
    func pause() { wantsToPlay = false }

    /// Forgets the file, since another one plays, or the same again.
    func forget() {
        state = .none
        wantsToPlay = false
        stick = nil
        questionNumber += 1
        job?.cancel()
        job = nil
        if let timer { timers.cancel(timer) }
        timer = nil
    }

    /// Finds out why a file is unreadable.
    /// - Parameters:
    ///   - others: the next files in the order of playback.
    ///   - library: the folder of the sticks; nil if there is none.
    ///   - answer: called once, unless `forget` comes before; gets whether to play still.
    func investigate(
        _ path: String, others: [String], library: String?, wanted: Bool,
        answer: @escaping (Finding, _ wanted: Bool) -> Void
    ) {
        let wanted = wanted || isAwaited
        // A second failure of the same file, while its disk disappears, adds nothing about the stick.
        let known = path.utf8.elementsEqual(self.path.utf8) ? stick : nil
        forget()
        state = .asking
        wantsToPlay = wanted
        self.path = path
        stick = known
        var away: String?
        ask { [disk] in
            if disk.isThere(path) { return .there }
            let folder = path.pathFolder
            away = MissingFile.folderAway(path, library: library, disk)
            // A mount point without its disk is there and empty, beside other files or not.
            if !disk.isThere(folder) || disk.isEmpty(folder) { return .diskAway }
            return others.prefix(MissingFile.otherFilesAsked).contains(where: disk.isThere) ? .deleted : .diskAway
        } answer: { [self] finding in
            state = finding == .diskAway ? .waiting : .none
            stick = finding == .diskAway ? away ?? known : nil
            answer(finding, wantsToPlay)
        }
    }

    /// Returns the name of the file's folder in the library, if that is away, or empty as a mount point is without its disk.
    private static func folderAway(_ path: String, library: String?, _ disk: DiskLook) -> String? {
        guard let library, path.begins(with: library + "/"), disk.isThere(library), !disk.isEmpty(library) else {
            return nil
        }
        let rest = path.dropping(bytes: library.utf8.count + 1).utf8
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")), let name = String(rest[..<slash]) else { return nil }
        let folder = library + "/" + name
        return disk.isThere(folder) && !disk.isEmpty(folder) ? nil : name
    }

    /// Checks for the file now and then until it is there.
    /// - Parameter found: called once, unless `forget` comes before.
    func wait(found: @escaping (_ wanted: Bool) -> Void) {
        guard state == .waiting else { return }
        if let timer { timers.cancel(timer) }
        timer = timers.schedule(inMilliseconds: MissingFile.lookAgainMilliseconds) { [self] in
            timer = nil
            ask { [disk, path] in
                disk.isThere(path) ? .there : .diskAway
            } answer: { [self] finding in
                if finding != .there { return wait(found: found) }
                let wanted = wantsToPlay
                forget()
                found(wanted)
            }
        }
    }

    /// - Parameter look: on the worker.
    private func ask(_ look: @escaping () -> Finding, answer: @escaping (Finding) -> Void) {
        questionNumber += 1
        let number = questionNumber
        var finding = Finding.diskAway
        do throws(Job.Refusal) {
            job = try worker.perform(.soon, key: "file") {
                finding = look()
                return .done
            } finish: { [self] outcome in
                guard outcome == .done, number == questionNumber else { return }
                job = nil
                answer(finding)
            }
        } catch {
            // The worker refuses queries now: treat the disk as one that does not answer.
            timers.schedule(at: timers.now) { [self] in if number == questionNumber { answer(.diskAway) } }
        }
    }

    /// Allows a listener's chosen file one more try, if it has crashed the speaker.
    func tryAgain(_ path: String) {
        guard let passedOver = Fuse.passedOver, passedOver.forgive(path) else { return }
        do throws(Job.Refusal) {
            try worker.perform(.background, key: "passed over") {
                passedOver.save()
                return .done
            } finish: { _ in
            }
        } catch { audience.warn("\(path) was not noted to be tried again: the disk does not answer") }
    }
}
