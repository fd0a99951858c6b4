// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Posix

/// FTS5's own way of taking a text apart into words, as its index has them: `unicode61`, without regard to case and accents.
///
/// On the thread of the connection that lent it, and no longer than that.
public final class WordTokenizer {
    private let module: fts5_tokenizer
    private let instance: OpaquePointer

    /// Nil where this SQLite has no FTS5.
    public init?(_ database: Database) {
        guard let api = ns_sqlite3_fts5(database.handle), let find = api.pointee.xFindTokenizer else { return nil }
        var module = fts5_tokenizer()
        var context: UnsafeMutableRawPointer?
        guard find(api, "unicode61", &context, &module) == SQLITE_OK, let create = module.xCreate else { return nil }
        var instance: OpaquePointer?
        // As `WordTokenizer.arguments` has it.
        let code = "remove_diacritics".withCString { name in
            "2".withCString { value in
                var arguments: [UnsafePointer<CChar>?] = [name, value]
                return create(context, &arguments, 2, &instance)
            }
        }
        guard code == SQLITE_OK, let instance else { return nil }
        self.module = module
        self.instance = instance
    }

    deinit { module.xDelete?(instance) }

    /// The table's `tokenize` option for an index of these words.
    public static let arguments = "unicode61 remove_diacritics 2"

    /// Calls `body` for each word of a text in UTF-8, in order, as the index has it, until it returns false. The bytes are there
    /// during the call only.
    public func forEachWord(
        of text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool
    ) {
        guard let tokenize = module.xTokenize, let start = text.baseAddress, text.count > 0 else { return }
        withoutActuallyEscaping(body) { body in
            var receiver = Receiver(body: body)
            withUnsafeMutablePointer(to: &receiver) { receiver in
                _ = tokenize(
                    instance, receiver, FTS5_TOKENIZE_DOCUMENT, start.assumingMemoryBound(to: CChar.self),
                    Int32(clamping: text.count)
                ) { context, _, word, count, _, _ in
                    guard let receiver = context?.assumingMemoryBound(to: Receiver.self) else { return SQLITE_DONE }
                    let bytes = UnsafeRawBufferPointer(start: word, count: Int(count))
                    return receiver.pointee.body(bytes) ? SQLITE_OK : SQLITE_DONE
                }
            }
        }
    }

    private struct Receiver {
        let body: (UnsafeRawBufferPointer) -> Bool
    }
}
