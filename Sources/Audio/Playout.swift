// SPDX-License-Identifier: Apache-2.0
import ALSA
import Posix
import Realtime

/// The way of decoded frames to the ear: the frames of the card, their gains, and the recording and place of each.
struct Playout<Device: CardDevice & ~Copyable>: ~Copyable {
    private(set) var output: UnsafeMutablePointer<Output>?
    var card = Card<Device>()
    private var timeline = Timeline()
    private var gains = Gains()
    /// Of the playing sound while the voice speaks.
    var levelUnderVoice = Envelope.unity / 4
    /// Until then the queue stays short, because the volume is changing; 0 for not at all.
    private var shallowUntil: Int64 = 0

    // MARK: The output

    mutating func attach(_ made: UnsafeMutablePointer<Output>) {
        // The place stays known although the frames get new numbers.
        countAnew(from: card.queue.cursor, rate: Int64(made.pointee.format.rate))
        output = made
        card.attach(made.pointee.device.assumingMemoryBound(to: Device.self))
        shallowUntil = 0
    }

    /// Lets go of the output; `heard` is the frame that the ear is at. Frames lose their numbers; only the place remains.
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

    /// The next decoded frame begins at `place`, without connection to earlier ones.
    mutating func begin(_ place: Place) {
        output?.pointee.tempo.begin(speed: place.pace.speed)
        timeline.mark(place, at: card.queue.head)
    }

    /// The next decoded frame begins at `place`, behind the earlier ones.
    mutating func follow(_ place: Place) {
        if let output, output.pointee.tempo.flow(into: place) { return }
        if finishStretching() { while stretch() {} }
        begin(place)
    }

    /// The place of the next frame to be written.
    borrowing func placeAtCursor() -> Place { timeline.place(at: card.queue.cursor, cardRate: card.rate) }

    /// Drops decoded frames that are not at the card.
    mutating func dropReady() {
        card.dropReady()
        output?.pointee.tempo.begin(speed: 1000)
    }

    /// Takes decoded frames in.
    mutating func append(_ samples: UnsafePointer<Int16>, frames: Int, channels: Int) {
        guard let output else { return }
        if !output.pointee.tempo.isOn { return give(samples, frames: frames, channels: channels) }
        var done = 0
        while done < frames {
            done += output.pointee.tempo.put(samples + done * channels, frames: frames - done)
            if done < frames && !stretch() { return }
        }
    }

    /// Gives more of the input, at the wanted speed. False if it needs more input first, and always at the spoken speed.
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

    /// No input follows: its rest can come out. False if it knew that already.
    mutating func finishStretching() -> Bool { output?.pointee.tempo.finish() ?? false }

    /// Gives frames the card's rate and channels, and keeps them.
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

    /// Hands up to `count` frames at the cursor to the card.
    mutating func write(_ count: Int64) -> Card<Device>.Written {
        guard let output else { return .frames(0) }
        var frames = 0
        let rendered = output.pointee.mixdown.rendered(
            Int(clamping: count), at: card.queue.cursor, time: card.queue.time, gains, frames: &frames)
        return card.write(rendered, count: frames)
    }

    /// Writes silence, or the voice, behind the last frames. Returns the time at which the ear reaches their end.
    mutating func writeSilence() -> Int64 {
        guard let output else { return card.now() }
        // A card may hold a little more than it tells: so much of the silence plays first.
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

    /// The room to fill now.
    borrowing func room() -> Int64 {
        if !isShallow() { return card.view.available }
        return min(card.view.available, card.frames(Timing.shallowMilliseconds) - card.queuedFrames())
    }

    /// Frames to decode at once.
    borrowing func stepFrames() -> Int64 {
        // Little at a time while the card is nearly empty, so that it sounds at once; then as much as there is room for.
        if card.queuedFrames() < card.frames(Timing.shortQueueMilliseconds) {
            return card.frames(Timing.startMilliseconds)
        }
        return output.map { Int64($0.pointee.mixdown.chunkFrames) } ?? 0
    }

    /// Starts the card once the queue is long enough; `force` if no more will be.
    mutating func startIfReady(force: Bool) -> CardFault? {
        guard card.state == .prepared else { return nil }
        if card.queue.given < (force ? 1 : card.frames(Timing.startMilliseconds)) { return nil }
        return card.start()
    }

    /// Takes the queue back up to a moment before the ear.
    mutating func cut() -> CardFault? {
        guard let output else { return nil }
        let fault = card.cut(oldest: output.pointee.mixdown.oldest(head: card.queue.head))
        if isSpeaking { duck() }
        return fault
    }

    // MARK: Gains

    private borrowing func fadeFrames() -> Int { Int(max(1, card.frames(Timing.fadeMilliseconds))) }

    /// Raises the level from the cursor on: from where it is, or from silence.
    mutating func rise(fromSilence: Bool) {
        if fromSilence { gains.fade.set(0, from: card.queue.cursor) }
        gains.fade.move(to: Envelope.unity, from: card.queue.cursor, frames: fadeFrames())
        if isSpeaking { duck() }
    }

    /// A fall that nothing rises behind.
    var isFallen: Bool { gains.fade.target == 0 }

    /// True if the frames from the cursor on are silent.
    var isSilent: Bool { gains.fade.level(at: card.queue.cursor) == 0 }

    /// Fades the frames from the cursor on out. Returns within how many frames. A fall under way goes on as it was: behind its end other
    /// audio may begin.
    mutating func fall() -> Int64 {
        if let falling = gains.fade.framesToSilence(from: card.queue.cursor) { return Int64(falling) }
        gains.fade.move(to: 0, from: card.queue.cursor, frames: fadeFrames())
        return Int64(fadeFrames())
    }

    /// Moves a gain from the cursor on, for heard and unheard frames.
    mutating func move(_ kind: Gains.Kind, to level: Int, milliseconds: Int64, isHeard: Bool) {
        // A move at once takes no time if nothing sounds. A long fall counts played frames.
        let isAtOnce = !isHeard && milliseconds <= Timing.volumeMilliseconds
        let frames = isAtOnce ? 1 : Int(clamping: max(1, card.frames(milliseconds)))
        var start = card.queue.cursor
        if isHeard && isShallow() {
            // Moves begin half of the queue apart, or more: a rewound queue holds no more moves than the envelope remembers, so it can be
            // rendered as before.
            start = max(start, gains.latestStart(kind, before: start) + card.frames(Timing.shallowMilliseconds) / 2)
        }
        gains.move(kind, to: level, from: start, frames: frames)
    }

    /// Has a change of gain heard soon. A card that can be rewound is cut. For one that cannot, one gap does for all the steps of a held
    /// button: while the button steps, the queue stays short.
    mutating func makeWayForGain(_ milliseconds: Int) -> CardFault? {
        // A move of seconds does not answer a hand: it is not worth a gap.
        if card.cutsByDropping && milliseconds > Timing.slowGainMilliseconds { return nil }
        var fault: CardFault?
        if !card.cutsByDropping || !isShallow() { fault = cut() }
        if card.cutsByDropping { shallowUntil = card.now() + Timing.shallowForMilliseconds * 1_000_000 }
        return fault
    }

    borrowing func isShallow() -> Bool { shallowUntil > 0 && card.now() < shallowUntil }

    // MARK: What is said

    var isSpeaking: Bool { output?.pointee.mixdown.voice != nil }

    /// Speaks from the next frame for the card on; nothing where `samples` is nil.
    /// - Returns: the voice until then.
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
            // Unless it is already on its way.
            if gains.duck.framesUntilStill(from: cursor) > up || gains.duck.target < Envelope.unity {
                gains.duck.move(to: Envelope.unity, from: cursor, frames: up)
            }
        }
    }

    /// Writes the voice behind the last frames, as far as there is room, and silence behind it.
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

    /// The number of frames until the ear reaches the end of the voice; nil without a voice.
    borrowing func framesUntilSaid() -> Int64? {
        guard let voice = output?.pointee.mixdown.voice else { return nil }
        return voice.end + card.frames(Timing.hiddenMilliseconds) - card.heardTimeByClock()
    }

    /// True if a part of the voice is not at the card yet.
    borrowing func hasMoreToSay() -> Bool {
        guard let voice = output?.pointee.mixdown.voice else { return false }
        return voice.end > card.queue.time
    }

    /// True if the voice is at the card in a silence of its own, with nothing behind it.
    var saysInSilence: Bool { output?.pointee.mixdown.voice != nil && card.hasSilenceLast }

    /// Returns the voice if its last frame was audible at the last look at the card.
    mutating func takeSaid() -> UnsafeMutablePointer<Int16>? {
        guard let voice = output?.pointee.mixdown.voice,
            card.heardTime() >= voice.end + card.frames(Timing.hiddenMilliseconds)
        else { return nil }
        return speak(nil, frames: 0)
    }

    // MARK: What is heard

    /// The number of frames until the first of two changes of place becomes audible, which is the time to publish the second; nil if there
    /// are no two. `heard` is the frame heard now. The published state dates from the last look at the card: the first change may be
    /// audible since.
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
