/// How fast a recording is played, at its own pitch: in percent of the pace at which it was spoken.
public struct Speed: Equatable, Sendable {
    public static let range = 50...300
    /// From one speed to the next.
    public static let step = 5
    /// How far a button goes where nothing else is written.
    public static let buttonStep = 10
    /// As it was spoken.
    public static let own = Speed(percent: 100)

    public let percent: Int

    /// The step that is nearest.
    public init(percent: Int) {
        let inRange = min(Speed.range.upperBound, max(Speed.range.lowerBound, percent))
        self.percent = (inRange + Speed.step / 2) / Speed.step * Speed.step
    }

    /// "1.5", "0.75", "2".
    public var text: String {
        let whole = String(percent / 100)
        let rest = percent % 100
        if rest == 0 { return whole }
        return whole + "." + (rest % 10 == 0 ? String(rest / 10) : (rest < 10 ? "0" : "") + String(rest))
    }
}
