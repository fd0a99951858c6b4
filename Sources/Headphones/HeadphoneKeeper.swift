// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Model
import Posix
import Wire

/// Drives `bluetoothctl` for the speaker: finds, pairs and connects headphones, and reports them to the console. Either end may be away.
/// Its loop's thread.
public final class HeadphoneKeeper {
    /// A pipe that allows an early release of its descriptor.
    private final class Pipe {
        let file: FileDescriptor
        init(_ file: consuming FileDescriptor) { self.file = file }
    }

    /// The longest scan, and the longest pairing.
    private static let patienceMilliseconds = 60_000
    /// The time for collecting the facts of a device, which come in several lines.
    private static let gatherMilliseconds = 100

    private let loop: EventLoop
    private var speaker: SpeakerLink?
    private var input: Pipe?
    private var output: Pipe?
    private var dialogue = BluetoothDialogue()
    private var backoff = Backoff(firstMilliseconds: 1000, longestMilliseconds: 30_000)
    private var patience: EventLoop.TimerToken?
    private var gathering: EventLoop.TimerToken?
    /// The last list that the speaker has; nil for none.
    private var told: HeadphoneList?

    public init(loop: EventLoop) { self.loop = loop }

    public func start(socketPath: String) {
        // The kernel then reaps an ended program by itself; its end shows as the end of the pipe.
        signal(SIGCHLD, ns_ignore_signal())
        signal(SIGPIPE, ns_ignore_signal())
        let users = SpeakerLink.Users(
            connected: { [self] in
                Log.notice("headphones: joined the speaker")
                told = nil
                speaker?.ask("subscribe headphones") { _ in }
                tell()
            },
            lost: { Log.warning("headphones: " + $0) },
            changed: { [self] _ in readRequests() })
        speaker = SpeakerLink(socketPath: socketPath, interests: "message", loop: loop, users: users)
        speaker?.start()
        startProgram()
    }

    // MARK: bluetoothctl

    private func startProgram() {
        dialogue = BluetoothDialogue()
        do throws(PosixError) {
            var (toProgram, fromProgram): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
            if ns_pipe(&toProgram) < 0 { throw .last("pipe") }
            let itsInput = FileDescriptor(owning: toProgram[0])
            let input = Pipe(FileDescriptor(owning: toProgram[1]))
            if ns_pipe(&fromProgram) < 0 { throw .last("pipe") }
            let output = Pipe(FileDescriptor(owning: fromProgram[0]))
            let itsOutput = FileDescriptor(owning: fromProgram[1])
            // Headphones have neither keys nor a display for a number.
            let started = ["bluetoothctl", "--agent", "NoInputNoOutput"].withCStrings {
                ns_start_between($0, itsInput.number, itsOutput.number)
            }
            if started < 0 { throw PosixError(code: -started, operation: "start bluetoothctl") }
            try input.file.setNonBlocking()
            try output.file.setNonBlocking()
            try loop.add(output.file.number, .readable) { [self] _ in read() }
            (self.input, self.output) = (input, output)
        } catch {
            Log.warning("headphones: " + error.message)
            return endProgram()
        }
        write()
    }

    private func read() {
        guard let output else { return }
        do throws(PosixError) {
            let bytes = try output.file.read(65_536)
            if bytes.isEmpty {
                Log.warning("headphones: bluetoothctl has ended")
                return endProgram()
            }
            backoff.succeeded()
            dialogue.take(bytes)
        } catch {
            if error.code == EAGAIN || error.code == EINTR { return }
            Log.warning("headphones: " + error.message)
            return endProgram()
        }
        write()
        tellSoon()
    }

    /// Closes the program, and starts it again some time later.
    private func endProgram() {
        if let output { loop.remove(output.file.number) }
        (input, output) = (nil, nil)
        dialogue = BluetoothDialogue()
        tellSoon()
        loop.schedule(at: MonotonicTime.now.adding(milliseconds: backoff.failed())) { [self] in startProgram() }
    }

    private func write() {
        guard let input else { return }
        for command in dialogue.takeCommands() {
            // The pipe holds more commands than a working program ever leaves unread.
            do throws(PosixError) { try input.file.writeAll(Array((command + "\n").utf8)) } catch {
                Log.warning("headphones: " + error.message)
                return endProgram()
            }
        }
    }

    // MARK: The speaker

    private func readRequests() {
        speaker?.ask("readmessages") { [self] answer in
            for field in answer?.fields ?? [] where field.name == "message" {
                guard let request = HeadphoneRequest(words: field.value) else { continue }
                dialogue.take(request)
                if case .disconnect = request { continue }
                wait()
            }
            write()
            tellSoon()
        }
    }

    private func wait() {
        if let patience { loop.cancel(patience) }
        patience = loop.schedule(at: MonotonicTime.now.adding(milliseconds: HeadphoneKeeper.patienceMilliseconds)) {
            [self] in
            patience = nil
            dialogue.giveUp()
            write()
            tellSoon()
        }
    }

    private func tellSoon() {
        if gathering != nil { return }
        gathering = loop.schedule(at: MonotonicTime.now.adding(milliseconds: HeadphoneKeeper.gatherMilliseconds)) {
            [self] in
            gathering = nil
            tell()
        }
    }

    private func tell() {
        let list = dialogue.list
        guard let speaker, speaker.isConnected, told != list else { return }
        told = list
        var line = "headphones are " + (list.isScanning ? "scanning" : "ready")
        for one in list.all { line += " " + one.words.quotedArgument }
        speaker.ask(line) { answer in
            if let refusal = answer?.refusal { Log.warning("headphones: the speaker refused the list: " + refusal) }
        }
    }
}
