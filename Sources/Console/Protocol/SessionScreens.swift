// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Speaker
import Wire

/// All content of a screen in one answer, so that a screen needs one command at each change.
extension Session {
    func writeScreen(_ argument: String?, _ response: inout ResponseBuffer) throws(ConsoleError) -> Portions {
        var neighbours = 8
        if let argument { neighbours = try Argument.integer(argument, in: 0...1000) }
        let status = host.status
        for line in status.lines {
            if line.isPath {
                response.field(line.name, path: line.value)
            } else {
                response.field(line.name, line.value)
            }
        }
        if status.file.isEmpty { return .segments(nil) }
        return .segments(host.transcript(neighbours: neighbours, at: nil))
    }

    /// Answers `screen tree` and `screen show NAME`. After the change `screen`, a screen sends `screen element …` for each element, and
    /// `screen end`. When another element gets the focus, it sends `screen focus LABEL VALUE HINT STATE`.
    mutating func screen(_ arguments: [String]) throws(ConsoleError) -> Portions? {
        switch (arguments[0], arguments.count) {
        case ("tree", 1):
            let tree = try host.trees.ask()
            host.changes.note(.screen)
            return .awaited(tree) { elements, _ in
                .pages(pages(of: elements), most: 50) { element, response in
                    response.field("element", element.role)
                    response.field("label", element.label)
                    if !element.value.isEmpty { response.field("value", element.value) }
                    if !element.hint.isEmpty { response.field("hint", element.hint) }
                    if !element.state.isEmpty { response.field("state", element.state) }
                    response.field("frame", element.frame)
                }
            }
        case ("element", 7):
            try screen.add(
                ElementDescription(
                    role: arguments[1], label: arguments[2], value: arguments[3], hint: arguments[4],
                    state: arguments[5], frame: arguments[6]))
        case ("focus", 5):
            try screen.check()
            host.speaker.sayFocus(
                arguments[1], arguments[2], arguments[3],
                isSelected: arguments[4].split(separator: " ").contains("selected"))
        case ("show", 2):
            try access.check(.control, for: name)
            guard let shown = ScreenName(rawValue: arguments[1]) else {
                throw Argument.wrong(arguments[1], "Expected " + ScreenName.list)
            }
            if !channels.show(shown) { throw ConsoleError(.noExist, "no screen is there") }
            host.changes.note(.message)
        case ("end", 1): host.trees.tell(try screen.end())
        default:
            throw ConsoleError(
                .argument,
                "Expected tree, show NAME, and from a screen element ROLE LABEL VALUE HINT STATE FRAME, end, or focus LABEL VALUE HINT STATE"
            )
        }
        return nil
    }
}

/// The client's role as a screen, which is any client that idles for `screen`, and the elements it has sent so far.
struct ScreenOfPeer {
    /// The limit of a screen's elements.
    private static let mostElements = 500

    private(set) var isThere = false
    private var told: [ElementDescription] = []

    mutating func come() { isThere = true }

    mutating func add(_ element: ElementDescription) throws(ConsoleError) {
        try check()
        if told.count == ScreenOfPeer.mostElements { throw ConsoleError(.argument, "Too many elements") }
        told.append(element)
    }

    /// Returns all elements on the screen.
    mutating func end() throws(ConsoleError) -> [ElementDescription] {
        try check()
        defer { told = [] }
        return told
    }

    func check() throws(ConsoleError) {
        if isThere { return }
        throw ConsoleError(.permission, "Only a screen tells that: a client of this machine that idles for screen")
    }
}
