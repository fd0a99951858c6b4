// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Wire

/// The speed: `speed`, `speed 1.5`, `speed +0.1`, and the same for the current book only.
extension Session {
    func speed(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        guard let first = arguments.first else { return tellSpeed(&response) }
        let isForBook = arguments.count > 1
        let status = host.status
        if isForBook {
            if arguments[1] != "book" { throw Argument.wrong(arguments[1], "Expected book") }
            if status.current == nil { throw ConsoleError(.playerSync, "Not playing") }
            if first == "off" { return try host.forgetBookSpeed() }
        }
        let thousandths: Int?
        do throws(ConsoleError) { thousandths = try Argument.thousandths(first) } catch { throw Session.noSpeed(first) }
        guard let thousandths else { throw Session.noSpeed(first) }
        var percent = thousandths / 10
        if percent * 10 != thousandths || percent % Speed.step != 0 { throw Session.noSpeed(first) }
        if Argument.hasSign(first) {
            let before = status.bookSpeed ?? status.speakerSpeed
            percent = Speed(percent: before.percent + percent).percent
        } else if !Speed.range.contains(percent) {
            throw Session.noSpeed(first)
        }
        try host.setSpeed(Speed(percent: percent), forBook: isForBook)
    }

    private func tellSpeed(_ response: inout ResponseBuffer) {
        let status = host.status
        response.field("speed", status.speed.text)
        response.field("speed_speaker", status.speakerSpeed.text)
        if let book = status.bookSpeed { response.field("speed_book", book.text) }
    }

    private static func noSpeed(_ text: String) -> ConsoleError {
        Argument.wrong(text, "Expected 0.5 to 3 in steps of 0.05, a change such as +0.1, or off book")
    }
}
