import Core

@testable import Console

extension FakeSpeaker {
    func setSleep(_ sleep: Sleep) {
        actions.append("sleep " + sleep.words)
        self.sleep = sleep
        if case .minutes(let minutes) = sleep { sleepMilliseconds = minutes * 60_000 } else { sleepMilliseconds = nil }
        onChange(.options)
    }
}
