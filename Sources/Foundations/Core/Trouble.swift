// SPDX-License-Identifier: Apache-2.0
/// The reason why the speaker cannot play at the moment. Screens show it until it ends.
public enum Trouble: Equatable, Sendable, CaseIterable {
    case noSoundDevice
    /// Another program uses the sound card; playback begins when that program closes it.
    case soundDeviceBusy
    /// The file or its disk is missing; playback resumes when it is back.
    case fileMissing
    /// The recording comes from a network that is slow or gone; playback resumes where it stopped.
    case streamAwaited
    /// The same with its cause: the board has no network, no server has that name, it does not answer, or it refuses.
    case noNetwork
    case noServer
    case serverSilent
    case serverRefuses
    /// The current item is no audio, or damaged, and was not played.
    case cannotPlay
    /// The queue is empty, and the library is not.
    case queueEmpty
    /// The library was scanned, and there is nothing in it.
    case noAudioFound
    /// The library is being scanned, and nothing was found yet.
    case lookingForAudio
    /// A line of the configuration is invalid; its setting has the default value.
    case settingsMistaken
    /// An alarm is set, but the clock is not.
    case clockNotSet

    /// The English words on the console; each text is the key of a translation.
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
