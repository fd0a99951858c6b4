// SPDX-License-Identifier: Apache-2.0
import ALSA
import CPosix
import Configuration
import Console
import Controls
import Core
import Display
import Hands
import Library
import Playback
import Playlists
import Posix
import Scanning
import Speaker
import Streams
import Transcript
import Voice
import Workers

/// The whole speaker, wired by the configuration: card, library, screens, buttons, consoles.
final class Assembly {
    /// The time after which playback runs, and the memory for starting is no longer needed.
    private static let settledMilliseconds = 3000
    /// The time in which the decks have the disk before the scan of the library, if playback resumes.
    private static let firstSoundMilliseconds = 1000

    let loop: EventLoop
    let speaker: Speaker
    private let configuration: Configuration
    private let board = Board()
    private let warn: (String) -> Void
    private let worker: Worker
    private let player: Player
    private let keeper: LibraryKeeper
    private let screens: ScreenDriver
    private let consoles: Consoles
    private let exitGuard: ExitGuard
    private var buttons: Buttons?
    private var haptics: Haptics?
    private var light: WakeLight?
    /// The voice from before a listener switched it off.
    private var silenced: Answers?
    /// The adapters for the network; nil if the network must not be used.
    private var network: (streams: StreamAdapter, feeds: FeedAdapter)?
    /// The reports to the service manager; nil without one.
    private var service: ServiceReports?

    /// - Parameters:
    ///   - screens: screens beyond the configuration's.
    ///   - silentDevice: the device to play into if the card cannot be opened at the start; nil to wait for the card.
    ///   - signals: a descriptor that is readable once the program should end.
    ///   - configPath: the file for child processes, too; nil for the default file.
    init(
        configuration: Configuration, source: ScanSource, screens: [any Screen] = [], silentDevice: String? = nil,
        signals: Int32, configPath: String? = nil, warn: @escaping (String) -> Void
    ) throws(PlaybackError) {
        self.configuration = configuration
        self.warn = warn
        do throws(PosixError) {
            loop = try EventLoop()
            worker = try Worker(name: "work")
            exitGuard = try ExitGuard(signals: signals)
        } catch { throw .file(error) }
        PlaybackDevice.prepareLibrary()
        ns_leave_children_alone()
        // Upgrading or rescuing a large library on a slow card may take this long.
        ServiceManager()?.tell("EXTEND_TIMEOUT_USEC=1800000000")
        // Reads the time zone's file now: later queries of the day come while nothing may wait for a disk.
        tzset()
        var isLibrary = false
        if case .library = source { isLibrary = true }
        let library = Library(
            stateFolder: configuration.statePath, memoryFolder: isLibrary ? board.runtimeFolder : nil, warn: warn)
        if case .library(let folder) = source {
            library.root = folder
            if library.isUsedElsewhere {
                let file = configuration.statePath + "/nightstand.db"
                throw .file(PosixError(code: EBUSY, operation: "use \(file), which another nightstand has"))
            }
            library.troubleOfPlace = Assembly.whyNothingIsKept(configuration.statePath, board)
            if let trouble = library.troubleOfPlace { warn(trouble) }
            Assembly.lookForDeath(
                statePath: configuration.statePath, runtimeFolder: board.runtimeFolder, warn)
        }
        let audio = configuration.audio
        player = try Player(
            loop: loop,
            settings: Assembly.settings(audio, lower: configuration.voice.lower, silentDevice: silentDevice),
            worker: worker)
        let made = configuration.transcripts.areMade ? MadeWords(folder: configuration.transcripts.cachePath) : nil
        let spoken = SpokenIndex(library, worker: worker)
        keeper = LibraryKeeper(
            source: source, library: library, spoken: spoken, worker: worker, loop: loop, made: made, warn: warn)
        speaker = Speaker(
            library: library, source: source, player: player,
            mixer: audio.mixer.isEmpty
                ? nil : VolumeControl(device: audio.device, element: audio.mixer, worker: worker, warn: warn),
            scans: keeper, worker: worker, timers: loop, warn: warn
        ) { TranscriptReading(audioPath: $0, durationMilliseconds: $1, made: made) }
        self.screens = ScreenDriver(
            speaker: speaker, timers: loop, screens: screens + Assembly.screens(configuration.lcd),
            isDarkAtNight: configuration.lcd.isOffAtNight && configuration.night.hours != nil)
        let loop = loop
        let carrier = HouseholdCarrier(library, loop, folder: isLibrary ? board.runtimeFolder : nil)
        consoles = Consoles(
            host: ConsoleHost(
                speaker: speaker, figures: player, scans: keeper, timers: loop, turnBegan: { loop.turnBegan },
                root: Assembly.root(of: source), outputName: audio.device,
                playlists: Assembly.playlists(configuration, worker), pictures: worker, spoken: spoken,
                carrier: carrier),
            loop: loop)
        // Its clock keeps it.
        _ = AlarmWaker(speaker.alarms, board, loop: loop, warn: warn)
        speaker.rules = Assembly.rules(configuration.playing, configuration.night)
        speaker.rules.takesSticks = configuration.takesSticks
        keeper.listener = speaker
        keeper.whenWritten { [self] in speaker.places.didWrite() }
        speaker.audience.didChange = { [self] changes in didChange(changes) }
        speaker.audience.announce = { [self] notice in
            self.screens.announce(notice)
            speaker.didAnnounce(notice)
        }
        speaker.sound.askHeadphones = { [self] in consoles.ask($0) }
        speaker.audience.didPress = { [self] in
            self.screens.didPress()
            carrier.didPress()
        }
        let language = isLibrary ? configuration.speakPeoplesLanguage(chosen: library.restoredLanguage) : "en"
        if isLibrary { speaker.audience.languages = languages(language) }
        if library.restoredVoiceIsOn ?? configuration.voice.isEnabled { openVoice(language) }
        if isLibrary { speaker.audience.switchVoice = { [self] in switchVoice() } }
        if configuration.network.isEnabled { connectStreams(configPath) }
        self.screens.setNeedsUpdate()
    }

    /// Returns the languages in the folder of words.
    private func languages(_ current: String) -> Languages {
        let folder = configuration.people.wordsPath
        let found = (try? FolderReader(folder).next(most: Assembly.mostLanguages)) ?? []
        return Languages(
            found.filter { $0.kind == .folder }.map { $0.name }, current: current, folder: folder, worker: worker)
    }

    /// Returns the reason why places are lost with the power, in words for people; nil if they are kept.
    private static func whyNothingIsKept(_ path: String, _ board: Board) -> String? {
        // A container's whole disk may be an overlay that lasts, and a test's disk may be a file system in memory.
        guard board.isService, Files.isOnMemory(path) else { return nil }
        return
            "places are not kept: \(path) is in memory; give it a partition of its own, or name another folder: [state] path"
    }

    private static let mostLanguages = 100

    /// Switches the voice on or off, for a listener.
    /// - Returns: true if it speaks now.
    private func switchVoice() -> Bool {
        let isOn = speaker.audience.answers == nil
        speaker.library.save(voiceIsOn: isOn)
        speaker.places.didWrite()
        if !isOn {
            (silenced, speaker.audience.answers) = (speaker.audience.answers, nil)
        } else if let silenced {
            speaker.audience.answers = silenced
        } else {
            openVoice(speaker.audience.languages?.current ?? "en")
        }
        buttons?.setVoice(isOn: isOn)
        return isOn
    }

    /// - Parameter language: the language of texts.
    private func openVoice(_ language: String) {
        let wanted = configuration.voice
        func settings(_ language: String) -> Voice.Settings {
            Voice.Settings(
                command: wanted.command, language: configuration.voiceLanguage(language), bareRate: wanted.bareRate,
                cachePath: wanted.cachePath)
        }
        let voice = Voice(settings(language), player: player, loop: loop, worker: worker, warn: warn)
        speaker.audience.languages?.didChange = { voice.settings = settings($0) }
        voice.level = { [self] in speaker.voiceLevel }
        // The meter was loaded after all memory was locked, and no thread that must not wait runs either library.
        voice.didEnd = {
            ResidentMemory.giveBackHeap()
            for library in ["libebur128.", "libm."] {
                ResidentMemory.giveBack(ResidentMemory.unlock(library: library))
            }
        }
        let manner = speaker.library.restoredVoiceManner ?? wanted.says
        speaker.audience.answers = Answers(voice, manner, timers: loop)
    }

    private func connectStreams(_ configPath: String?) {
        let network = configuration.network
        let process = FetchProcess(
            loop: loop, socketPath: network.socketPath, feedWake: player.feedWake,
            launch: board.isService ? nil : { FetchLauncher.launch(network, configPath: configPath) })
        let desk = StreamDesk(process)
        let streams = StreamAdapter(desk, speaker: speaker, player: player, warn: warn)
        speaker.streaming.port = streams
        let feeds = FeedAdapter(urgent: ErrandDesk(process), ahead: ErrandDesk(process))
        self.network = (streams, feeds)
        speaker.streaming.podcasts.settings = Podcasts.Settings(
            refreshHours: network.refreshHours, keptEpisodes: network.keptEpisodes)
        speaker.streaming.podcasts.port = feeds
        speaker.streaming.wordsPort = network.asksForWords ? feeds : nil
    }

    /// Returns the folder that paths on the console are relative to; "" for none.
    private static func root(of source: ScanSource) -> String {
        switch source {
        case .library(let folder): folder
        case .named(let paths):
            paths.count == 1 && (try? FileStatus(path: paths[0]))?.isDirectory == true ? paths[0] : ""
        }
    }

    private static func playlists(_ configuration: Configuration, _ worker: Worker) -> PlaylistStore {
        PlaylistStore(folder: configuration.playlistsPath, worker: worker)
    }

    private static func rules(_ playing: Configuration.Playing, _ night: Configuration.Night) -> PlayingRules {
        var rules = PlayingRules(
            rewindsAfterPause: playing.rewindsAfterPause, stepsByChapter: playing.stepsByChapter,
            resumes: playing.resumes, keepsPause: playing.keepsPause, flowsIntoNextBook: playing.flowsIntoNextBook,
            afterPowerCut: playing.afterPowerCut == .play
                ? .play : playing.afterPowerCut == .pause ? .pause : .playIfShort)
        rules.night = night.hours.map {
            PlayingRules.Night(
                hours: $0, sleep: night.sleep, startPercent: night.startPercent ?? 100, mostPercent: night.mostPercent,
                voicePercent: night.voicePercent)
        }
        return rules
    }

    private static func settings(_ audio: Configuration.Audio, lower: Int?, silentDevice: String?) -> Player.Settings {
        let cut: CutMethod? =
            switch audio.cut {
            case .automatic: nil
            case .rewind: .rewind
            case .drop: .drop
            }
        var settings = Player.Settings(
            device: audio.device, silentDevice: silentDevice, bufferMilliseconds: audio.bufferMilliseconds,
            periodMilliseconds: audio.periodMilliseconds, priority: audio.priority, cut: cut)
        settings.idleCloseSeconds = audio.idleCloseSeconds
        settings.lowerUnderVoice = lower
        return settings
    }

    private static func screens(_ lcd: Configuration.LCD) -> [any Screen] {
        lcd.device.isEmpty ? [] : [display(lcd, on: CharlcdDevice(path: lcd.device))]
    }

    /// Returns a display of the configured size on a surface.
    static func display(_ lcd: Configuration.LCD, on surface: any CharacterSurface) -> any Screen {
        CharacterDisplay(columns: lcd.width, rows: lcd.height, rom: rom(lcd), surface: surface)
    }

    static func rom(_ lcd: Configuration.LCD) -> CharacterROM { lcd.rom == .a00 ? .a00 : .a02 }

    /// Resumes the state of the last run, scans the library, and opens consoles and buttons.
    func start() throws(PlaybackError) {
        do throws(PosixError) { try worker.start(loop: loop) } catch { throw .file(error) }
        try player.start(warn: warn)
        loop.schedule(at: MonotonicTime.now.adding(milliseconds: Assembly.settledMilliseconds)) { [self] in settle() }
        speaker.restore(board.start)
        keeper.start(after: speaker.wantsToPlay ? Assembly.firstSoundMilliseconds : 0)
        consoles.open(configuration.console, inherited: board.sockets, warn: warn)
        openHaptics()
        light = WakeLight(configuration.light, loop: loop, warn: warn)
        followAlarms()
        if configuration.buttons.isEmpty && configuration.keys.isEmpty && configuration.knobs.isEmpty { return }
        buttons = Buttons(
            configuration: configuration, loop: loop, warn: warn,
            redirect: { [self] gesture in speaker.buttonsAct && consoles.press(gesture) },
            perform: { [self] command, time in
                if case .screen(let name) = command, speaker.buttonsAct {
                    consoles.show(name)
                } else {
                    speaker.press(command, asked: time)
                }
                if configuration.haptics.hasButtons, let haptic = Haptic(command) { haptics?.play(haptic) }
            })
        if speaker.audience.answers != nil && !configuration.voice.isEnabled { buttons?.setVoice(isOn: true) }
        consoles.followButtons { [self] areTaken in buttons?.setPanel(hasButtons: areTaken) }
    }

    private func followAlarms() {
        light?.follow(nextSeconds: speaker.alarms.upcoming?.seconds, isRinging: speaker.alarms.isUnderWay)
    }

    private func openHaptics() {
        if !configuration.haptics.isThere { return }
        let haptics = Haptics(configuration.haptics, loop: loop, warn: warn)
        self.haptics = haptics
        consoles.setHaptics { haptics.play($0) }
    }

    private func settle() {
        speaker.library.releaseMemory()
        ResidentMemory.giveBackStartup()
        // Without a real-time thread, nothing can be late because of a page that is read back.
        if configuration.audio.priority > 0, let warning = ResidentMemory.lock() { warn(warning) }
        // A quarter of the playing speaker's memory would be code that only waits: SQLite's for the next save, ours for the next scan or
        // client.
        let seldomCode = ResidentMemory.unlock(library: "libsqlite3.") + ResidentMemory.unlockSeldomCode()
        speaker.places.didSave = { ResidentMemory.giveBack(seldomCode) }
    }

    private func didChange(_ changes: Changes) {
        if changes.contains(.player) { speaker.troubleMayHaveChanged() }
        if changes.contains(.menu) { buttons?.setMenu(isOpen: speaker.isMenuOpen) }
        if changes.contains(.modes) { followAlarms() }
        screens.setNeedsUpdate()
        service?.update()
        consoles.tell(changes)
    }

    /// Reports that buttons and consoles work from now on.
    func ready() {
        service = ServiceManager().map { manager in
            ServiceReports(
                speaker: speaker, audio: player, timers: loop, watchdogMilliseconds: manager.watchdogMilliseconds
            ) { manager.tell($0) }
        }
        service?.ready()
        // Not before the first sound has had the disk for itself.
        loop.schedule(inMilliseconds: 10_000) { [self] in readPages() }
        Log.notice("ready")
    }

    private func readPages() {
        guard let pages = PagesInMemory(path: configuration.statePath + "/nightstand.db") else { return }
        // If too much waits already, the program does without.
        do throws(Job.Refusal) {
            try worker.perform(.background) {
                pages.readMore() ? .again : .done
            } finish: { _ in
            }
        } catch {}
    }

    /// Saves everything and ends the threads, within 2 s even if some hang.
    func shutDown() {
        exitGuard.begin()
        service?.stopping()
        screens.announce(.goodbye)
        speaker.saveForTheEnd()
        player.stop()
        network?.streams.close()
        network?.feeds.close()
        keeper.stop()
        worker.stop()
        consoles.close()
        haptics?.close()
        light?.close()
        speaker.library.settle()
        speaker.library.close()
        Fuse.end()
        // Once the screens are dark, all is saved and the plug may be pulled.
        screens.turnOff()
    }
}
