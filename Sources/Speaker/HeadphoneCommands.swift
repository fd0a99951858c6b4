// SPDX-License-Identifier: Apache-2.0
import Core
import Display
import Model
import Posix
import Text

/// Wireless headphones. While some are connected, the sound goes there, except an alarm's: they may lie in a drawer.
extension Speaker {
    /// The list of headphones; nil before their process has started.
    public var headphones: HeadphoneList? { sound.headphones }

    /// The headphones with the sound; nil while it goes to the card.
    public var headphonesInUse: Headphones? { sound.isOnHeadphones ? sound.headphones?.connected : nil }

    /// Takes the list of headphones from their process.
    public func headphonesAre(_ list: HeadphoneList) {
        let (before, entry) = (sound.headphones, menu.status?.entry)
        if before == list { return }
        sound.headphones = list
        menu.didFind(.headphones)
        menu.didFind(.newHeadphones)
        if let found = menu.status, found.list == .newHeadphones, found.entry != entry {
            audience.answers?.tell(SpokenWords.sentences([SpokenWords.entry(found.entry)]))
        }
        if before?.connected?.device != list.connected?.device {
            let isGone = list.connected == nil
            // Pause like a wired socket's switch: the room must stay silent.
            if isGone && sound.isOnHeadphones && wantsToPlay && !alarms.isRinging { pause(nil) }
            useHeadphones(list.connected != nil)
        }
        // Announced where the sound goes from now on.
        for one in list.all {
            let old = before?.all.first { $0.address == one.address }?.state
            if one.state == .failed && old != .failed { say(.cannotConnect(one.name)) }
            if one.state == .connected && old != .connected { say(.connected(one.name)) }
        }
        audience.didChange(.output)
    }

    /// Brings the sound to the connected headphones, or to the card.
    public func useHeadphones(_ wanted: Bool) {
        let device = wanted ? sound.headphones?.connected?.device : nil
        player.setDevice(device)
        if (device != nil) != sound.isOnHeadphones {
            saveState()
            sound.isOnHeadphones = device != nil
            sound.volume.setHeadphones(device != nil)
            limitVolume()
            audience.didChange(.volume)
        }
        audience.didChange(.output)
    }

    /// Announces pairing by itself: it takes so long that it no longer counts as the answer to a press.
    private func say(_ notice: Notice) {
        audience.announce(notice)
        audience.answers?.tell(SpokenWords.sentences([notice.words]))
    }

    /// True while the menu shows a search for headphones nearby.
    var isFindingHeadphones: Bool {
        menu.status?.list == .newHeadphones && sound.headphones?.isScanning ?? false
    }

    /// Returns false if the headphones' process is away.
    @discardableResult
    public func ask(_ request: HeadphoneRequest) -> Bool {
        let isTaken = sound.askHeadphones(request)
        if !isTaken { audience.announce(.cannotConnect(MenuList.headphones.words)) }
        return isTaken
    }

    // MARK: The menu

    func count(ofHeadphones list: MenuList) -> Int { entries(ofHeadphones: list).count }

    func entries(ofHeadphones list: MenuList) -> [MenuEntry] {
        guard let headphones = sound.headphones else { return [] }
        switch list {
        case .headphones:
            return headphones.known.map {
                MenuEntry(
                    .list(.knownHeadphones($0.address, name: $0.name)), $0.name, isCurrent: $0.state == .connected)
            } + [MenuEntry(.list(.newHeadphones), MenuList.newHeadphones.words)]
        case .newHeadphones:
            let words = headphones.isScanning ? translated("Searching…") : translated("Nothing more found")
            return headphones.new.map { MenuEntry(.headphones(.pair($0.address)), $0.name) } + [
                MenuEntry(.nothing, words)
            ]
        case .knownHeadphones(let address, _):
            guard let one = headphones.known.first(where: { $0.address == address }) else { return [] }
            return [
                one.state == .connected
                    ? MenuEntry(.headphones(.disconnect(address)), translated("Disconnect"))
                    : MenuEntry(.headphones(.connect(address)), translated("Connect")),
                MenuEntry(.headphones(.forget(address)), translated("Forget")),
            ]
        default: return []
        }
    }
}
