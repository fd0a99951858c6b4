// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Posix

/// FTS5's tokenizer, which splits a text into words as in its index: `unicode61`, without case and accents.
///
/// On the thread of its connection, and not longer than that.
public final class WordTokenizer {
    private let module: fts5_tokenizer
    private let instance: OpaquePointer

    /// Returns nil if this SQLite has no FTS5.
    public init?(_ database: Database) {
        guard let api = ns_sqlite3_fts5(database.handle), let find = api.pointee.xFindTokenizer else { return nil }
        var module = fts5_tokenizer()
        var context: UnsafeMutableRawPointer?
        guard find(api, "unicode61", &context, &module) == SQLITE_OK, let create = module.xCreate else { return nil }
        var instance: OpaquePointer?
        // The same as in `WordTokenizer.arguments`.
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

    /// The `tokenize` option of a table that indexes these words.
    public static let arguments = "unicode61 remove_diacritics 2"

    /// Calls `body` for each word of a UTF-8 text, in order and in the index's form, until it returns false. The bytes are valid only
    /// during the call.
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
