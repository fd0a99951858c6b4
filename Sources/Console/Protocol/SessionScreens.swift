import Core
import Model

/// All that there is to show, in one answer, so that a screen needs one command at each change.
extension Session {
    func writeScreen(_ argument: String?, _ response: inout ResponseBuffer) throws(ConsoleError) -> Portions {
        var neighbours = 8
        if let argument { neighbours = try Argument.integer(argument, in: 0...1000) }
        let status = speaker.status
        for line in status.lines {
            if line.isPath {
                response.field(line.name, path: line.value)
            } else {
                response.field(line.name, line.value)
            }
        }
        if status.file.isEmpty { return SegmentPortions(nil) }
        return SegmentPortions(speaker.transcript(neighbours: neighbours, at: nil))
    }

    /// What a screen tells of itself at once is no more than this.
    private static let mostElements = 500

    /// `screen tree`; and from a screen, when it is told of the change `screen`: `screen element …` for each, and `screen end`.
    mutating func screen(_ arguments: [String]) throws(ConsoleError) -> Portions? {
        switch (arguments[0], arguments.count) {
        case ("tree", 1): return TreePortions(try speaker.screenTree())
        case ("element", 7):
            if !isScreen { throw Session.noScreen }
            if told.count == Session.mostElements { throw ConsoleError(.argument, "Too many elements") }
            told.append(
                ElementDescription(
                    role: arguments[1], label: arguments[2], value: arguments[3], hint: arguments[4],
                    state: arguments[5], frame: arguments[6]))
        case ("end", 1):
            if !isScreen { throw Session.noScreen }
            let elements = told
            told = []
            speaker.screenTells(elements)
        default:
            throw ConsoleError(
                .argument, "Expected tree, and from a screen element ROLE LABEL VALUE HINT STATE FRAME, or end")
        }
        return nil
    }

    private static var noScreen: ConsoleError {
        ConsoleError(.permission, "Only a screen tells that: a client of this machine that idles for screen")
    }
}

/// What stands on a screen, once it has told.
final class TreePortions: Portions {
    private let elements: Awaited<[ElementDescription]>
    private var next = 0

    init(_ elements: Awaited<[ElementDescription]>) { self.elements = elements }

    var isWaiting: Bool { elements.outcome == nil }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        switch elements.outcome {
        case nil: return false
        case .failure(let error): throw error
        case .success(let elements):
            let end = min(elements.count, next + 50)
            budget.take(WorkBudget.pageCost)
            for element in elements[next..<end] {
                response.field("element", element.role)
                response.field("label", element.label)
                if !element.value.isEmpty { response.field("value", element.value) }
                if !element.hint.isEmpty { response.field("hint", element.hint) }
                if !element.state.isEmpty { response.field("state", element.state) }
                response.field("frame", element.frame)
            }
            next = end
            return next == elements.count
        }
    }
}
