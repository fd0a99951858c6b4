// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Core

@Suite("Seconds") struct SecondsTests {
    @Test func thereAndBack() {
        for (milliseconds, text) in [(0, "0.000"), (7, "0.007"), (83_120, "83.120"), (-5, "0.000")] {
            #expect(Seconds.text(milliseconds) == text)
            #expect(Seconds.milliseconds(text) == max(0, milliseconds))
        }
        #expect(Seconds.milliseconds("83.12") == 83_120 && Seconds.milliseconds("2.71828") == 2718)
        #expect(
            Seconds.milliseconds("") == nil && Seconds.milliseconds("-1") == nil && Seconds.milliseconds("1:2") == nil)
    }

    /// As long as they are, numbers of strangers overflow nothing.
    @Test func endlessNumbers() {
        for count in 1...40 {
            let text = String(repeating: "9", count: count)
            #expect((Seconds.milliseconds(text) ?? 1) > 0 && (Seconds.milliseconds(text + ".999") ?? 1) > 0)
        }
        #expect(Seconds.milliseconds(String(repeating: "9", count: 16)) == nil)
    }
}
