// SPDX-License-Identifier: Apache-2.0
import Foundation
import Posix
import Realtime
import Testing

@testable import Audio

@Suite struct AudioThreadTests {
    /// A driver may hold the audio thread for seconds. Control goes on, and nothing that it wants is lost or comes out of order.
    @Test func controlDoesNotWaitForAThreadThatHangs() throws {
        let wake = UnsafeMutablePointer<WakeSignal>.allocate(capacity: 1)
        wake.initialize(to: try WakeSignal())
        // It is never started: nobody takes anything.
        let audio = try AudioThread(controlWake: wake)
        for number in 0..<1000 { audio.send(.play(asked: Int64(number))) }
        var taken: [Int64] = []
        while taken.count < 1000 {
            var count = 0
            while case .play(let number)? = audio.shared.pointee.requests.receive() {
                taken.append(number)
                count += 1
            }
            try #require(count > 0)
            audio.shared.pointee.tellRoom()
            var waiting = pollfd(fd: wake.pointee.number, events: Int16(POLLIN), revents: 0)
            #expect(poll(&waiting, 1, 0) == (taken.count < 1000 ? 1 : 0))
            wake.pointee.clear()
            audio.sendRest()
        }
        #expect(taken == Array(0..<1000))
    }
}
