// SPDX-License-Identifier: Apache-2.0
import Posix

/// The cells of a character LCD: writes only changed cells to the surface, and searches for a missing surface at growing intervals.
final class CharacterGlass {
    let columns: Int
    let rows: Int
    private let surface: any CharacterSurface
    /// The surface's present cells; meaningless while it is missing.
    private var cells: [UInt8]
    private var isReady = false
    private var retryAt: MonotonicTime?
    private var backoff = Backoff(
        firstMilliseconds: Timing.firstRetryMilliseconds, longestMilliseconds: Timing.longestRetryMilliseconds)

    init(columns: Int, rows: Int, surface: any CharacterSurface) {
        self.columns = min(max(8, columns), 40)
        self.rows = min(max(1, rows), 4)
        self.surface = surface
        cells = [UInt8](repeating: 0x20, count: self.columns * self.rows)
    }

    func setLit(_ isLit: Bool) { surface.setLit(isLit) }

    func turnOff() {
        surface.turnOff()
        isReady = false
    }

    /// - Returns: the time at which to draw again; nil if the picture is complete.
    func draw(_ picture: [UInt8], at now: MonotonicTime) -> MonotonicTime? {
        if !isReady {
            if let retryAt, now < retryAt { return retryAt }
            guard surface.prepare(columns: columns, rows: rows) else { return lose(at: now) }
            isReady = true
            cells = [UInt8](repeating: 0x20, count: cells.count)
        }
        let runs = changes(to: picture)
        if runs.isEmpty { return nil }
        guard var accepted = surface.draw(runs) else { return lose(at: now) }
        retryAt = nil
        backoff.succeeded()
        for run in runs {
            for (i, code) in run.codes.prefix(max(0, accepted)).enumerated() {
                cells[run.row * columns + run.column + i] = code
            }
            accepted -= run.codes.count
        }
        return accepted < 0 ? now : nil
    }

    /// Handles a lost surface: the next step is to look for it again.
    private func lose(at now: MonotonicTime) -> MonotonicTime {
        isReady = false
        let retry = now.adding(milliseconds: backoff.failed())
        retryAt = retry
        return retry
    }

    private func changes(to picture: [UInt8]) -> [CellRun] {
        var runs: [CellRun] = []
        for row in 0..<rows {
            var run: CellRun?
            for column in 0..<columns {
                let code = picture[row * columns + column]
                if code != cells[row * columns + column] {
                    if run == nil { run = CellRun(row: row, column: column, codes: []) }
                    run?.codes.append(code)
                } else if let done = run {
                    runs.append(done)
                    run = nil
                }
            }
            if let run { runs.append(run) }
        }
        return runs
    }
}
