// SPDX-License-Identifier: Apache-2.0
import Core
import Model

/// The last reported state and its moment, from which the present state follows. Moments in milliseconds.
struct ToldStatus {
    private(set) var status = SpeakerStatus()
    private var moment = 0
    /// True if sentences are shown, and no trouble in their place. Stored, since each picture needs it.
    private(set) var hasTranscript = false
    /// The starts of the sentences, in milliseconds.
    private(set) var starts: [Int] = []

    mutating func tell(_ status: SpeakerStatus, at moment: Int) {
        if status.segments != self.status.segments { starts = status.segments.map { $0.startMilliseconds } }
        (self.status, self.moment) = (status, moment)
        hasTranscript = !status.segments.isEmpty && status.toldTrouble == nil
    }

    /// Returns the playback position, in milliseconds.
    func elapsed(at moment: Int) -> Int { status.elapsed(after: moment - self.moment) }

    /// Returns the present state.
    func now(at moment: Int) -> SpeakerStatus { status.later(by: moment - self.moment) }

    /// Returns the moment of the next whole second of playback; nil while paused.
    func nextSecond(after moment: Int) -> Int? {
        if status.state != .playing { return nil }
        return moment + max(1, (1000 - elapsed(at: moment) % 1000) * 100 / max(1, status.speed.percent))
    }
}
