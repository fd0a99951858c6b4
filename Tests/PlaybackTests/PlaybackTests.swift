import Testing

@testable import Playback
