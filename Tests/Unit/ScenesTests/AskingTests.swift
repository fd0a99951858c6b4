// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Pixels
import TestSupport
import Testing

@testable import Scenes

/// A speaker that keeps what it was asked, and answers when a test says so.
final class AskedSpeaker: PageSource {
    private(set) var asked: [String] = []
    private(set) var told: [String] = []
    private(set) var changes: [SettingName] = []
    private var waiting: [(command: String, lines: (String?) -> Void)] = []

    func ask(_ command: String, lines: @escaping (String?) -> Void) {
        asked.append(command)
        waiting.append((command, lines))
    }

    /// To the first question that begins so.
    /// - Parameter lines: nil for a refusal.
    func answer(_ command: String, _ lines: String?) {
        guard let index = waiting.firstIndex(where: { $0.command.hasPrefix(command) }) else {
            Issue.record("nobody asks for \(command)")
            return
        }
        waiting.remove(at: index).lines(lines)
    }

    func forget() { asked = [] }
    func tell(_ command: String) { told.append(command) }
    func settings(_ state: SpeakerStatus) -> [SettingRow] { [SettingRow(.speed, "\(state.speed.percent)", .steps)] }
    func change(_ name: SettingName, _ step: Element.Step, _ state: SpeakerStatus) { changes.append(name) }
    func askChoices(then: @escaping () -> Void) {}
    func askConnections(_ state: SpeakerStatus, then: @escaping () -> Void) {}
}

/// The requests of pages to the speaker, and their times.
@Suite(.serialized) struct Asking {
    private let source = AskedSpeaker()
    private let context: PageContext

    init() { context = PageContext(source: source) }

    private func draw(_ scene: PageScene) {
        let surface = Surface(width: scene.stage.width, height: scene.stage.height)
        scene.show(SpeakerStatus(), at: 0)
        _ = scene.draw(on: surface, at: 0)
    }

    private func scene(_ tab: Element.Tab) throws -> PageScene {
        let scene = PageScene(tab, try Screens.stage((480, 320)), context)
        context.shown = scene
        scene.load()
        draw(scene)
        scene.fetch()
        return scene
    }

    private func labels(_ scene: PageScene) -> [String] {
        draw(scene)
        return scene.elements.map { $0.label }
    }

    @Test func anotherOrderIsAnotherList() throws {
        let scene = try scene(.favourites)
        #expect(source.asked == ["favourite list newest 0:100", "household absent"])
        #expect(scene.take(.order(.plays)))
        draw(scene)
        scene.fetch()
        #expect(source.asked[2...] == ["favourite list plays 0:100", "household absent"])
        // The answer to the first question is of the list before.
        source.answer("favourite list newest", "file: a.mp3\nTitle: Old\n")
        #expect(!labels(scene).contains("Old"))
        source.answer("favourite list plays", "file: b.mp3\nTitle: New\n")
        #expect(labels(scene).contains("New"))
        #expect(scene.take(.remove("b.mp3")) && source.told == ["favourite remove \"b.mp3\""])
    }

    /// A refused request is repeated with the next change, not with each frame.
    @Test func whatIsRefusedIsNotAskedForAtEachFrame() throws {
        let scene = try scene(.library)
        #expect(source.asked == ["books newest 0:100"])
        source.answer("books", nil)
        for _ in 0..<3 { draw(scene) }
        scene.changed("database", isShown: true)
        draw(scene)
        scene.fetch()
        #expect(source.asked.count == 2)
    }

    @Test func aSectionAsksForItself() throws {
        let scene = try scene(.library)
        for (section, command) in [(LibrarySection.chapters, "book"), (.playlists, "listplaylists")] {
            #expect(scene.take(.section(section)))
            #expect(source.asked.last == command)
        }
        // The answer of a section that was left is not shown.
        source.answer("book", "chapter: 1\nTitle: Left\n")
        #expect(!labels(scene).contains("Left"))
        source.answer("listplaylists", "playlist: Evening\n")
        #expect(labels(scene).contains("Evening"))
        // A hidden list is marked, and asked for when it comes up.
        source.forget()
        scene.changed("stored_playlist", isShown: false)
        #expect(source.asked.isEmpty)
        scene.load()
        #expect(source.asked == ["listplaylists"])
    }

    @Test func anotherRecordingHasOtherChapters() throws {
        let scene = try scene(.library)
        _ = scene.take(.section(.chapters))
        source.forget()
        let old = context.state
        context.state.file = "b.mp3"
        scene.changed(from: old, isShown: false)
        #expect(source.asked.isEmpty)
        scene.changed(from: old, isShown: true)
        #expect(source.asked == ["book"])
    }

    @Test func whoeverTypesIsFasterThanTheLibrary() throws {
        let scene = PageScene.search(try Screens.stage((480, 320)), context)
        context.shown = scene
        scene.load()
        #expect(scene.takesLetters)
        source.answer("search \"(any =~", nil)
        source.forget()
        for byte in "wind".utf8 { #expect(scene.take(.type(.letter(UInt32(byte))))) }
        // One question at a time; then the whole word.
        #expect(source.asked == ["search any \"w\" window 0:40"])
        source.answer("search", "")
        source.answer("say", "")
        #expect(source.asked.last == "search any \"wind\" window 0:40")
        source.answer("search", "file: w.mp3\nTitle: The Wind\n")
        source.answer("say \"wind*\"", "")
        _ = scene.take(.type(.done))
        #expect(labels(scene).contains("The Wind"))
    }

    @Test func aBookOfOneFileHasChapters() throws {
        var book = ListRow(.book, name: "River", title: "River")
        book.file = "River/all.m4b"
        let scene = PageScene(book, try Screens.stage((480, 320)), context)
        context.shown = scene
        scene.load()
        source.answer("listallinfo \"River\"", "file: River/all.m4b\n")
        source.answer("book \"River/all.m4b\"", "chapter: 0.000\nTitle: First\n")
        #expect(scene.row(.book, "River") == book)
        #expect(scene.take(.refresh) && source.told == ["update"])
    }

    @Test func settingsAreChangedAndTold() throws {
        let scene = try scene(.settings)
        #expect(source.asked == ["alarm list", "stats"] && labels(scene).contains("Speed"))
        #expect(scene.take(.change(.speed, .more)) && source.changes == [.speed])
        #expect(!scene.take(.order(.title)))
    }

    /// The page shows the alarms as the speaker reports them, again after each change by anyone; if the speaker refuses, there are none.
    @Test func alarmsAreTold() throws {
        let scene = try scene(.settings)
        #expect(!labels(scene).contains("New alarm"))
        source.answer("alarm list", "alarm: 3\ntime: 06:40\ndays: mon-fri\nplays: Emma\nrise: 5\nenabled: 1\n")
        #expect(labels(scene).contains("6:40, Mon-fri · Emma") && labels(scene).contains("New alarm"))
        let row = try #require(scene.row(.alarm, "3"))
        #expect(row.title == "6:40" && row.isOn)
        #expect(scene.row(.alarm, "4") == nil && scene.row(.song, "3") == nil)
        source.forget()
        for name in ["player", "database", "sticker"] { scene.changed(name, isShown: true) }
        scene.changed("options", isShown: false)
        #expect(source.asked.isEmpty)
        scene.changed("options", isShown: true)
        #expect(source.asked == ["alarm list"])
        source.answer("alarm list", "")
        #expect(!labels(scene).contains("6:40, Mon-fri · Emma") && labels(scene).contains("New alarm"))
        scene.changed("options", isShown: true)
        source.answer("alarm list", nil)
        #expect(!labels(scene).contains("New alarm"))
    }

    /// For any report of alarms, a row shows its readable parts.
    @Test func alarmsOfAStranger() {
        let rows = ListRow.rows(
            lines: "time: 01:00\nalarm: 1\nalarm: 2\ntime: 99:99\ndays: never,ever\nenabled: yes\nalarm: \nnext: x\n"
                + "alarm: 4\nplays: \ndays: once\n")
        #expect(rows.map { $0.name } == ["1", "2", "", "4"])
        #expect(rows.map { $0.title } == ["1", "99:99", "", "4"])
        #expect(rows.map { $0.detail } == ["", "never,ever", "", "Once"])
        #expect(rows.allSatisfy { $0.kind == .alarm && !$0.isOn })
        #expect(ListRow.rows(lines: String(repeating: "alarm: 1\n", count: 1000)).count == 1000)
    }
}
