// SPDX-License-Identifier: Apache-2.0
/// The reason why the speaker cannot play at the moment; a screen shows it all the while.
public enum Trouble: Equatable, Sendable, CaseIterable {
    case noSoundDevice
    /// Another program plays on the sound card; playback begins when that one has closed it.
    case soundDeviceBusy
    /// The file, or the disk that it is on, is away; playing goes on when it is back.
    case fileMissing
    /// The recording comes from a network that is slow or away; it goes on where it stopped.
    case streamAwaited
    /// The same, and why: the board is in no network, no server has such a name, it does not answer, or it refuses.
    case noNetwork
    case noServer
    case serverSilent
    case serverRefuses
    /// The current item is no audio, or broken: it was not played.
    case cannotPlay
    /// The queue is empty, and the library is not.
    case queueEmpty
    /// The library has been looked through, and there is nothing in it.
    case noAudioFound
    /// The library is being looked through, and nothing was found so far.
    case lookingForAudio
    /// A line of the configuration cannot be used; the setting is as shipped.
    case settingsMistaken
    /// There is an alarm, and the clock is not set.
    case clockNotSet

    /// As the console tells it, and in English; each is the key of a translation.
    public var text: String {
        switch self {
        case .noSoundDevice: "No sound device"
        case .soundDeviceBusy: "Sound card in use"
        case .fileMissing: "File is missing"
        case .streamAwaited: "Waiting for the stream"
        case .noNetwork: "No network"
        case .noServer: "Unknown server"
        case .serverSilent: "Server is silent"
        case .serverRefuses: "Server refuses"
        case .cannotPlay: "Cannot play this"
        case .queueEmpty: "Press play"
        case .noAudioFound: "No audio found"
        case .lookingForAudio: "Looking for audio"
        case .settingsMistaken: "Settings mistake"
        case .clockNotSet: "Clock is not set"
        }
    }

    public init?(text: String) {
        guard let trouble = Trouble.allCases.first(where: { $0.text == text }) else { return nil }
        self = trouble
    }
}
