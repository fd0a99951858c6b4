// SPDX-License-Identifier: Apache-2.0
import CALSA
import Posix

/// The way to take queued audio back after a command.
public enum CutMethod: BitwiseCopyable, Sendable {
    /// Moves the write pointer back to just before the hardware's: for real cards, since a program may rewrite their queue until it plays.
    case rewind
    /// Drops the queue and starts again: for sound servers and plugins, which never return audio.
    case drop
}

/// The format that the card agreed to.
public struct OutputFormat: Equatable, BitwiseCopyable, Sendable {
    /// The rate in Hz.
    public var rate: Int
    public var channels: Int
    /// The bytes of a sample: 4 if the card accepts only 32 bits, else 2.
    public var sampleBytes: Int
    public var bufferFrames: Int
    public var periodFrames: Int

    @_noLocks @_noAllocation
    public init(rate: Int, channels: Int, sampleBytes: Int, bufferFrames: Int, periodFrames: Int) {
        self.rate = rate
        self.channels = channels
        self.sampleBytes = sampleBytes
        self.bufferFrames = bufferFrames
        self.periodFrames = periodFrames
    }

    /// Returns the time since the card's last call, in nanoseconds, of which there is one each period; nil before the first, or if unknown.
    ///
    /// - Parameter played: the frames played at the card's last interrupt.
    /// - Parameter awaited: the frames to be played before the call.
    /// - Parameter noteAge: the nanoseconds since that interrupt, by the driver's time stamp; nil without one.
    @_noLocks @_noAllocation
    public func callNanosecondsAgo(played: Int64, awaited: Int64, noteAge: Int64?) -> Int64? {
        let period = Int64(periodFrames)
        let periodNanoseconds = period * 1_000_000_000 / Int64(rate)
        let due = (max(0, awaited) + period - 1) / period * period
        if let noteAge, noteAge >= 0 && noteAge < periodNanoseconds {
            // Whole periods since the awaited frame are missed calls. An interrupt may come slightly after the end of its period, by up to
            // a tick of the kernel (snd-aloop). If the awaited frame lies just after an end, that end's interrupt may have been too early
            // for it. This is undecidable, so it does not count as missed.
            return played < awaited ? nil : noteAge + max(0, played - due) / period * periodNanoseconds
        }
        // Without time stamps, compute the latency from the frames played since the end of the period.
        return played < due ? nil : (played - due) * 1_000_000_000 / Int64(rate)
    }
}

/// An open, configured ALSA playback PCM. Opened and closed on the feed thread, which may block; used in between on the audio thread by the
/// annotated functions, which never wait. Only one thread uses it at a time.
public struct PlaybackDevice: ~Copyable {
    private let pcm: OpaquePointer
    public let format: OutputFormat
    /// True takes queued audio back by `drop`, false by `rewind`; see `CutMethod`.
    public let cutsByDropping: Bool
    /// True for the `null` PCM, which accepts everything at once, so the writer must keep time.
    public let isUnpaced: Bool
    /// The room, in frames, at which the card calls: at the first end of a period with that much.
    public let wakeFrames: Int
    /// True if a real card is under it, with a driver that records its interrupts.
    private let isCard: Bool
    /// The number of descriptors to poll for room.
    public let pollDescriptorCount: Int

    /// The wanted settings of a card.
    public struct Request: Sendable {
        public var device: String
        /// The rate in Hz of the stream to play, requested first.
        public var rate: Int
        public var channels: Int
        public var bufferMilliseconds: Int
        public var periodMilliseconds: Int
        /// The way to take audio back; nil chooses by the kind of device.
        public var cut: CutMethod?

        public init(
            device: String, rate: Int, channels: Int, bufferMilliseconds: Int, periodMilliseconds: Int, cut: CutMethod?
        ) {
            self.device = device
            self.rate = rate
            self.channels = channels
            self.bufferMilliseconds = bufferMilliseconds
            self.periodMilliseconds = periodMilliseconds
            self.cut = cut
        }
    }

    /// Prepares alsa-lib. Call it once, before the first device is opened and other threads run: setenv is not thread-safe.
    public static func prepareLibrary() {
        ns_alsa_silence_messages()
        // One thread owns a PCM at any time, so alsa-lib's mutex in each call is a waste.
        setenv("LIBASOUND_THREAD_SAFE", "0", 0)
    }

    /// Opens and configures a PCM, which stays unprepared.
    public init(_ request: Request) throws(ALSAError) {
        let name = request.device
        var handle: OpaquePointer?
        var code = snd_pcm_open(&handle, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
        guard code == 0, let pcm = handle else { throw ALSAError(code, "open sound device \(name)") }
        // ALSA's parsed configuration takes some 200 KB, unused until the next opening.
        defer { snd_config_update_free_global() }
        do throws(ALSAError) {
            (format, wakeFrames) = try PlaybackDevice.configure(pcm, request)
        } catch {
            snd_pcm_close(pcm)
            throw error
        }
        self.pcm = pcm
        isCard = PlaybackDevice.isCard(pcm)
        cutsByDropping = (request.cut ?? (isCard ? .rewind : .drop)) == .drop
        isUnpaced = snd_pcm_type(pcm) == SND_PCM_TYPE_NULL
        code = snd_pcm_poll_descriptors_count(pcm)
        pollDescriptorCount = max(0, Int(code))
    }

    deinit {
        snd_pcm_close(pcm)
    }

    /// Fills in the descriptors to poll, which stay the same while the device is open.
    public borrowing func fillPollDescriptors(_ descriptors: UnsafeMutableBufferPointer<pollfd>) {
        snd_pcm_poll_descriptors(pcm, descriptors.baseAddress, UInt32(descriptors.count))
    }

    /// Returns true for a real card under any name, which lets the program rewrite its queue. Servers based on ioplug (PipeWire,
    /// PulseAudio, Bluetooth) claim this, too, but do not.
    private static func isCard(_ pcm: OpaquePointer) -> Bool {
        let type = snd_pcm_type(pcm)
        if type == SND_PCM_TYPE_IOPLUG || type == SND_PCM_TYPE_FILE || type == SND_PCM_TYPE_NULL { return false }
        var info: OpaquePointer?
        guard snd_pcm_info_malloc(&info) == 0, let info else { return false }
        defer { snd_pcm_info_free(info) }
        return snd_pcm_info(pcm, info) == 0 && snd_pcm_info_get_card(info) >= 0
    }

    /// Returns why there is no sound, and what to configure instead.
    /// - Parameter takesFrames: true for IEC 60958 frames, as for HDMI of a Raspberry Pi, which ALSA's card configuration can make.
    public static func noFormat(_ name: String, takesFrames: Bool) -> String {
        if takesFrames {
            let card = name.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst().prefix { $0 != UInt8(ascii: ",") }
            return "HDMI takes frames of its own: write default:"
                + (card.contains(UInt8(ascii: "=")) ? "" : "CARD=") + (String(card) ?? "")
        }
        let words = "takes neither 16 nor 32 bit samples"
        return name.utf8.starts(with: "plughw".utf8) ? words : words + "; try plughw: in its name"
    }

    private static func configure(
        _ pcm: OpaquePointer, _ request: Request
    ) throws(ALSAError) -> (OutputFormat, wakeFrames: Int) {
        let name = request.device
        func check(_ code: Int32, _ what: String) throws(ALSAError) {
            if code < 0 { throw ALSAError(code, "sound device \(name): \(what)") }
        }
        var hardware: OpaquePointer?
        try check(snd_pcm_hw_params_malloc(&hardware), "hardware parameters")
        defer { snd_pcm_hw_params_free(hardware) }
        try check(snd_pcm_hw_params_any(pcm, hardware), "no configuration available")
        // ALSA's resampler is linear; ours is better.
        try check(snd_pcm_hw_params_set_rate_resample(pcm, hardware, 0), "native rates")
        try check(
            snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED), "interleaved access")

        var sampleBytes = 2
        if snd_pcm_hw_params_set_format(pcm, hardware, SND_PCM_FORMAT_S16_LE) < 0 {
            let code = snd_pcm_hw_params_set_format(pcm, hardware, SND_PCM_FORMAT_S32_LE)
            if code < 0 {
                let takesFrames =
                    snd_pcm_hw_params_test_format(pcm, hardware, SND_PCM_FORMAT_IEC958_SUBFRAME_LE) == 0
                    || snd_pcm_hw_params_test_format(pcm, hardware, SND_PCM_FORMAT_IEC958_SUBFRAME_BE) == 0
                try check(code, PlaybackDevice.noFormat(name, takesFrames: takesFrames))
            }
            sampleBytes = 4
        }

        var channels = UInt32(request.channels)
        if snd_pcm_hw_params_test_channels(pcm, hardware, channels) < 0 && channels == 1 { channels = 2 }
        try check(snd_pcm_hw_params_set_channels_near(pcm, hardware, &channels), "\(request.channels) channels")

        // Request the stream's rate, else a multiple of it, which resamples best, else what nearly every card supports.
        let wanted = UInt32(request.rate)
        var rate = wanted
        for candidate in [wanted, wanted * 2, wanted * 4, 48000, 44100]
        where snd_pcm_hw_params_test_rate(pcm, hardware, candidate, 0) == 0 {
            rate = candidate
            break
        }
        try check(snd_pcm_hw_params_set_rate_near(pcm, hardware, &rate, nil), "\(request.rate) Hz")

        var bufferMicroseconds = UInt32(request.bufferMilliseconds) * 1000
        var periodMicroseconds = UInt32(request.periodMilliseconds) * 1000
        try check(
            snd_pcm_hw_params_set_buffer_time_near(pcm, hardware, &bufferMicroseconds, nil),
            "buffer of \(request.bufferMilliseconds) ms")
        // A card with a small buffer still gets four periods of it, if possible.
        periodMicroseconds = min(periodMicroseconds, max(1000, bufferMicroseconds / 4))
        try check(
            snd_pcm_hw_params_set_period_time_near(pcm, hardware, &periodMicroseconds, nil),
            "period of \(request.periodMilliseconds) ms")
        try check(snd_pcm_hw_params(pcm, hardware), "configuration refused")

        var bufferFrames: snd_pcm_uframes_t = 0
        var periodFrames: snd_pcm_uframes_t = 0
        try check(snd_pcm_hw_params_get_buffer_size(hardware, &bufferFrames), "buffer size")
        try check(snd_pcm_hw_params_get_period_size(hardware, &periodFrames, nil), "period size")

        var software: OpaquePointer?
        try check(snd_pcm_sw_params_malloc(&software), "software parameters")
        defer { snd_pcm_sw_params_free(software) }
        try check(snd_pcm_sw_params_current(pcm, software), "software parameters")
        var boundary: snd_pcm_uframes_t = 0
        try check(snd_pcm_sw_params_get_boundary(software, &boundary), "boundary")
        // The caller starts the card, once enough is queued.
        try check(snd_pcm_sw_params_set_start_threshold(pcm, software, boundary), "start threshold")
        // Wake as late as is safe: a wake-up may come one period late, with one more left to play.
        let wakeAt = bufferFrames > 3 * periodFrames ? bufferFrames - 2 * periodFrames : periodFrames
        try check(snd_pcm_sw_params_set_avail_min(pcm, software, wakeAt), "wake-up level")
        // For `calledNanosecondsAgo`, which also works without time stamps.
        _ = snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE)
        _ = snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC)
        try check(snd_pcm_sw_params(pcm, software), "software parameters refused")

        let format = OutputFormat(
            rate: Int(rate), channels: Int(channels), sampleBytes: sampleBytes, bufferFrames: Int(bufferFrames),
            periodFrames: Int(periodFrames))
        return (format, Int(wakeAt))
    }

    // MARK: Audio thread. Frames, or a negative errno as ALSA gives it: -EPIPE is an underrun, -ENODEV a missing card.

    /// Returns the room in the queue.
    @_noLocks @_noAllocation
    public borrowing func availableFrames() -> Int { Int(ns_pcm_avail_update(pcm)) }

    /// Returns the time since the card should have woken the waiting thread, in nanoseconds; nil before that, or if unknown. Call it first
    /// after waking, since other calls update the driver's time stamp.
    ///
    /// - Parameter written: the frames written since the PCM was prepared, minus the rewound ones.
    /// - Parameter now: CLOCK_MONOTONIC, in nanoseconds.
    @_noLocks @_noAllocation
    public borrowing func calledNanosecondsAgo(written: Int64, now: Int64) -> Int64? {
        // If processors cannot share the driver's page (ARM), this call fetches it with the time stamp.
        let room = availableFrames()
        if room < 0 { return nil }
        var available: snd_pcm_uframes_t = 0
        var stamp = snd_htimestamp_t()
        let isNoted = isCard && ns_pcm_htimestamp(pcm, &available, &stamp) == 0
        return format.callNanosecondsAgo(
            played: written - Int64(format.bufferFrames - room),
            awaited: written - Int64(format.bufferFrames - wakeFrames),
            noteAge: isNoted ? now - Int64(stamp.tv_sec) * 1_000_000_000 - Int64(stamp.tv_nsec) : nil)
    }

    /// Returns the frames between the next write and the listener.
    @_noLocks @_noAllocation
    public borrowing func delayFrames() -> Int {
        var frames: snd_pcm_sframes_t = 0
        return PlaybackDevice.delayFrames(ns_pcm_delay(pcm, &frames), frames)
    }

    /// A negative delay is no errno: the card has played beyond its queue, so nothing is unheard.
    @_noLocks @_noAllocation
    static func delayFrames(_ code: Int32, _ frames: Int) -> Int { code < 0 ? Int(code) : max(0, frames) }

    /// Writes as many of the interleaved frames as fit.
    @_noLocks @_noAllocation
    public borrowing func write(_ frames: UnsafeRawPointer, count: Int) -> Int {
        Int(ns_pcm_writei(pcm, frames, snd_pcm_uframes_t(count)))
    }

    /// Returns the number of queued frames that can be taken back.
    @_noLocks @_noAllocation
    public borrowing func rewindableFrames() -> Int { Int(ns_pcm_rewindable(pcm)) }

    /// Takes back queued frames. Returns their number.
    @_noLocks @_noAllocation
    public borrowing func rewind(_ frames: Int) -> Int { Int(ns_pcm_rewind(pcm, snd_pcm_uframes_t(frames))) }

    /// Stops at once and forgets the queue.
    @_noLocks @_noAllocation
    public borrowing func drop() -> Int { Int(ns_pcm_drop(pcm)) }

    /// Makes a stopped or underrun PCM ready for writing.
    @_noLocks @_noAllocation
    public borrowing func prepare() -> Int { Int(ns_pcm_prepare(pcm)) }

    /// Starts playing the queue.
    @_noLocks @_noAllocation
    public borrowing func start() -> Int { Int(ns_pcm_start(pcm)) }

    /// Passes poll's result to the library, as plugins require before a query of the room.
    /// - Returns: true if the card called: the awaited room is there, or it failed.
    @_noLocks @_noAllocation
    public borrowing func translate(_ descriptors: UnsafeMutablePointer<pollfd>) -> Bool {
        var events: UInt16 = 0
        return ns_pcm_revents(pcm, descriptors, UInt32(pollDescriptorCount), &events) < 0 || events != 0
    }
}
