// SPDX-License-Identifier: Apache-2.0
import ALSA
import CPosix
import Syn123

/// An open card with the memory for playback. Made and destroyed on a thread that may wait, used by the audio thread.
public struct Output: ~Copyable {
    public let format: OutputFormat
    /// The stream format for which the card was opened, rate in Hz and channels; others need another `Output`.
    public let streamRate: Int
    public let streamChannels: Int

    /// The `CardDevice`, with the audio loop's own type.
    let device: UnsafeMutableRawPointer
    private let closeDevice: (UnsafeMutableRawPointer) -> Void
    var tempo: Tempo
    let chain: FrameChain
    var mixdown: Mixdown
    /// The wake-up descriptor, followed by the card's.
    let polled: UnsafeMutableBufferPointer<pollfd>

    /// Opens the card. The loop polls `wake` together with it.
    public static func open(
        _ request: PlaybackDevice.Request, wake: Int32
    ) throws(OutputError) -> UnsafeMutablePointer<Output> {
        let opened = UnsafeMutablePointer<PlaybackDevice>.allocate(capacity: 1)
        do throws(ALSAError) { opened.initialize(to: try PlaybackDevice(request)) } catch {
            opened.deallocate()
            throw .device(error)
        }
        let polled = UnsafeMutableBufferPointer<pollfd>.allocate(capacity: 1 + opened.pointee.pollDescriptorCount)
        polled.initialize(repeating: pollfd())
        polled[0] = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
        opened.pointee.fillPollDescriptors(UnsafeMutableBufferPointer(rebasing: polled[1...]))
        do throws(Syn123Error) {
            let output = try Output(
                device: opened, streamRate: request.rate, streamChannels: request.channels, polled: polled)
            let place = UnsafeMutablePointer<Output>.allocate(capacity: 1)
            place.initialize(to: output)
            return place
        } catch {
            throw .resampler(error)
        }
    }

    /// Takes ownership of `device` and `polled`, even if it throws.
    init<Device: CardDevice & ~Copyable>(
        device: UnsafeMutablePointer<Device>, streamRate: Int, streamChannels: Int,
        polled: UnsafeMutableBufferPointer<pollfd>
    ) throws(Syn123Error) {
        let format = device.pointee.format
        do throws(Syn123Error) {
            chain = try FrameChain(
                rate: streamRate, channels: streamChannels, cardRate: format.rate, cardChannels: format.channels)
        } catch {
            device.deinitialize(count: 1)
            device.deallocate()
            polled.deallocate()
            throw error
        }
        self.format = format
        self.streamRate = streamRate
        self.streamChannels = streamChannels
        self.device = UnsafeMutableRawPointer(device)
        self.polled = polled
        closeDevice = { place in
            let device = place.assumingMemoryBound(to: Device.self)
            device.deinitialize(count: 1)
            device.deallocate()
        }
        tempo = Tempo(rate: streamRate, channels: streamChannels)
        // The most frames to decode ahead and to write at once: 2048, or a period of a card with longer ones.
        let chunkFrames = max(2048, min(format.periodFrames, format.rate / 2))
        // Room for the card's queue, the frames decoded ahead of it, and those that it may have played before it stopped.
        mixdown = Mixdown(
            channels: format.channels, sampleBytes: format.sampleBytes, chunkFrames: chunkFrames,
            queuedFrames: format.bufferFrames + chunkFrames + format.rate / 50
                + chain.outputLimit * ((tempo.partLimit + FrameChain.inputLimit - 1) / FrameChain.inputLimit))
    }

    deinit {
        closeDevice(device)
        polled.deallocate()
    }
}
