// SPDX-License-Identifier: Apache-2.0
/// From one minute of the day to another, past midnight too; or from sunset to sunrise.
public struct NightHours: Equatable, Sendable {
    /// A place on the earth, in hundred-thousandths of a degree.
    public struct Place: Equatable, Sendable {
        /// To the north, -9,000,000 to 9,000,000.
        public var latitude: Int
        /// To the east, -18,000,000 to 18,000,000.
        public var longitude: Int

        public init(latitude: Int, longitude: Int) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// 0…1439; likewise the end, which is by day again. By the sun they are those of some day.
    public var from: Int
    public var to: Int
    /// The place that supplies sunset and sunrise; nil where it goes by the clock.
    public var sun: Place?

    public init(from: Int, to: Int, sun: Place? = nil) {
        self.from = from
        self.to = to
        self.sun = sun
    }

    public func contains(minute: Int) -> Bool {
        from <= to ? minute >= from && minute < to : minute >= from || minute < to
    }

    /// Minutes from one of the day until it begins or ends, 1…1440.
    public func minutesToChange(from minute: Int) -> Int {
        func ahead(_ other: Int) -> Int { (other - minute + 1439) % 1440 + 1 }
        return min(ahead(from % 1440), ahead(to % 1440))
    }
}
