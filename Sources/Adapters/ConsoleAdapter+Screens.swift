import Console
import Core

extension ConsoleAdapter {
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
