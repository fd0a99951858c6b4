import ALSA
import CPosix
import Mpg123
import Realtime

/// An open card with the memory that playing on it takes. Made and destroyed on the feed thread, used by the audio thread.
public struct Output: ~Copyable {
    let device: PlaybackDevice
    public let format: OutputFormat
    /// The stream format, Hz and channels, that the card was opened for; others need another `Output`.
    public let streamRate: Int
    public let streamChannels: Int
    /// Nil where the card plays the stream's own rate. It belongs to the output and not to a deck, so that one item flows into
    /// the next without a seam.
    let resampler: UnsafeMutablePointer<Resampler>?
    let resampled: UnsafeMutablePointer<Int16>?

    /// Decoded frames in the card's rate and channels, before any gain: what is queued at the card and a little more, so that
    /// whatever is taken back can be written again. Frame `n` stands at `n % historyFrames`.
    let history: UnsafeMutablePointer<Int16>
    let historyFrames: Int
    /// Frames decoded ahead of the card at most, and written at once.
    let chunkFrames: Int
    /// Frames with their gains applied, on the way to the card.
    let scratch: UnsafeMutablePointer<Int16>
    /// The same in 32 bit, for cards that take nothing else.
    let scratch32: UnsafeMutablePointer<Int32>?
    /// The wake-up descriptor first, then the card's.
    let polled: UnsafeMutableBufferPointer<pollfd>

    /// The most samples per channel that one MPEG frame holds.
    private static let frameSamples = 1152

    /// Opens the card. `wake` is polled along with it.
    public static func open(
        _ request: PlaybackDevice.Request, wake: Int32
    ) throws(OutputError) -> UnsafeMutablePointer<Output> {
        let device = try openDevice(request)
        var resampler: UnsafeMutablePointer<Resampler>?
        if device.format.rate != request.rate {
            do throws(Mpg123Error) {
                let made = try Resampler(
                    inputRate: request.rate, outputRate: device.format.rate, channels: request.channels,
                    inputFramesLimit: Output.frameSamples)
                resampler = .allocate(capacity: 1)
                resampler!.initialize(to: made)
            } catch { throw .resampler(error) }
        }
        let output = UnsafeMutablePointer<Output>.allocate(capacity: 1)
        output.initialize(to: Output(device: device, request: request, resampler: resampler, wake: wake))
        return output
    }

    private static func openDevice(_ request: PlaybackDevice.Request) throws(OutputError) -> PlaybackDevice {
        do throws(ALSAError) { return try PlaybackDevice(request) } catch { throw .device(error) }
    }

    private init(
        device: consuming PlaybackDevice, request: PlaybackDevice.Request,
        resampler: UnsafeMutablePointer<Resampler>?, wake: Int32
    ) {
        format = device.format
        streamRate = request.rate
        streamChannels = request.channels
        self.resampler = resampler
        let longestPull = resampler?.pointee.outputFramesLimit ?? Output.frameSamples
        if resampler == nil {
            resampled = nil
        } else {
            resampled = .allocate(capacity: longestPull * request.channels)
            resampled!.initialize(repeating: 0, count: longestPull * request.channels)
        }
        chunkFrames = max(2048, min(format.periodFrames, format.rate / 2))
        historyFrames = format.bufferFrames + chunkFrames + longestPull + format.rate / 50
        history = .allocate(capacity: historyFrames * format.channels)
        scratch = .allocate(capacity: chunkFrames * format.channels)
        // The audio thread must not be the first to touch a page.
        history.initialize(repeating: 0, count: historyFrames * format.channels)
        scratch.initialize(repeating: 0, count: chunkFrames * format.channels)
        if format.sampleBytes == 4 {
            scratch32 = .allocate(capacity: chunkFrames * format.channels)
            scratch32!.initialize(repeating: 0, count: chunkFrames * format.channels)
        } else {
            scratch32 = nil
        }
        polled = .allocate(capacity: 1 + device.pollDescriptorCount)
        polled.initialize(repeating: pollfd())
        polled[0] = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
        device.fillPollDescriptors(UnsafeMutableBufferPointer(rebasing: polled[1...]))
        self.device = device
    }

    deinit {
        if let resampler {
            resampler.deinitialize(count: 1)
            resampler.deallocate()
        }
        resampled?.deallocate()
        history.deallocate()
        scratch.deallocate()
        scratch32?.deallocate()
        polled.deallocate()
    }
}
