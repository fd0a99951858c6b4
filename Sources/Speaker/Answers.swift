// SPDX-License-Identifier: Apache-2.0
import Core
import Display
import Library
import Media
import Model
import Posix
import Text
import Transcript

/// Spoken answers to a listener's actions. Control thread.
public final class Answers {
    /// The time after a press in which a failure counts as an answer to it.
    private static let consequenceMilliseconds: Int64 = 15_000

    private let voice: any VoicePort
    /// The manner of answering: when to speak.
    var manner: VoiceManner
    private let timers: any Timers
    /// The nesting of commands: some lead to others, which are parts of the same answer.
    private var depth = 0
    private var before = Answerable()
    private var notices: [Notice] = []
    private var lastPress: MonotonicTime?
    private var trouble: Trouble?
    private var wifi: Notice?
    /// The language of the current item, cached because finding it takes time.
    private var language: (item: Item.ID, code: String)?

    public init(_ voice: any VoicePort, _ manner: VoiceManner, timers: any Timers) {
        self.voice = voice
        self.manner = manner
        self.timers = timers
    }

    func begin(_ state: @autoclosure () -> Answerable) {
        depth += 1
        if depth == 1 { before = state() }
    }

    /// Ends a command: its sentence comes after its effect, and replaces the present one.
    func end(_ command: Command, _ state: @autoclosure () -> Answerable, isNight: @autoclosure () -> Bool) {
        depth -= 1
        if depth > 0 { return }
        defer { notices = [] }
        lastPress = timers.now
        // These commands have spoken already.
        if [.say, .switchVoice, .describe, .lock].contains(command) { return }
        let after = state()
        var isWanted = manner == .always || before.menu != nil || manner == .byDay && !isNight()
        if case .menu = command { isWanted = true }
        let answer = isWanted ? Answerable.answer(to: command, before, after, notices: notices) : ""
        if answer.isEmpty { voice.hush() } else { voice.say(answer) }
    }

    /// Returns the language of a recording's titles.
    func language(of item: Item.ID, find: () -> String) -> String {
        if let language, language.item == item { return language.code }
        let code = languageCode(find())
        language = (item, code)
        return code
    }

    /// True while the voice speaks a sentence.
    var isSpeaking: Bool { voice.isSpeaking }

    /// Says that the menu has closed by itself, which a blind listener cannot see.
    func menuDidClose() { voice.say(SpokenWords.sentences([translated("The menu is closed")])) }

    /// Answers a question, at night too.
    func tell(_ sentence: String) { voice.say(sentence) }

    /// Says a sentence that no button asked for, if the manner of answering allows it now.
    func announce(_ sentence: String, isNight: @autoclosure () -> Bool) {
        if manner == .always || manner == .byDay && !isNight() { voice.say(sentence) }
    }

    /// Says an announcement in any manner of answering, behind the present sentence.
    /// - Returns: false if too many announcements wait.
    func announce(_ announcement: Announcement) -> Bool { voice.announce(announcement) }

    /// Takes a notice for the listener: a part of the answer, or a later consequence.
    func take(_ notice: Notice) {
        if depth > 0 {
            notices.append(notice)
        } else if isConsequence {
            voice.say(SpokenWords.sentences([notice.words]))
        }
    }

    /// Says a notice about the Wi-Fi once, in any manner of answering: displays get it again and again.
    func announce(wifi notice: Notice) {
        if wifi != notice, voice.announce(.text(notice.words)) { wifi = notice }
    }

    /// Says a trouble once, to a listener who has just asked for playback.
    func take(_ trouble: Trouble?) {
        defer { self.trouble = trouble }
        guard let trouble, trouble != self.trouble, isConsequence else { return }
        if [.noSoundDevice, .soundDeviceBusy, .settingsMistaken].contains(trouble) { return }
        voice.say(SpokenWords.sentences([trouble.words]))
    }

    private var isConsequence: Bool {
        guard manner != .menu, let lastPress else { return false }
        return timers.now.milliseconds(since: lastPress) < Answers.consequenceMilliseconds
    }
}

extension Speaker {
    /// Says the focused element of a screen, like an entry of a menu. Without a voice it does nothing.
    public func sayFocus(_ label: String, _ value: String, _ hint: String, isSelected: Bool) {
        let chosen = isSelected ? translated("chosen") : ""
        let named = [label, value, chosen].filter { !$0.isEmpty }.joined(separator: ", ")
        audience.answers?.tell(SpokenWords.sentences([named, hint]))
    }

    /// Notes that a screen showed a notice.
    public func didAnnounce(_ notice: Notice) { audience.answers?.take(notice) }

    /// Notes that playback may have a trouble, or no longer.
    public func troubleMayHaveChanged() { audience.answers?.take(trouble) }

    var answerable: Answerable {
        var state = Answerable()
        state.plays = wantsToPlay
        state.entry = queue.current?.songID
        let language = languageOfCurrent
        state.title = SpokenWords.text(currentItem?.title ?? "", in: language)
        state.chapter =
            listening.chapters.isEmpty || !listening.namesChapters
            ? nil : listening.chapter(at: listening.placeMilliseconds)
        if let chapter = state.chapter {
            let title = listening.chapters[chapter].title
            // The fallback title, in the voice's language.
            state.chapterTitle =
                title.isEmpty
                ? SongNames.title("", ofChapter: chapter + 1) : SpokenWords.text(title, in: language)
        }
        state.sleep = sleep.setting
        state.speed = currentSpeed
        state.menu = menu.status
        return state
    }

    /// The language of the current item, by its book's tags.
    var languageOfCurrent: String {
        guard let item = currentItem?.id, let answers = audience.answers else { return "" }
        return answers.language(of: item) { library.book(of: item)?.language ?? "" }
    }

    /// Says the title, the chapter, the time of day and the remaining time: the answer to "what is this".
    func sayWhatIsSo() {
        guard let answers = audience.answers else { return }
        let state = answerable
        var parts = [state.title.isEmpty ? translated("Nothing is chosen") : state.title, state.chapterTitle]
        if let item = currentItem, let page = library.page(of: item.id, at: listening.placeMilliseconds) {
            parts.append(translated("Page %1", page))
        }
        if !state.plays && !state.title.isEmpty { parts.append(translated("Paused")) }
        if let minute = listening.rewind.wallMinute() {
            parts.append(SpokenWords.time(minute: minute, day: listening.rewind.wallDay()))
        }
        parts.append(contentsOf: left)
        if let milliseconds = sleep.remainingMilliseconds {
            parts.append(translated("Sleep timer, %1 left", SpokenWords.length(milliseconds: Int64(milliseconds))))
        } else if state.sleep != .off {
            parts.append(translated("Sleep timer, %1", SpokenWords.sleep(state.sleep)))
        }
        // At the end, since it may be long: the last spoken words tell the place.
        if let spoken = transcripts.transcript, let index = spoken.lastIndex(startingBy: listening.placeMilliseconds) {
            parts.append(SpokenWords.text(spoken[index].text, in: languageOfCurrent))
        }
        answers.tell(SpokenWords.sentences(parts))
    }

    /// Returns ", 40 minutes at this speed"; "" at a recording's own speed.
    private func atSpeed(_ milliseconds: Int64) -> String {
        let speed = currentSpeed
        if speed == .own || player.track?.isLive == true { return "" }
        let left = max(0, milliseconds).multipliedSaturated(by: 100) / Int64(max(1, speed.percent))
        return ", " + translated("%1 at this speed", SpokenWords.length(milliseconds: left))
    }

    /// The remaining time of the chapter, and of its recording.
    private var left: [String] {
        guard let item = currentItem else { return [] }
        let place = listening.placeMilliseconds
        func length(_ end: Int64) -> String {
            SpokenWords.length(milliseconds: end.subtractingSaturated(Int64(place)))
        }
        var parts: [String] = []
        if let next = listening.chapters.first(where: { $0.startMilliseconds > place }) {
            parts.append(translated("%1 left in the chapter", length(Int64(next.startMilliseconds))))
        }
        guard let duration = item.durationMilliseconds else { return parts }
        if library.sharesPlace(item.id), let book = library.book(of: item.id), book.durationMilliseconds > 0 {
            parts.append(translated("%1 left in this part", length(Int64(duration))))
            let left = book.durationMilliseconds.subtractingSaturated(book.heardMilliseconds)
            parts.append(translated("%1 left in the book", SpokenWords.length(milliseconds: left)) + atSpeed(left))
        } else {
            let words =
                listening.chapters.isEmpty
                ? translated("%1 left", length(Int64(duration))) : translated("%1 left in all", length(Int64(duration)))
            parts.append(words + atSpeed(Int64(duration).subtractingSaturated(Int64(place))))
        }
        return parts
    }
}
