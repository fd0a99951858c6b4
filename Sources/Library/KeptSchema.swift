// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import SQLite

/// The first page of each table, kept in a small file beside the database. The database has this only in its own first pages, and without
/// them every row is lost. A table's first page stays where it is until a newer schema moves it.
enum KeptSchema {
    /// A table that was in the database.
    struct Table {
        let name: String
        /// The number of its first page.
        let root: Int64
        /// The statement that made it.
        let sql: String
    }

    /// Returns the name of the file for a database.
    static func name(_ path: String) -> String { path + ".schema" }

    /// Keeps the schema of a database. Without room for it, nothing is kept.
    static func keep(_ database: Database, path: String) {
        let part = name(path) + ".part"
        Database.remove(part)
        do throws(SQLiteError) {
            try database.prepare("ATTACH ? AS kept", .text(part)).run()
            defer { try? database.execute("DETACH kept") }
            try database.execute(
                """
                PRAGMA kept.journal_mode=OFF;
                CREATE TABLE kept.place AS SELECT name, rootpage, sql FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0
                """)
        } catch { return Database.remove(part) }
        try? Files.sync(part)
        try? Files.rename(part, to: name(path))
    }

    /// Removes the kept schema, since another schema or database is about to replace its own.
    static func forget(_ path: String) { Database.remove(name(path)) }

    /// - Parameter file: a kept schema. If it is missing or damaged, there are no tables.
    static func tables(_ file: String) -> [Table] {
        var tables: [Table] = []
        guard Files.exists(file), let database = try? Database(path: file),
            let rows = try? database.prepare("SELECT name, rootpage, sql FROM place")
        else { return [] }
        while (try? rows.step()) == true {
            tables.append(Table(name: rows.text(0), root: rows.integer(1), sql: rows.text(2)))
        }
        return tables
    }

    /// A copy of a database that shows SQLite one table at a time, as if there were no other, by replacing its first page.
    struct ReadableCopy {
        /// The path of the copy, for ATTACH.
        let path: String
        private static let mostBytes = 64 << 20

        /// - Parameters:
        ///   - damaged: the database, which stays as it is, with its log beside it.
        ///   - tables: the tables to read.
        /// - Returns: nil without room for a copy, or if nothing can be read.
        init?(of damaged: String, tables: [Table]) {
            path = damaged + ".reading"
            guard let first = tables.first, let file = try? Files.read(damaged, limit: ReadableCopy.mostBytes) else {
                return nil
            }
            remove()
            let log = (try? Files.read(damaged + "-wal", limit: ReadableCopy.mostBytes)) ?? []
            guard (try? Files.replace(path, with: file)) != nil,
                log.isEmpty || (try? Files.replace(path + "-wal", with: log)) != nil, show(first)
            else {
                remove()
                return nil
            }
            // Moves the log's pages into the file; its pages count, except the first.
            try? Database(path: path).execute(
                "PRAGMA locking_mode=EXCLUSIVE;PRAGMA wal_checkpoint(TRUNCATE);PRAGMA journal_mode=DELETE")
        }

        func remove() { Database.remove(path) }

        /// Writes a first page by which the copy has this table and nothing else.
        /// - Returns: false if the page cannot be written.
        func show(_ table: Table) -> Bool {
            let side = path + ".page"
            defer { Database.remove(side) }
            do throws(SQLiteError) {
                let page = try Database(path: side)
                page.allowSchemaWrites()
                try page.execute("PRAGMA page_size=1024;PRAGMA journal_mode=OFF;PRAGMA writable_schema=ON")
                try page.prepare(
                    "INSERT INTO sqlite_schema(type, name, tbl_name, rootpage, sql) VALUES('table', ?1, ?1, ?2, ?3)",
                    .text(table.name), .integer(table.root), .text(table.sql)
                ).run()
            } catch { return false }
            guard var page = try? Files.read(side, limit: 1024), page.count == 1024,
                let file = try? FileDescriptor.open(path, O_WRONLY)
            else { return false }
            // The size of the file gives the number of pages. https://www.sqlite.org/fileformat2.html#in_header_database_size
            for at in 28..<32 { page[at] = 0 }
            return page.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, 0) } == page.count
        }
    }
}
