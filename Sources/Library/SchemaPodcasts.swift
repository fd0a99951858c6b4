// SPDX-License-Identifier: Apache-2.0
extension Schema {
    /// * `feed`: the podcasts that are subscribed to. `address` is where the feed is now; `origin` where it was when it was subscribed to,
    ///   which an episode's identity is made of. `name` is that of its folder. `checked` is when it was last asked for, `problem` why that
    ///   failed, "" where it did not.
    /// * `episode`: the facts about an item as an episode, beside those of all items. `stamp` tells whether the feed says of it what it
    ///   said before; `state` is `EpisodeState`.
    static var podcastTables: String {
        """
        CREATE TABLE feed(
          id INTEGER PRIMARY KEY,
          address TEXT NOT NULL UNIQUE,
          origin TEXT NOT NULL,
          name TEXT NOT NULL UNIQUE,
          title TEXT NOT NULL,
          author TEXT NOT NULL,
          details TEXT NOT NULL,
          picture TEXT NOT NULL,
          entityTag TEXT NOT NULL,
          lastModified TEXT NOT NULL,
          checked INTEGER NOT NULL,
          problem TEXT NOT NULL,
          added INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE episode(
          item INTEGER PRIMARY KEY,
          feed INTEGER NOT NULL,
          address TEXT NOT NULL,
          published INTEGER NOT NULL,
          picture TEXT NOT NULL,
          transcript TEXT NOT NULL,
          transcriptType TEXT NOT NULL,
          chapters TEXT NOT NULL,
          stamp INTEGER NOT NULL,
          state INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX episodeOrder ON episode(feed, published);

        """
    }

    /// * `isSerial`: the feed's own order; `chosenOrder`: "oldest" or "newest" as a person has chosen it, "" for as the feed says.
    /// * `number`: as `EpisodeDraft` has it. Each feed is read once more, so that the numbers come.
    static var orderColumns: String {
        """
        ALTER TABLE feed ADD COLUMN isSerial INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE feed ADD COLUMN chosenOrder TEXT NOT NULL DEFAULT '';
        ALTER TABLE episode ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
        UPDATE feed SET entityTag = '', lastModified = '', checked = 0;
        """
    }
}
