import Console
import Core
import Display
import Library
import Model
import Speaker

extension ConsoleAdapter {
    public var screen: ScreenDescription {
        let showing = speaker.showing()
        var screen = ScreenDescription()
        screen.trouble = showing.trouble?.words ?? ""
        guard showing.item != nil, let path = speaker.currentItem?.path else { return screen }
        screen.uri = names.uri(of: path)
        if speaker.currentBounds != nil, let entry = speaker.queue.current {
            screen.uri = names.uri(of: path, chapter: Int(entry.chapter))
        }
        screen.title = showing.title
        screen.artist = showing.artist
        screen.book = showing.album
        screen.chapter = showing.chapter.map {
            ScreenDescription.Chapter(title: $0.title, number: $0.index + 1, count: $0.count)
        }
        screen.isFavourite = showing.isFavourite
        screen.hasPicture = showing.artwork != nil
        return screen
    }

    public func screenCame() { trees.screenCame() }
    public func screenWent() { trees.screenWent() }

    public func screenTree() throws(ConsoleError) -> Awaited<[ElementDescription]> {
        let tree = try trees.ask()
        consolesDidChange(.screen)
        return tree
    }

    public func screenTells(_ elements: [ElementDescription]) { trees.tell(elements) }

    public func feel(_ haptic: Haptic) throws(ConsoleError) {
        guard let haptics else { throw ConsoleError(.noExist, "nothing to feel it with: see [haptics] line") }
        haptics(haptic)
    }
}
