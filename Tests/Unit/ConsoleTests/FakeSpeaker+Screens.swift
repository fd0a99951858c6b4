import Core

@testable import Console

extension FakeSpeaker {
    var screen: ScreenDescription {
        var screen = ScreenDescription()
        guard status.current != nil else {
            screen.trouble = "No audio found"
            return screen
        }
        screen.uri = "willows/1.mp3"
        screen.title = "The River Bank"
        screen.book = "The Wind in the Willows"
        screen.chapter = ScreenDescription.Chapter(title: "", number: 1, count: 12)
        screen.isFavourite = true
        return screen
    }

    func screenCame() { actions.append("screen came") }
    func screenWent() { actions.append("screen went") }

    func screenTree() throws(ConsoleError) -> Awaited<[ElementDescription]> {
        if let failure { throw failure }
        let tree = Awaited<[ElementDescription]>()
        askedTrees.append(tree)
        onChange(.screen)
        return tree
    }

    func screenTells(_ elements: [ElementDescription]) {
        for tree in askedTrees { tree.settle(.success(elements)) }
        askedTrees = []
    }

    func feel(_ haptic: Haptic) throws(ConsoleError) {
        if let failure { throw failure }
        actions.append("feel " + haptic.name)
    }
}
