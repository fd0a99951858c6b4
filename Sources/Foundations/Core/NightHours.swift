// SPDX-License-Identifier: Apache-2.0
/// The night from one minute of the day to another, also past midnight, or from sunset to sunrise.
public struct NightHours: Equatable, Sendable {
    /// A place on the earth, in hundred-thousandths of a degree.
    public struct Place: Equatable, Sendable {
        /// The latitude, positive to the north, -9,000,000 to 9,000,000.
        public var latitude: Int
        /// The longitude, positive to the east, -18,000,000 to 18,000,000.
        public var longitude: Int

        public init(latitude: Int, longitude: Int) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// The first minute of the night, 0…1439, and the first of the day. By the sun, they are those of one particular day.
    public var from: Int
    public var to: Int
    /// The place for sunset and sunrise; nil if the night follows the clock.
    public var sun: Place?

    public init(from: Int, to: Int, sun: Place? = nil) {
        self.from = from
        self.to = to
        self.sun = sun
    }

    public func contains(minute: Int) -> Bool {
        from <= to ? minute >= from && minute < to : minute >= from || minute < to
    }

    /// Returns the minutes until the night begins or ends, 1…1440.
    public func minutesToChange(from minute: Int) -> Int {
        func ahead(_ other: Int) -> Int { (other - minute + 1439) % 1440 + 1 }
        return min(ahead(from % 1440), ahead(to % 1440))
    }
}
