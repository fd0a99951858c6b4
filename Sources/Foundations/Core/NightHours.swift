/// From one minute of the day to another, past midnight too.
public struct NightHours: Equatable, Sendable {
    /// 0…1439; likewise the end, which is by day again.
    public var from: Int
    public var to: Int

    public init(from: Int, to: Int) {
        self.from = from
        self.to = to
    }

    public func contains(minute: Int) -> Bool {
        from <= to ? minute >= from && minute < to : minute >= from || minute < to
    }
}
