// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// Keeps the drawing process running without a service manager: for `nightstand play --screen`. Control thread.
final class ScreenLauncher {
    struct Options {
        /// The panel; "" for the configured one, or the first one found.
        var panel: String
        var size: String
        var theme: String
        /// True to drop its messages, which would appear in the middle of the drawing in the terminal.
        var isSilent: Bool
    }

    /// A pipe to the child. The child's end closes with the child, in any case.
    private final class Life {
        let file: FileDescriptor
        init(_ file: consuming FileDescriptor) { self.file = file }
    }

    private static let longMilliseconds: Int64 = 5000

    private let words: [String]
    private let isSilent: Bool
    private let loop: EventLoop
    private var life: Life?
    private var began = MonotonicTime.now
    /// The delay of restarts: the cause of the end may come back at once.
    private var backoff = Backoff(firstMilliseconds: 100, longestMilliseconds: 400)

    init(_ options: Options, configPath: String?, socketPath: String, loop: EventLoop) {
        var words = ["nightstand"]
        if let configPath { words += ["--config", configPath] }
        words += ["screen", "--child", "--socket", socketPath]
        if !options.panel.isEmpty { words += ["--panel", options.panel] }
        if !options.size.isEmpty { words += ["--size", options.size] }
        if !options.theme.isEmpty { words += ["--theme", options.theme] }
        self.words = words
        isSilent = options.isSilent
        self.loop = loop
    }

    func start() {
        began = .now
        do throws(PosixError) {
            var ends: [Int32] = [-1, -1]
            if ns_pipe(&ends) < 0 { throw .last("pipe") }
            let life = Life(FileDescriptor(owning: ends[0]))
            let childs = FileDescriptor(owning: ends[1])
            let code = words.withCStrings { ns_launch("/proc/self/exe", $0, childs.number, isSilent) }
            if code != 0 { throw PosixError(code: code, operation: "start the process that draws") }
            try loop.add(life.file.number, .readable) { [self] _ in ended() }
            self.life = life
        } catch { Log.error("screen: " + error.message) }
    }

    private func ended() {
        if let life { loop.remove(life.file.number) }
        life = nil
        if MonotonicTime.now.milliseconds(since: began) > ScreenLauncher.longMilliseconds { backoff.succeeded() }
        loop.schedule(at: MonotonicTime.now.adding(milliseconds: backoff.failed())) { [self] in start() }
    }
}
