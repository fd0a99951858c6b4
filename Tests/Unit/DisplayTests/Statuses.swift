// SPDX-License-Identifier: Apache-2.0
import Core
import Model

extension SpeakerStatus {
    init(
        title: String = "", artist: String = "", state: State = .stopped, wait: Wait? = nil,
        positionMilliseconds: Int = 0, durationMilliseconds: Int? = nil, isFavourite: Bool = false,
        segment: Segment? = nil, volumePercent: Int? = nil, trouble: Trouble? = nil
    ) {
        self.init()
        self.title = title
        self.artist = artist
        self.state = state
        self.wait = wait
        self.positionMilliseconds = positionMilliseconds
        self.durationMilliseconds = durationMilliseconds
        self.isFavourite = isFavourite
        self.segment = segment
        self.volumePercent = volumePercent
        self.trouble = trouble
    }
}
