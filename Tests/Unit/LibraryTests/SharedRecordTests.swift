// SPDX-License-Identifier: Apache-2.0
import Model
import TestSupport
import Testing

/// The winner of two records, and the time of a change.
@Suite struct SharedRecordTests {
    private static let now: Int64 = 1_795_000_000_000
    private static let year: Int64 = 365 * 24 * 3600 * 1000

    /// A device of a household, with a clock of its own.
    private struct Device {
        let number: UInt64
        var clock = HybridClock()
        /// Of the device's clock, ahead of the others'.
        var ahead: Int64
        var records: [Int: SharedRecord] = [:]

        mutating func change(_ key: Int, to value: String?, at time: Int64) -> SharedRecord {
            let now = max(0, time + ahead)
            let record = SharedRecord(
                kind: .favourite, key: "\(key)", value: value,
                time: clock.stamp(changed: now, now: now, after: records[key]?.time), device: number, name: "")
            if let known = records[key] { #expect(SharedRecord.later(known, record) == record) }
            records[key] = record
            return record
        }

        mutating func take(_ record: SharedRecord, at time: Int64) {
            let key = Int(record.key)!
            clock.saw(record.time, now: max(0, time + ahead))
            records[key] = records[key].map { SharedRecord.later($0, record) } ?? record
        }
    }

    /// Clocks are wrong by years, and changed; messages come twice, out of their order, or not at all until the end.
    @Test(arguments: 0..<10)
    func allAreEqualAtTheEndAndNothingIsLost(part: Int) {
        var generator = SeededGenerator(seed: UInt64(part + 1))
        for _ in 0..<10_000 {
            var devices = (0..<5).map { Device(number: UInt64($0 % 4 * 7), ahead: 0) }
            for index in devices.indices {
                // A copied card has the number of another.
                let years = Int64.random(in: -60...80, using: &generator)
                devices[index].ahead = Bool.random(using: &generator) ? 0 : years * SharedRecordTests.year
            }
            var time = SharedRecordTests.now
            var sent: [SharedRecord] = []
            for step in 0..<12 {
                time += Int64.random(in: 0...3_600_000, using: &generator)
                let index = Int.random(in: 0..<5, using: &generator)
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: devices[index].ahead = 0
                case 1...3:
                    let isGone = Int.random(in: 0..<4, using: &generator) == 0
                    let key = Int.random(in: 0..<2, using: &generator)
                    sent.append(devices[index].change(key, to: isGone ? nil : "{\"n\":\(step)}", at: time))
                default:
                    if let record = sent.randomElement(using: &generator) { devices[index].take(record, at: time) }
                }
            }
            // All hear of all, each in an order of its own.
            for index in devices.indices {
                for record in sent.shuffled(using: &generator) { devices[index].take(record, at: time) }
            }
            for device in devices.dropFirst() where device.records != devices[0].records {
                Issue.record("part \(part): \(device.records) is not \(devices[0].records)")
                return
            }
            // The winning record is one that a device made, and no other of its key is later.
            for record in devices[0].records.values where !sent.contains(record) { Issue.record("made up: \(record)") }
        }
    }

    private static func any(_ generator: inout SeededGenerator) -> SharedRecord {
        let values = [nil, "{}", "{\"a\":1}", "{\"a\":\"e\u{301}\"}", "{\"a\":\"\u{E9}\"}"]
        return SharedRecord(
            kind: .place, key: "k", value: values.randomElement(using: &generator)!,
            time: HybridTime(milliseconds: Int64.random(in: 0...1, using: &generator)),
            device: [0, 1, .max].randomElement(using: &generator)!, name: ["", "a"].randomElement(using: &generator)!)
    }

    @Test func theOrderOfAskingDoesNotMatter() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<20_000 {
            let (a, b, c) = (Self.any(&generator), Self.any(&generator), Self.any(&generator))
            #expect(SharedRecord.later(a, b) == SharedRecord.later(b, a))
            #expect(SharedRecord.later(a, a) == a)
            let one = SharedRecord.later(SharedRecord.later(a, b), c)
            #expect(one == SharedRecord.later(a, SharedRecord.later(b, c)))
        }
    }

    /// A device with the year 2099 loses against every device that has heard of it. Its time does not spread to records that it never
    /// touched.
    @Test func aWrongClockDoesNotWinForEver() {
        let now = SharedRecordTests.now
        var wrong = Device(number: 9, ahead: 73 * SharedRecordTests.year)
        var right = Device(number: 1, ahead: 0)
        right.take(wrong.change(0, to: "{}", at: now), at: now)
        let mine = right.change(0, to: nil, at: now + 1000)
        wrong.take(mine, at: now + 2000)
        #expect(wrong.records[0] == mine)
        let other = right.change(1, to: "{}", at: now + 3000)
        #expect(other.time == HybridTime(milliseconds: now + 3000))
        // Put right, its own changes are of its time again.
        wrong.ahead = 0
        #expect(wrong.change(2, to: "{}", at: now + 4000).time == HybridTime(milliseconds: now + 4000))
    }

    /// A board without a clock stamps what is later than all it has heard of, and no more than a day ahead once it knows the time.
    @Test func aClockThatIsNotSetFollows() {
        let now = SharedRecordTests.now
        var clock = HybridClock()
        clock.saw(HybridTime(milliseconds: now), now: 5000)
        let time = clock.stamp(changed: 6000, now: 6000, after: nil)
        #expect(time > HybridTime(milliseconds: now) && time.milliseconds == now)
        clock.saw(HybridTime(milliseconds: 2 * now), now: 7000)
        #expect(clock.stamp(changed: 6000, now: now, after: nil).milliseconds <= now + 24 * 3600 * 1000)
    }

    @Test func extremesTrapNowhere() {
        let extremes: [Int64] = [.min, -1, 0, 1, 1_704_067_200_000, .max - 1, .max]
        for changed in extremes {
            for now in extremes {
                for known in extremes {
                    var clock = HybridClock(latest: HybridTime(milliseconds: known))
                    clock.saw(HybridTime(milliseconds: changed), now: now)
                    let time = clock.stamp(changed: changed, now: now, after: HybridTime(rawValue: known))
                    #expect(HybridTime(rawValue: time.rawValue) == time)
                }
            }
        }
        #expect(HybridTime(rawValue: -1) == nil && HybridTime(rawValue: .max) == nil)
    }

    @Test func oneThingHasOneName() {
        for words in ["00000000deadbeef-5000", "ffffffffffffffff-0", "00000000deadbeef-5000-61000"] {
            #expect(SharedKey(words)?.words == words)
        }
        for words in [
            "", "-", "00000000DEADBEEF-5000", "00000000deadbeef-05000", "00000000deadbeef--1", "00000000deadbeef",
            "00000000deadbeef-5000-", "00000000deadbeef-5000-2147483648", "00000000deadbeef-5000-1-2",
            "00000000deadbeef-99999999999999999999", "0000000deadbeef-5000", "00000000deadbeeg-5000",
        ] {
            #expect(SharedKey(words) == nil, "\(words)")
        }
    }
}
