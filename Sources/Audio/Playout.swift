// SPDX-License-Identifier: Apache-2.0
import ALSA
import Posix
import Realtime

/// The path of decoded frames to the listener: the card's frames, their gains, and the recording and place of each.
struct Playout<Device: CardDevice & ~Copyable>: ~Copyable {
    private(set) var output: UnsafeMutablePointer<Output>?
    var card = Card<Device>()
    private var timeline = Timeline()
    private var gains = Gains()
    /// The level of the playing sound while the voice speaks.
    var levelUnderVoice = Envelope.unity / 4
    /// The time until which the queue stays short, because the volume is changing; 0 for none.
    private var shallowUntil: Int64 = 0

    // MARK: The output

    mutating func attach(_ made: UnsafeMutablePointer<Output>) {
        // The position stays known although the frames are renumbered.
        countAnew(from: card.queue.cursor, rate: Int64(made.pointee.format.rate))
        output = made
        card.attach(made.pointee.device.assumingMemoryBound(to: Device.self))
        shallowUntil = 0
    }

    /// Releases the output; `heard` is the audible frame. Frames lose their numbers; only the position remains.
    mutating func detach(heard: Int64) {
        countAnew(from: heard, rate: card.rate)
        card.detach()
        output = nil
    }

    private mutating func countAnew(from frame: Int64, rate: Int64) {
        timeline.settle(at: frame, cardRate: card.rate)
        gains.countAnew(from: frame, oldRate: card.rate, newRate: rate)
    }

    // MARK: Frames

    /// Begins the next decoded frame at `place`, unrelated to earlier frames.
    mutating func begin(_ place: Place) {
        output?.pointee.tempo.begin(speed: place.pace.speed)
        timeline.mark(place, at: card.queue.head)
    }

    /// Begins the next decoded frame at `place`, following earlier frames.
    mutating func follow(_ place: Place) {
        if let output, output.pointee.tempo.flow(into: place) { return }
        if finishStretching() { while stretch() {} }
        begin(place)
    }

    /// The place of the next frame to write.
    borrowing func placeAtCursor() -> Place { timeline.place(at: card.queue.cursor, cardRate: card.rate) }

    /// Drops decoded frames that are not at the card.
    mutating func dropReady() {
        card.dropReady()
        output?.pointee.tempo.begin(speed: 1000)
    }

    /// Appends decoded frames.
    mutating func append(_ samples: UnsafePointer<Int16>, frames: Int, channels: Int) {
        guard let output else { return }
        if !output.pointee.tempo.isOn { return give(samples, frames: frames, channels: channels) }
        var done = 0
        while done < frames {
            done += output.pointee.tempo.put(samples + done * channels, frames: frames - done)
            if done < frames && !stretch() { return }
        }
    }

    /// Produces more output at the wanted speed. Returns false if it needs more input first, and always at the recorded speed.
    mutating func stretch() -> Bool {
        guard let output, let part = output.pointee.tempo.next() else { return false }
        let head = card.queue.head
        give(part.samples, frames: part.frames, channels: output.pointee.streamChannels)
        var frame: Int64 = 0
        while let place = output.pointee.tempo.border(given: card.queue.head - head, frame: &frame) {
            timeline.mark(place, at: head + frame)
        }
        return true
    }

    /// Ends the input, so that the rest comes out. Returns false if the input had ended before.
    mutating func finishStretching() -> Bool { output?.pointee.tempo.finish() ?? false }

    /// Converts frames to the card's format, and keeps them.
    private mutating func give(_ samples: UnsafePointer<Int16>, frames: Int, channels: Int) {
        guard let output else { return }
        var done = 0
        while done < frames {
            let part = output.pointee.chain.convert(samples + done * channels, frames: frames - done)
            output.pointee.mixdown.append(part.samples, frames: part.frames, at: card.queue.head)
            card.didDecode(Int64(part.frames))
            done += part.used
        }
    }

    /// Writes up to `count` frames at the cursor to the card.
    mutating func write(_ count: Int64) -> Card<Device>.Written {
        guard let output else { return .frames(0) }
        var frames = 0
        let rendered = output.pointee.mixdown.rendered(
            Int(clamping: count), at: card.queue.cursor, time: card.queue.time, gains, frames: &frames)
        return card.write(rendered, count: frames)
    }

    /// Writes silence, or the voice, after the last frames. Returns the time when the listener hears their end.
    mutating func writeSilence() -> Int64 {
        guard let output else { return card.now() }
        // A card may hold slightly more than it reports, so that much silence plays first.
        let until = card.timeHeard(card.queue.cursor) + Timing.hiddenMilliseconds * 1_000_000
        if let voice = output.pointee.mixdown.voice, voice.end >= card.queue.time {
            writeVoice()
        } else {
            writeSilence(Int(card.frames(Timing.silenceMilliseconds)))
        }
        return until
    }

    private mutating func writeSilence(_ frames: Int) {
        guard let output else { return }
        let frames = min(frames, output.pointee.mixdown.chunkFrames)
        card.writeSilence(
            output.pointee.mixdown.silence(frames, at: card.queue.cursor, time: card.queue.time, gains), count: frames)
    }

    /// Returns the room to fill now.
    borrowing func room() -> Int64 {
        if !isShallow() { return card.view.available }
        return min(card.view.available, card.frames(Timing.shallowMilliseconds) - card.queuedFrames())
    }

    /// Returns the number of frames to decode at once.
    borrowing func stepFrames() -> Int64 {
        // Decode little at a time while the card is nearly empty, so that it sounds at once; then fill the room.
        if card.queuedFrames() < card.frames(Timing.shortQueueMilliseconds) {
            return card.frames(Timing.startMilliseconds)
        }
        return output.map { Int64($0.pointee.mixdown.chunkFrames) } ?? 0
    }

    /// Starts the card once the queue is long enough, or at once with `force`, if no more will come.
    mutating func startIfReady(force: Bool) -> CardFault? {
        guard card.state == .prepared else { return nil }
        if card.queue.given < (force ? 1 : card.frames(Timing.startMilliseconds)) { return nil }
        return card.start()
    }

    /// Takes back the queue up to the frames about to be heard.
    mutating func cut() -> CardFault? {
        guard let output else { return nil }
        let fault = card.cut(oldest: output.pointee.mixdown.oldest(head: card.queue.head))
        if isSpeaking { duck() }
        return fault
    }

    // MARK: Gains

    private borrowing func fadeFrames() -> Int { Int(max(1, card.frames(Timing.fadeMilliseconds))) }

    /// Fades in from the cursor on, from the present level or from silence.
    mutating func rise(fromSilence: Bool) {
        if fromSilence { gains.fade.set(0, from: card.queue.cursor) }
        gains.fade.move(to: Envelope.unity, from: card.queue.cursor, frames: fadeFrames())
        if isSpeaking { duck() }
    }

    /// True after a fade-out without a following fade-in.
    var isFallen: Bool { gains.fade.target == 0 }

    /// True if the frames from the cursor on are silent.
    var isSilent: Bool { gains.fade.level(at: card.queue.cursor) == 0 }

    /// Fades out from the cursor on. Returns the number of frames until silence. A running fade-out continues: other audio may begin after
    /// its end.
    mutating func fall() -> Int64 {
        if let falling = gains.fade.framesToSilence(from: card.queue.cursor) { return Int64(falling) }
        gains.fade.move(to: 0, from: card.queue.cursor, frames: fadeFrames())
        return Int64(fadeFrames())
    }

    /// Moves a gain from the cursor on, for heard and unheard frames.
    mutating func move(_ kind: Gains.Kind, to level: Int, milliseconds: Int64, isHeard: Bool) {
        // A move is immediate if nothing sounds. A long fade counts played frames.
        let isAtOnce = !isHeard && milliseconds <= Timing.volumeMilliseconds
        let frames = isAtOnce ? 1 : Int(clamping: max(1, card.frames(milliseconds)))
        var start = card.queue.cursor
        if isHeard && isShallow() {
            // Keep moves at least half of the short queue apart. So the envelope remembers all moves in a rewound queue, and renders it as
            // before.
            start = max(start, gains.latestStart(kind, before: start) + card.frames(Timing.shallowMilliseconds) / 2)
        }
        gains.move(kind, to: level, from: start, frames: frames)
    }

    /// Makes a change of gain audible soon. A card that can be rewound is cut. A card that cannot has one gap for all steps of a held
    /// button: the queue stays short while the button repeats.
    mutating func makeWayForGain(_ milliseconds: Int) -> CardFault? {
        // A move of seconds is no response to a button, and not worth a gap.
        if card.cutsByDropping && milliseconds > Timing.slowGainMilliseconds { return nil }
        var fault: CardFault?
        if !card.cutsByDropping || !isShallow() { fault = cut() }
        if card.cutsByDropping { shallowUntil = card.now() + Timing.shallowForMilliseconds * 1_000_000 }
        return fault
    }

    borrowing func isShallow() -> Bool { shallowUntil > 0 && card.now() < shallowUntil }

    // MARK: What is said

    var isSpeaking: Bool { output?.pointee.mixdown.voice != nil }

    /// Speaks from the card's next frame on; nil ends the voice.
    /// - Returns: the earlier voice.
    mutating func speak(_ samples: UnsafeMutablePointer<Int16>?, frames: Int) -> UnsafeMutablePointer<Int16>? {
        guard let output else { return samples }
        let before = output.pointee.mixdown.voice?.samples
        let time = card.queue.time
        let voice = samples.map { Mixdown.Voice(samples: $0, frames: Int64(frames), start: time) }
        output.pointee.mixdown.speak(voice, at: time)
        duck()
        return before
    }

    /// Lowers the playing sound from the next frame on, for the length of the voice.
    private mutating func duck() {
        let cursor = card.queue.cursor
        if let voice = output?.pointee.mixdown.voice, voice.end > card.queue.time {
            let down = card.frames(Timing.duckMilliseconds)
            gains.duck.move(to: levelUnderVoice, from: cursor, frames: Int(down))
            gains.duck.move(
                to: Envelope.unity, from: cursor + max(down, voice.end - card.queue.time),
                frames: Int(card.frames(Timing.unduckMilliseconds)))
        } else {
            let up = Int(card.frames(Timing.unduckMilliseconds))
            // Skip this if the level is already rising.
            if gains.duck.framesUntilStill(from: cursor) > up || gains.duck.target < Envelope.unity {
                gains.duck.move(to: Envelope.unity, from: cursor, frames: up)
            }
        }
    }

    /// Writes the voice after the last frames, as far as there is room, and silence after it.
    mutating func writeVoice() {
        guard let output, let voice = output.pointee.mixdown.voice else { return }
        while voice.end > card.queue.time {
            let before = card.queue.time
            let room = card.isUnpaced ? card.bufferFrames - (before - card.heardTime()) : voice.frames
            writeSilence(Int(clamping: max(0, min(room, voice.end - before))))
            if card.queue.time == before { return }
        }
        if card.queue.time == voice.end { writeSilence(Int(card.frames(Timing.silenceMilliseconds))) }
    }

    /// Returns the number of frames until the end of the voice is audible; nil without a voice.
    borrowing func framesUntilSaid() -> Int64? {
        guard let voice = output?.pointee.mixdown.voice else { return nil }
        return voice.end + card.frames(Timing.hiddenMilliseconds) - card.heardTimeByClock()
    }

    /// Returns true if a part of the voice is not at the card yet.
    borrowing func hasMoreToSay() -> Bool {
        guard let voice = output?.pointee.mixdown.voice else { return false }
        return voice.end > card.queue.time
    }

    /// True if the voice is at the card in a silence, with nothing after it.
    var saysInSilence: Bool { output?.pointee.mixdown.voice != nil && card.hasSilenceLast }

    /// Returns the voice if its last frame was audible at the last query.
    mutating func takeSaid() -> UnsafeMutablePointer<Int16>? {
        guard let voice = output?.pointee.mixdown.voice,
            card.heardTime() >= voice.end + card.frames(Timing.hiddenMilliseconds)
        else { return nil }
        return speak(nil, frames: 0)
    }

    // MARK: What is heard

    /// Returns the number of frames until the first of two changes of place becomes audible, which is the time to publish the second; nil
    /// without two. `heard` is the present audible frame. The published state dates from the last query, so the first change may be audible
    /// since.
    borrowing func framesUntilUntold(heard: Int64) -> Int64? {
        timeline.untoldFrame(card.heardFrame(), before: card.queue.cursor).map { max(0, $0 - heard) }
    }

    borrowing func heardState() -> HeardState {
        let heard = card.heardFrame()
        var state = HeardState()
        state.time = MonotonicTime(nanoseconds: card.state == .absent ? card.now() : card.view.time)
        state.heard = timeline.place(at: heard, cardRate: card.rate)
        if output == nil { return state }
        state.isAdvancing = card.state == .moving
        state.queuedNanoseconds = card.nanoseconds(card.queue.cursor - heard)
        if let next = timeline.following(heard, before: card.queue.cursor) {
            state.next = next.place
            state.nanosecondsUntilNext = card.nanoseconds(next.frame - heard)
        }
        return state
    }
}
