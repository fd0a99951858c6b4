// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Text
import Workers

/// The languages with words, and the current one. Control thread; the worker reads words.
public final class Languages {
    /// The languages, such as "de". English, which is in the program, is one of them.
    let all: [String]
    public private(set) var current: String
    private let folder: String
    private let worker: any Performer
    /// Called when the language has changed.
    public var didChange: (String) -> Void = { _ in }

    /// - Parameters:
    ///   - found: names in the folder with the words.
    ///   - current: the present language.
    public init(_ found: [String], current: String, folder: String, worker: any Performer) {
        var all = ["en"]
        for language in [current] + found where !all.contains(language) { all.append(language) }
        all.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        self.all = all
        self.current = current
        self.folder = folder
        self.worker = worker
    }

    /// Switches to a language once its words are there.
    /// - Parameter done: gets true if it is the language now.
    func speak(_ language: String, done: @escaping (Bool) -> Void) {
        var words: Translation.Words?
        let folder = folder
        do throws(Job.Refusal) {
            try worker.perform(.pressed, key: "language") {
                if language != "en" { words = Translation.Words(language, folder: folder) }
                return .done
            } finish: { [self] outcome in
                if outcome == .superseded { return }
                guard outcome == .done, words != nil || language == "en" else { return done(false) }
                Translation.speak(words)
                current = language
                didChange(language)
                done(true)
            }
        } catch { done(false) }
    }
}
