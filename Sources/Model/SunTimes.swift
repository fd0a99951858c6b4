// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Posix

/// The times of sunrise and sunset, to two minutes: by the equation of the center, the equation of time, and the hour angle at which the
/// sun's upper edge is on the horizon (https://gml.noaa.gov/grad/solcalc/glossary.html).
extension NightHours {
    /// The altitude of the sun's center then: below the horizon by its radius, and by the refraction of the air.
    private static let horizonDegrees = -0.833
    private static let axisDegrees = 23.4397

    /// These hours; if they follow the sun, those of today.
    public var today: NightHours {
        guard sun != nil, let day = wallClockDay() else { return self }
        let middaySeconds = day.multipliedSaturated(by: 86_400).addingSaturated(43_200)
        return on(
            day: day, aheadSeconds: LocalTime.ofBoard.wallSeconds(at: middaySeconds).subtractingSaturated(middaySeconds)
        )
    }

    /// Returns the hours from sunset to sunrise, if they follow the sun; a day without sunset has no night, and one without sunrise no day.
    /// - Parameters:
    ///   - day: the wall clock's day, from the first of 1970 on.
    ///   - aheadSeconds: the seconds by which the wall clock is ahead of UTC.
    func on(day: Int64, aheadSeconds: Int64) -> NightHours {
        guard let sun else { return self }
        // Days since noon of the first of 2000, at the sun's mean noon.
        let noon = Double(day - 10_957) - Double(sun.longitude) / 36_000_000
        let anomaly = 357.5291 + 0.98560028 * noon
        let centre = 1.9148 * ns_sine(anomaly) + 0.02 * ns_sine(2 * anomaly) + 0.0003 * ns_sine(3 * anomaly)
        let longitude = anomaly + centre + 180 + 102.9372
        let transit = noon + 0.0053 * ns_sine(anomaly) - 0.0069 * ns_sine(2 * longitude)
        let height = ns_sine(longitude) * ns_sine(NightHours.axisDegrees)
        let latitude = Double(sun.latitude) / 100_000
        let below = ns_sine(NightHours.horizonDegrees) - ns_sine(latitude) * height
        let cosine = below / max(1e-9, ns_sine(90 - latitude) * ns_cosine_of_sine(height))
        if cosine <= -1 { return NightHours(from: 0, to: 0) }
        if cosine >= 1 { return NightHours(from: 0, to: 1440) }
        let half = ns_arc_cosine(cosine) / 360
        func minute(_ time: Double) -> Int {
            // Half a day, since those days begin at noon.
            let seconds = Int64((time + 0.5 - Double(day - 10_957)) * 86_400) + aheadSeconds
            return Int(((seconds % 86_400 + 86_400) % 86_400) / 60)
        }
        return NightHours(from: minute(transit + half), to: minute(transit - half))
    }
}
