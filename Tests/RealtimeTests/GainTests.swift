import Testing

@testable import Realtime

@Suite struct GainTests {
    private func rendered(_ samples: [Int16], channels: Int, volume: inout Gain, fade: inout Gain) -> [Int16] {
        var result = [Int16](repeating: 99, count: samples.count)
        render(
            from: samples, to: &result, frames: samples.count / channels, channels: channels, volume: &volume,
            fade: &fade)
        return result
    }

    @Test func unityLeavesEverySampleAsItIs() {
        let all = (Int(Int16.min)...Int(Int16.max)).map { Int16($0) }
        var volume = Gain(level: Gain.unity)
        var fade = Gain(level: Gain.unity)
        #expect(rendered(all, channels: 1, volume: &volume, fade: &fade) == all)
        #expect(volume.isUnity && fade.isUnity)
    }

    @Test func halfIsHalfRoundedToNearest() {
        var volume = Gain(level: Gain.unity / 2)
        var fade = Gain(level: Gain.unity)
        let result = rendered([-32768, -3, -2, 0, 2, 3, 32767], channels: 1, volume: &volume, fade: &fade)
        for (got, exact) in zip(result, [-16384.0, -1.5, -1, 0, 1, 1.5, 16383.5]) {
            #expect(abs(Double(got) - exact) <= 0.5)
        }
    }

    @Test(arguments: [1, 2, 5, 110, 240, 4800]) func aFadeEndsExactlyAndNeverTurnsBack(frames: Int) {
        for (from, to) in [(0, Gain.unity), (Gain.unity, 0), (Gain.unity / 3, Gain.unity), (5, 0)] {
            var gain = Gain(level: from)
            gain.move(to: to, frames: frames)
            var last = from
            for _ in 0..<frames {
                let level = gain.next()
                #expect(to > from ? level >= last : level <= last)
                #expect(level >= min(from, to) && level <= max(from, to))
                last = level
            }
            // The rest of the division is caught up at once.
            _ = gain.next()
            #expect(gain.level == to || abs(gain.level - to) <= frames)
            for _ in 0...frames { _ = gain.next() }
            #expect(gain.level == to && !gain.isMoving)
        }
    }

    @Test func bothEarsFadeAlike() {
        var volume = Gain(level: Gain.unity)
        var fade = Gain(level: 0)
        fade.move(to: Gain.unity, frames: 50)
        let source = (0..<100).flatMap { _ in [Int16(20000), Int16(-20000)] }
        let result = rendered(source, channels: 2, volume: &volume, fade: &fade)
        for frame in 0..<100 { #expect(abs(Int(result[2 * frame]) + Int(result[2 * frame + 1])) <= 1) }
        // No step between frames larger than a fade of 50 frames makes.
        for frame in 1..<100 { #expect(abs(Int(result[2 * frame]) - Int(result[2 * frame - 2])) <= 401) }
    }
}
