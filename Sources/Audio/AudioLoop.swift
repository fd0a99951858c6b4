import ALSA
import CPosix
import Mpg123
import Posix
import Realtime
import Synchronization

/// The audio thread: takes compressed bytes from decks, hands frames to the card, answers control. Everything here is annotated,
/// so the compiler proves that nothing of it locks or allocates; it touches no file and waits in one `poll` only.
///
/// Frames are counted from the attachment of an output. `[cursor]` is the next frame for the card, `[head]` the next to be
/// decoded; what lies before the cursor and is not heard yet can be taken back and written again, which is how a button is
/// answered within milliseconds although seconds are queued.
struct AudioLoop: ~Copyable {
    private enum Phase: BitwiseCopyable {
        /// Nothing at the card.
        case idle
        case running
        /// What is queued is the last, silence behind it; the card is stopped once that is reached. Unless `tellsEnd`, it is a fall
        /// to silence.
        case stopping
    }

    /// From `frame` on, the frames are those of the deck `token`, beginning with its `sample`.
    private struct Marker: BitwiseCopyable {
        var frame: Int64
        var token: Int
        var sample: Int64
    }

    private static var markerLimit: Int { @_noLocks @_noAllocation get { 32 } }

    private let shared: UnsafeMutablePointer<AudioShared>
    private let markers: UnsafeMutablePointer<Marker>
    private var markerCount = 0

    private var output: UnsafeMutablePointer<Output>?
    private var current: UnsafeMutablePointer<Deck>?
    private var lined: UnsafeMutablePointer<Deck>?

    private var phase = Phase.idle
    private var wantsToPlay = false
    private var isQuitting = false
    /// The card is moving, or will be once enough is queued.
    private var isCardPrepared = false
    private var isCardStarted = false
    /// The current deck gave its last frame and nothing was lined up.
    private var hasEnded = false
    private var isStarving = false
    private var endedToken = 0
    private var end = DeckEnd.complete
    private var tellsEnd = false
    private var stopTime: Int64 = 0
    /// The output was asked back and goes once the card is silent.
    private var isDetaching = false

    /// Hz of the streams that the markers speak of.
    private var streamRate = 0
    private var head: Int64 = 0
    private var cursor: Int64 = 0
    /// No frame before this can still be waiting at the card.
    private var floorFrame: Int64 = 0
    /// Silence written behind `padFrame`, and the audio behind it if playing went on before the silence could be taken back.
    private var padFrames = 0
    private var padFrame: Int64 = 0
    /// Frames given to the card since it was prepared, less those taken back.
    private var givenFrames: Int64 = 0
    /// When a person asked for the sound that begins with `soundFrame` and is not at the card yet, in nanoseconds; 0 for none.
    private var soundAsked: Int64 = 0
    private var soundFrame: Int64 = 0
    /// The card called, or time ran out.
    private var isCalled = false
    private var volume = Envelope(level: Envelope.unity)
    private var fade = Envelope(level: 0)

    /// The card takes everything at once, so that playing is timed by the clock: since when, and from which frame.
    private var isUnpaced = false
    private var clockStart: Int64 = 0
    private var clockFrame: Int64 = 0

    /// Which frame was heard when the last round was published, 0 before there was an output.
    private var toldFrame: Int64 = 0
    private var toldTime: Int64 = 0

    init(shared: UnsafeMutablePointer<AudioShared>) {
        self.shared = shared
        markers = .allocate(capacity: AudioLoop.markerLimit)
        markers.initialize(repeating: Marker(frame: 0, token: 0, sample: 0), count: AudioLoop.markerLimit)
    }

    deinit { markers.deallocate() }

    /// The thread's body; returns after `AudioRequest.quit`.
    @_noLocks @_noAllocation
    mutating func run() {
        while !isQuitting {
            wait()
            shared.pointee.wake.clear()
            handleRequests()
            if phase == .running { service() }
            if phase == .stopping { finishStopping() }
            publish()
        }
    }

    // MARK: Waiting

    @_noLocks @_noAllocation
    private mutating func wait() {
        isCalled = false
        guard let output else {
            var alone = pollfd(fd: shared.pointee.wake.number, events: Int16(POLLIN), revents: 0)
            _ = ns_poll(&alone, 1, -1)
            countWakeUp()
            return
        }
        let polled = output.pointee.polled
        var descriptors = 1
        var milliseconds: Int32 = -1
        switch phase {
        case .idle: break
        case .stopping: milliseconds = Int32(clamping: max(0, (stopTime - now()) / 1_000_000 + 1))
        case .running:
            if isStarving {
                // Room at the card is of no use; the feed thread will wake us. Until then note it if the card runs dry.
                if isCardStarted { milliseconds = max(1, waitMilliseconds(forFrames: queuedFrames())) }
            } else if isUnpaced {
                milliseconds = max(1, waitMilliseconds(forFrames: queuedFrames() / 2))
            } else {
                descriptors = polled.count
                // Should the card fail to call, this does, with half a period left.
                let spare = queuedFrames() - output.pointee.format.periodFrames / 2
                milliseconds = max(1, waitMilliseconds(forFrames: spare))
            }
            if let frames = framesToUntoldMarker() {
                milliseconds = min(milliseconds, waitMilliseconds(forFrames: frames) + 1)
            }
        }
        let found = ns_poll(polled.baseAddress!, nfds_t(descriptors), milliseconds)
        countWakeUp()
        isCalled = found == 0
        if found > 0 && descriptors > 1 {
            output.pointee.device.translate(polled.baseAddress! + 1)
            noteLatency()
        }
    }

    @_noLocks @_noAllocation
    private borrowing func countWakeUp() {
        shared.pointee.wakeUps.store(shared.pointee.wakeUps.load(ordering: .relaxed) + 1, ordering: .relaxed)
    }

    @_noLocks @_noAllocation
    private borrowing func now() -> Int64 { ns_monotonic_nanoseconds() }

    /// Hz of the card, as wide as what it is multiplied with: frames and nanoseconds take more than 32 bits.
    @_noLocks @_noAllocation
    private borrowing func cardRate() -> Int64 { output.map { Int64($0.pointee.format.rate) } ?? 1 }

    /// How long so many frames take the card.
    @_noLocks @_noAllocation
    private borrowing func waitMilliseconds(forFrames frames: Int) -> Int32 {
        Int32(clamping: Int64(frames) * 1000 / cardRate())
    }

    // MARK: Requests

    @_noLocks @_noAllocation
    private mutating func handleRequests() {
        while let request = shared.pointee.requests.receive() {
            switch request {
            case .attach(let output): attach(output)
            case .detach: detach()
            case .load(let deck, let asked): load(deck, asked: asked)
            case .lineUp(let deck): lineUp(deck)
            case .clearLineUp:
                release(lined)
                lined = nil
            case .play(let asked): play(asked: asked)
            case .pause(let asked): pause(asked: asked)
            case .volume(let level): setVolume(level)
            case .unload(let asked):
                pause(asked: asked)
                releaseDecks()
                head = cursor
            case .quit:
                pause(asked: 0)
                isQuitting = true
            }
        }
    }

    @_noLocks @_noAllocation
    private mutating func attach(_ made: UnsafeMutablePointer<Output>) {
        output = made
        streamRate = made.pointee.streamRate
        // The place stays known although frames are counted anew.
        let heard = place(at: cursor)
        head = 0
        cursor = 0
        beginQueue()
        markerCount = 0
        mark(token: heard.token, sample: heard.sample)
        soundFrame = 0
        isCardPrepared = false
        isCardStarted = false
        volume.set(volume.target)
        fade.set(0)
        isUnpaced = made.pointee.device.isUnpaced
        startPlayingIfWanted()
    }

    @_noLocks @_noAllocation
    private mutating func detach() {
        isDetaching = true
        pause(asked: 0)
        if phase == .idle { giveBackOutput() }
    }

    @_noLocks @_noAllocation
    private mutating func giveBackOutput() {
        isDetaching = false
        guard let output else { return }
        stopCard()
        settleMarkers(at: cursor)
        releaseDecks()
        self.output = nil
        tell(.detached(output))
    }

    @_noLocks @_noAllocation
    private mutating func load(_ deck: UnsafeMutablePointer<Deck>, asked: Int64) {
        takeUpTheEnd()
        let wasMoving = phase != .idle
        if phase == .running { cutAndFadeOut() }
        release(lined)
        lined = nil
        release(current)
        current = deck
        hasEnded = false
        isStarving = false
        tellsEnd = false
        head = cursor
        expectSound(asked: asked)
        begin(deck)
        if wasMoving {
            // Also while a fall to silence is at the card: should playing go on before its end, the deck rises behind it.
            fade.set(0, from: cursor)
            fade.move(to: Envelope.unity, from: cursor, frames: fadeFrames())
            if wantsToPlay { phase = .running }
        } else {
            startPlayingIfWanted()
        }
    }

    @_noLocks @_noAllocation
    private mutating func lineUp(_ deck: UnsafeMutablePointer<Deck>) {
        release(lined)
        if current == nil && !hasEnded {
            // Cannot follow what is not there; control will hear of it and load it.
            lined = nil
            release(deck)
            return
        }
        lined = deck
        if hasEnded {
            // The end was reached before this came, but perhaps not heard yet.
            if phase != .idle && wantsToPlay && end.isComplete {
                if phase == .stopping { cut() }
                followOn()
                phase = .running
            } else {
                release(deck)
                lined = nil
            }
        }
    }

    @_noLocks @_noAllocation
    private mutating func play(asked: Int64) {
        if wantsToPlay { return }
        wantsToPlay = true
        if phase == .stopping { cut() }
        expectSound(asked: asked)
        if phase == .stopping {
            // Where a deck was loaded meanwhile its rise stands behind the fall already.
            if fade.target == 0 { fade.move(to: Envelope.unity, from: cursor, frames: fadeFrames()) }
            phase = .running
        } else {
            startPlayingIfWanted()
        }
    }

    @_noLocks @_noAllocation
    private mutating func startPlayingIfWanted() {
        guard wantsToPlay, phase == .idle, output != nil, current != nil || head > cursor || hasEnded else { return }
        fade.set(0)
        fade.move(to: Envelope.unity, from: cursor, frames: fadeFrames())
        phase = .running
    }

    @_noLocks @_noAllocation
    private mutating func pause(asked: Int64) {
        wantsToPlay = false
        soundAsked = 0
        takeUpTheEnd()
        guard phase == .running else { return }
        tellsEnd = false
        cutAndFadeOut()
        if asked > 0 && isCardStarted {
            shared.pointee.commandToSilence.record(nanoseconds: timeHeard(cursor) - asked)
        }
        stopBehindSilence()
    }

    /// The last that there is has been given to the card but not been heard: it can be taken back like any other.
    @_noLocks @_noAllocation
    private mutating func takeUpTheEnd() {
        if phase == .stopping && tellsEnd { phase = .running }
    }

    /// A person asked for what begins at the cursor; an earlier wish that has not been heard yet is answered by it too.
    @_noLocks @_noAllocation
    private mutating func expectSound(asked: Int64) {
        if soundAsked == 0 { soundAsked = asked }
        soundFrame = cursor
    }

    @_noLocks @_noAllocation
    private mutating func setVolume(_ level: Int) {
        takeUpTheEnd()
        if phase == .idle { return volume.set(level) }
        if phase == .running { cut() }
        volume.move(to: level, from: cursor, frames: 4 * fadeFrames())
    }

    /// 5 ms: short enough to be at once, long enough not to click.
    @_noLocks @_noAllocation
    private borrowing func fadeFrames() -> Int {
        guard let output else { return 1 }
        return max(1, output.pointee.format.rate / 200)
    }

    // MARK: Decks and markers

    @_noLocks @_noAllocation
    private mutating func begin(_ deck: UnsafeMutablePointer<Deck>) {
        mark(token: deck.pointee.token, sample: deck.pointee.startSample)
        deck.pointee.begin()
    }

    /// The deck lined up takes over at the head.
    @_noLocks @_noAllocation
    private mutating func followOn() {
        current = lined
        lined = nil
        hasEnded = false
        isStarving = false
        tellsEnd = false
        if let current {
            begin(current)
            tell(.nextBegun(token: current.pointee.token))
        }
    }

    @_noLocks @_noAllocation
    private mutating func releaseDecks() {
        release(lined)
        release(current)
        lined = nil
        current = nil
        hasEnded = false
        isStarving = false
    }

    @_noLocks @_noAllocation
    private borrowing func release(_ deck: UnsafeMutablePointer<Deck>?) {
        guard let deck else { return }
        tell(.released(deck))
    }

    @_noLocks @_noAllocation
    private borrowing func tell(_ event: AudioEvent) {
        // Control empties this ring whenever it is woken, and sends less than it holds in between.
        _ = shared.pointee.events.send(event)
        shared.pointee.controlWake.pointee.signal()
    }

    /// What is decoded from now on belongs to `token` and begins with `sample`.
    @_noLocks @_noAllocation
    private mutating func mark(token: Int, sample: Int64) {
        while markerCount > 0 && markers[markerCount - 1].frame >= head { markerCount -= 1 }
        if markerCount == AudioLoop.markerLimit {
            // Very short items by the dozen: give up the oldest.
            var i = 1
            while i < markerCount {
                markers[i - 1] = markers[i]
                i += 1
            }
            markerCount -= 1
        }
        markers[markerCount] = Marker(frame: head, token: token, sample: sample)
        markerCount += 1
    }

    /// Index of the marker under which `frame` lies.
    @_noLocks @_noAllocation
    private borrowing func markerIndex(at frame: Int64) -> Int {
        var index = markerCount - 1
        while index > 0 && markers[index].frame > frame { index -= 1 }
        return index
    }

    @_noLocks @_noAllocation
    private borrowing func place(at frame: Int64) -> (token: Int, sample: Int64) {
        let index = markerIndex(at: frame)
        if index < 0 { return (0, 0) }
        let marker = markers[index]
        guard let output else { return (marker.token, marker.sample) }
        let frames = max(0, frame - marker.frame)
        return (marker.token, marker.sample + frames * Int64(output.pointee.streamRate) / cardRate())
    }

    /// Before the output goes: leaves one marker that tells the place by itself.
    @_noLocks @_noAllocation
    private mutating func settleMarkers(at frame: Int64) {
        let heard = place(at: frame)
        markers[0] = Marker(frame: 0, token: heard.token, sample: heard.sample)
        markerCount = 1
        head = 0
        cursor = 0
        beginQueue()
    }

    // MARK: The card

    /// Frames at the card and not heard, without the silence behind them.
    @_noLocks @_noAllocation
    private borrowing func queuedFrames() -> Int { Int(cursor - heardFrame()) }

    /// The frame that is heard now.
    @_noLocks @_noAllocation
    private borrowing func heardFrame() -> Int64 {
        guard let output, isCardStarted else { return isCardPrepared ? floorFrame : cursor }
        if isUnpaced {
            let elapsed = (now() - clockStart) / 1000 * cardRate() / 1_000_000
            return min(cursor, clockFrame + elapsed)
        }
        let frame = cursor - Int64(max(0, output.pointee.device.delayFrames()))
        return max(floorFrame, frame >= padFrame ? frame : min(padFrame, frame + Int64(padFrames)))
    }

    /// When a frame at the card is or was at the ear, in nanoseconds of CLOCK_MONOTONIC.
    @_noLocks @_noAllocation
    private borrowing func timeHeard(_ frame: Int64) -> Int64 {
        guard let output else { return now() }
        // Not `heardFrame`, which stands while the first frame is on its way through the card.
        let pad = frame < padFrame ? padFrames : 0
        let delay = isUnpaced ? queuedFrames() + pad : max(0, output.pointee.device.delayFrames())
        return now() + (frame - cursor - Int64(pad) + Int64(delay)) * 1_000_000_000 / cardRate()
    }

    /// Room at the card, or a negative errno.
    @_noLocks @_noAllocation
    private mutating func room() -> Int {
        guard let output else { return 0 }
        let available = output.pointee.device.availableFrames()
        if available < 0 { return available }
        if !isUnpaced && isCardStarted {
            // Where there was no room when the card went nothing is written, so that nothing would fail, while poll returns at once:
            // the thread would go round for good, and nobody else would get a turn.
            let failure = output.pointee.device.failure()
            if failure < 0 { return failure }
            // The `file` PCM and others with no hardware under them show themselves by swallowing faster than time passes.
            let elapsed = (now() - clockStart) / 1000 * cardRate() / 1_000_000
            if cursor - clockFrame - elapsed > Int64(output.pointee.format.bufferFrames * 5 / 4) {
                isUnpaced = true
            } else if elapsed > 10 * cardRate() {
                // Looked at in windows, since no card's clock agrees with ours for hours.
                clockFrame = heardFrame()
                clockStart = now()
            }
        }
        return isUnpaced ? max(0, output.pointee.format.bufferFrames - queuedFrames()) : available
    }

    /// Decodes ahead, writes what fits, starts the card once enough is queued.
    @_noLocks @_noAllocation
    private mutating func service() {
        guard let output else {
            phase = .idle
            return
        }
        if !isCardPrepared {
            let code = output.pointee.device.prepare()
            if code < 0 { return recover(code) }
            isCardPrepared = true
            isCardStarted = false
            beginQueue()
        }
        let began = now()
        let cursorBefore = cursor
        let hadQueued = isCardStarted
        var available = room()
        if available < 0 {
            recover(available)
            if phase != .running || !isCardPrepared { return }
            available = room()
        }
        if hadQueued { noteReadAhead() }
        while phase == .running && available > 0 {
            // Little at a time while the card is nearly empty, so that it sounds at once; then as much as there is room for.
            let quick = output.pointee.format.rate / 20
            let step = min(available, queuedFrames() < 4 * quick ? quick : output.pointee.chunkFrames)
            decode(ahead: step)
            let ready = Int(head - cursor)
            if ready == 0 {
                if hasEnded {
                    tellsEnd = true
                    startCardIfReady(force: true)
                    stopBehindSilence()
                }
                break
            }
            let written = write(min(ready, available))
            if written < 0 { return recover(written) }
            if written == 0 { break }
            startCardIfReady(force: hasEnded && head == cursor)
            available -= written
            if available <= 0 {
                // The card has played on meanwhile; a few frames are not worth another round, which would never end.
                available = room()
                if available < quick { break }
            }
        }
        if cursor > cursorBefore {
            let periods = max(1, (cursor - cursorBefore) / Int64(output.pointee.format.periodFrames))
            shared.pointee.decodeTime.record(nanoseconds: (now() - began) / periods)
            noteSound()
        }
    }

    /// The card was prepared and has nothing yet.
    @_noLocks @_noAllocation
    private mutating func beginQueue() {
        floorFrame = cursor
        padFrame = cursor
        padFrames = 0
        givenFrames = 0
    }

    /// On waking, before anything is asked of the card.
    @_noLocks @_noAllocation
    private mutating func noteLatency() {
        guard let output, isCardStarted else { return }
        if let late = output.pointee.device.calledNanosecondsAgo(written: givenFrames, now: now()) {
            isCalled = true
            shared.pointee.schedulingLatency.record(nanoseconds: late)
        }
    }

    /// Whenever the card calls, and while nothing comes: else a jump just made would be taken for a disk that lags.
    @_noLocks @_noAllocation
    private borrowing func noteReadAhead() {
        guard isCalled || isStarving, output != nil, let deck = current, let ring = deck.pointee.ringNanoseconds()
        else {
            return
        }
        let queued = Int64(queuedFrames()) * 1_000_000_000 / cardRate()
        // What has just ended the starving came only now.
        shared.pointee.readAhead.record(nanoseconds: queued + (isStarving ? 0 : ring))
    }

    /// Once what was written is on its way to the ear.
    @_noLocks @_noAllocation
    private mutating func noteSound() {
        if !isCardStarted || cursor <= soundFrame { return }
        if soundAsked > 0 { shared.pointee.commandToSound.record(nanoseconds: timeHeard(soundFrame) - soundAsked) }
        if shared.pointee.firstSound.load(ordering: .relaxed) == 0 {
            shared.pointee.firstSound.store(soundAsked > 0 ? -1 : timeHeard(soundFrame), ordering: .relaxed)
        }
        soundAsked = 0
        soundFrame = .max
    }

    @_noLocks @_noAllocation
    private mutating func startCardIfReady(force: Bool) {
        guard let output, !isCardStarted else { return }
        if givenFrames < (force ? 1 : cardRate() / 20) { return }
        let code = output.pointee.device.start()
        if code < 0 && code != -Int(EBADFD) { return recover(code) }
        isCardStarted = true
        clockStart = now()
        clockFrame = floorFrame
    }

    /// Fills the history until `frames` are ready for the card, as far as the deck has them.
    @_noLocks @_noAllocation
    private mutating func decode(ahead frames: Int) {
        while Int(head - cursor) < frames {
            guard let deck = current else { return }
            var samples: UnsafePointer<Int16>?
            var count = 0
            switch deck.pointee.pull(samples: &samples, count: &count) {
            case .frames:
                isStarving = false
                append(samples!, frames: count / deck.pointee.channels, channels: deck.pointee.channels)
            case .starved:
                isStarving = true
                return
            case .ended(let end):
                endedToken = deck.pointee.token
                self.end = end
                release(deck)
                current = nil
                isStarving = false
                hasEnded = true
                // What broke before its end has not ended: control decides what comes.
                if lined != nil && end.isComplete { followOn() }
            }
        }
    }

    /// Takes decoded frames into the history, in the card's rate and channels.
    @_noLocks @_noAllocation
    private mutating func append(_ samples: UnsafePointer<Int16>, frames: Int, channels: Int) {
        guard let output else { return }
        var source = samples
        var count = frames
        if let resampler = output.pointee.resampler, let resampled = output.pointee.resampled {
            count = resampler.pointee.resample(samples, frames: frames, into: resampled)
            source = UnsafePointer(resampled)
        }
        let outputChannels = output.pointee.format.channels
        let limit = output.pointee.historyFrames
        var done = 0
        while done < count {
            let place = Int(head % Int64(limit))
            let part = min(count - done, limit - place)
            let to = output.pointee.history + place * outputChannels
            let from = source + done * channels
            if channels == outputChannels {
                ns_copy(to, from, part * channels * 2)
            } else {
                remix(from, channels: channels, to: to, outputChannels: outputChannels, frames: part)
            }
            head += Int64(part)
            done += part
        }
    }

    /// Mono goes to both ears; stereo on a card with one channel is averaged; further channels stay silent.
    @_noLocks @_noAllocation
    private borrowing func remix(
        _ from: UnsafePointer<Int16>, channels: Int, to: UnsafeMutablePointer<Int16>, outputChannels: Int, frames: Int
    ) {
        var frame = 0
        while frame < frames {
            let left = Int(from[frame * channels])
            let right = Int(from[frame * channels + channels - 1])
            if outputChannels == 1 {
                to[frame] = Int16(truncatingIfNeeded: (left + right) / 2)
            } else {
                let place = frame * outputChannels
                to[place] = Int16(truncatingIfNeeded: left)
                to[place + 1] = Int16(truncatingIfNeeded: right)
                var channel = 2
                while channel < outputChannels {
                    to[place + channel] = 0
                    channel += 1
                }
            }
            frame += 1
        }
    }

    /// Hands up to `count` frames at the cursor to the card, gains applied. Returns how many it took or a negative errno.
    @_noLocks @_noAllocation
    private mutating func write(_ count: Int) -> Int {
        guard let output else { return 0 }
        let format = output.pointee.format
        let place = Int(cursor % Int64(output.pointee.historyFrames))
        let frames = min(count, min(output.pointee.chunkFrames, output.pointee.historyFrames - place))
        let from = UnsafePointer(output.pointee.history + place * format.channels)
        var written: Int
        if volume.isUnity(from: cursor) && fade.isUnity(from: cursor) && format.sampleBytes == 2 {
            written = output.pointee.device.write(from, count: frames)
        } else {
            render(
                from: from, to: output.pointee.scratch, start: cursor, frames: frames, channels: format.channels,
                volume: volume, fade: fade)
            written = output.pointee.device.write(widened(frames), count: frames)
        }
        if written == -Int(EAGAIN) || written == -Int(EINTR) { written = 0 }
        if written > 0 {
            cursor += Int64(written)
            givenFrames += Int64(written)
        }
        return written
    }

    /// The frames in the scratch memory in the card's sample format.
    @_noLocks @_noAllocation
    private borrowing func widened(_ frames: Int) -> UnsafeRawPointer {
        guard let output else { return UnsafeRawPointer(markers) }
        guard let wide = output.pointee.scratch32 else { return UnsafeRawPointer(output.pointee.scratch) }
        let samples = frames * output.pointee.format.channels
        var i = 0
        while i < samples {
            wide[i] = Int32(output.pointee.scratch[i]) << 16
            i += 1
        }
        return UnsafeRawPointer(wide)
    }

    /// Takes back what is queued and not about to be heard: the cursor goes back to where the card will be in a moment.
    @_noLocks @_noAllocation
    private mutating func cut() {
        guard let output, isCardPrepared else { return }
        if isCardStarted && !isUnpaced && !output.pointee.device.cutsByDropping {
            // What the card may be fetching at this very moment is left to it.
            let margin = output.pointee.format.rate / 100
            let frames = min(output.pointee.device.rewindableFrames(), output.pointee.device.delayFrames()) - margin
            if frames <= 0 { return }
            let rewound = output.pointee.device.rewind(frames)
            if rewound > 0 { return takeBack(Int64(rewound)) }
            // A card that hands its queue on to firmware, as the Raspberry Pi's headphone socket does, lets nothing be taken back.
        }
        // An answer that took long is old: something came between, or a plugin had work to do.
        var asked: Int64
        var heard: Int64
        var tries = 0
        repeat {
            asked = now()
            heard = heardFrame()
            tries += 1
        } while now() - asked > 50_000 && tries < 4
        // The card plays on between being asked and being stopped: half of what the two calls took, as each is done in its middle.
        _ = output.pointee.device.drop()
        let playedOn = isCardStarted ? ((now() - asked) / 2 * cardRate() + 500_000_000) / 1_000_000_000 : 0
        cursor = max(min(cursor, heard + playedOn), head - Int64(output.pointee.historyFrames))
        isCardPrepared = false
        isCardStarted = false
        let code = output.pointee.device.prepare()
        if code < 0 { return recover(code) }
        isCardPrepared = true
        beginQueue()
    }

    /// The card gave back its latest `frames`: audio, the silence before it, the audio before that.
    @_noLocks @_noAllocation
    private mutating func takeBack(_ frames: Int64) {
        givenFrames -= frames
        let behind = min(frames, cursor - padFrame)
        let silence = min(frames - behind, Int64(padFrames))
        padFrames -= Int(silence)
        cursor = max(floorFrame, cursor - (frames - silence))
        padFrame = min(padFrame, cursor)
    }

    /// Takes back what is queued and lets what is heard die away.
    @_noLocks @_noAllocation
    private mutating func cutAndFadeOut() {
        cut()
        guard phase == .running, isCardPrepared else { return }
        // A fall under way goes on as it was: behind its end other audio may begin.
        let falling = fade.framesToSilence(from: cursor)
        let frames = falling ?? fadeFrames()
        if falling == nil { fade.move(to: 0, from: cursor, frames: frames) }
        decode(ahead: frames)
        var left = min(frames, Int(head - cursor))
        while left > 0 {
            let written = write(left)
            if written < 0 { return recover(written) }
            if written == 0 { break }
            left -= written
        }
        startCardIfReady(force: true)
    }

    /// Writes silence behind the last frames, and stops the card once they have been heard.
    @_noLocks @_noAllocation
    private mutating func stopBehindSilence() {
        guard let output, phase == .running, isCardPrepared else {
            if phase == .running { finishAtOnce() }
            return
        }
        phase = .stopping
        // A card may hold a little more than it tells, in a FIFO or on its way over USB: that much of the silence is played.
        stopTime = timeHeard(cursor) + 20_000_000
        ns_zero(output.pointee.scratch, output.pointee.chunkFrames * output.pointee.format.channels * 2)
        let silence = min(output.pointee.chunkFrames, output.pointee.format.rate / 5)
        let written = output.pointee.device.write(widened(silence), count: silence)
        if written > 0 {
            // Of an earlier silence at most what the card is about to fetch is left, which is never taken back.
            padFrames = (padFrame == cursor ? padFrames : 0) + written
            padFrame = cursor
            givenFrames += Int64(written)
        }
        startCardIfReady(force: true)
    }

    @_noLocks @_noAllocation
    private mutating func finishAtOnce() {
        phase = .stopping
        stopTime = now()
    }

    @_noLocks @_noAllocation
    private mutating func finishStopping() {
        if now() < stopTime { return }
        stopCard()
        phase = .idle
        if tellsEnd {
            tellsEnd = false
            wantsToPlay = false
            tell(.ended(token: endedToken, end))
        } else {
            tell(.paused)
        }
        if isDetaching { giveBackOutput() }
    }

    @_noLocks @_noAllocation
    private mutating func stopCard() {
        guard let output, isCardPrepared else { return }
        _ = output.pointee.device.drop()
        isCardPrepared = false
        isCardStarted = false
        beginQueue()
    }

    /// After an error from the card: an underrun is counted and playing goes on; anything else means the card is lost.
    @_noLocks @_noAllocation
    private mutating func recover(_ code: Int) {
        guard let output else { return }
        if code == -Int(EAGAIN) || code == -Int(EINTR) { return }
        if code == -Int(EPIPE) {
            if phase == .running && !(hasEnded && head == cursor) {
                let count = shared.pointee.underruns.load(ordering: .relaxed)
                shared.pointee.underruns.store(count + 1, ordering: .relaxed)
            }
            beginQueue()
            isCardStarted = false
            isCardPrepared = output.pointee.device.prepare() == 0
            return
        }
        // Where the ear was when the card went is what the last round published, gone on with the clock.
        var heard = cursor
        if isCardStarted && toldFrame > 0 {
            let elapsed = (now() - toldTime) / 1000 * cardRate() / 1_000_000
            heard = min(cursor, max(floorFrame, toldFrame + elapsed))
        }
        isCardPrepared = false
        isCardStarted = false
        settleMarkers(at: heard)
        releaseDecks()
        soundAsked = 0
        phase = .idle
        isDetaching = false
        self.output = nil
        publish()
        tell(.outputLost(output, code: Int32(truncatingIfNeeded: code)))
    }

    // MARK: Telling

    /// `HeardState` holds one change of place to come. Where another follows it within the queue (two jumps in a breath, very short
    /// items), frames until the first is heard and it has to be made anew; else nil.
    @_noLocks @_noAllocation
    private borrowing func framesToUntoldMarker() -> Int? {
        let heard = heardFrame()
        let following = markerIndex(at: heard) + 1
        guard following + 1 < markerCount, markers[following + 1].frame < cursor else { return nil }
        return Int(max(0, markers[following].frame - heard))
    }

    @_noLocks @_noAllocation
    private mutating func publish() {
        let heard = heardFrame()
        let place = place(at: heard)
        var state = HeardState()
        toldTime = now()
        toldFrame = output == nil ? 0 : heard
        state.time = MonotonicTime(nanoseconds: toldTime)
        state.token = place.token
        state.sample = place.sample
        state.rate = streamRate
        if output != nil {
            let rate = cardRate()
            state.isAdvancing = isCardStarted
            state.queuedNanoseconds = (cursor - heard) * 1_000_000 / rate * 1000
            let following = markerIndex(at: heard) + 1
            if following < markerCount && markers[following].frame < cursor {
                state.nextToken = markers[following].token
                state.nextSample = markers[following].sample
                state.nanosecondsUntilNext = (markers[following].frame - heard) * 1_000_000 / rate * 1000
            }
        }
        shared.pointee.heard.publish(state)
    }
}
