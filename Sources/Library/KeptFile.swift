// SPDX-License-Identifier: Apache-2.0
import Posix
import SQLite

/// A file of favorites and bookmarks: `{"nightstand": "favourites", "version": 1, "kept": [...]}`, one object a line. Used in the process
/// that reads or writes the file.
public enum KeptFile {
    /// The largest accepted file. Ten thousand bookmarks are some megabytes.
    public static let mostBytes = 64 << 20
    private static let version = 1

    public struct Refusal: Error {
        /// The expectation that the file did not meet.
        public let message: String
    }

    /// Returns the bytes of the whole file.
    public static func bytes(_ objects: [String]) -> [UInt8] {
        var text = Array("{\"nightstand\":\"favourites\",\"version\":\(version),\"kept\":[".utf8)
        for (number, object) in objects.enumerated() {
            text += Array((number == 0 ? "\n" : ",\n").utf8)
            text += Array(object.utf8)
        }
        text += Array("\n]}\n".utf8)
        return text
    }

    /// Returns the objects of a file. It checks all before it returns any.
    public static func objects(_ bytes: [UInt8]) throws(Refusal) -> [String] {
        do throws(SQLiteError) {
            let database = try Database(path: ":memory:")
            let head = try database.prepare(
                """
                SELECT CASE WHEN json_valid(?1) THEN json_extract(?1, '$.nightstand') = 'favourites'
                  AND json_extract(?1, '$.version') = \(version) AND json_type(?1, '$.kept') = 'array' END
                """, .utf8(bytes))
            guard try head.step(), !head.isNull(0) else { throw SQLiteError(damage: "it is not JSON") }
            if head.integer(0) == 0 {
                throw SQLiteError(
                    damage:
                        "it holds no favourites of a speaker, expected \"nightstand\": \"favourites\", \"version\": 1"
                )
            }
            let rows = try database.prepare(
                """
                SELECT key, value, type = 'object' AND json_type(value, '$.hash') = 'text'
                  AND length(json_extract(value, '$.hash')) = 16 AND json_extract(value, '$.bytes') >= 0
                  AND json_type(value, '$.added') = 'integer' AND (json_extract(value, '$.kind') = 'favourite'
                    OR (json_extract(value, '$.kind') = 'bookmark' AND json_type(value, '$.milliseconds') = 'integer'))
                FROM json_each(?1, '$.kept')
                """, .utf8(bytes))
            var objects: [String] = []
            while try rows.step() {
                if rows.integer(2) == 0 {
                    throw SQLiteError(
                        damage: "entry \(rows.integer(0) + 1) is none, expected kind, hash, bytes and added")
                }
                objects.append(rows.text(1))
            }
            return objects
        } catch { throw Refusal(message: error.message) }
    }
}
