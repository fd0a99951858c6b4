// SPDX-License-Identifier: Apache-2.0
extension Schema {
    /// * `playing`: the way in which the queue is gone through, and since when it is paused, in seconds since 1970.
    /// * `speed`: the speed of a book, as "1.5", with the audio of one of its files. Before `settingTable`, numbers below 1 were the
    ///   speaker's own settings.
    static var speakerColumns: String {
        """
        CREATE TABLE playing(
          id INTEGER PRIMARY KEY CHECK(id = 1),
          isRandom INTEGER NOT NULL DEFAULT 0 CHECK(isRandom IN (0, 1)),
          repeats INTEGER NOT NULL DEFAULT 0 CHECK(repeats IN (0, 1)),
          single INTEGER NOT NULL DEFAULT 0 CHECK(single BETWEEN 0 AND 2),
          consumes INTEGER NOT NULL DEFAULT 0 CHECK(consumes IN (0, 1)),
          mixRamp INTEGER NOT NULL DEFAULT 0,
          mixRampDelay INTEGER NOT NULL DEFAULT 0,
          pausedSince INTEGER
        ) STRICT;
        \(speedTable)

        """
    }

    /// As older databases have it; see `factTables`.
    static var speedTable: String { "CREATE TABLE speed(content INTEGER PRIMARY KEY, factor TEXT NOT NULL) STRICT;" }

    /// * `alarm`: see `Alarm`. It plays a playlist where that has a name, else an item, else goes on with what was heard last.
    static var alarmTable: String {
        """
        CREATE TABLE alarm(
          id INTEGER PRIMARY KEY,
          minute INTEGER NOT NULL CHECK(minute BETWEEN 0 AND 1439),
          days INTEGER NOT NULL CHECK(days BETWEEN 0 AND 127),
          playlist TEXT NOT NULL,
          item INTEGER,
          isBook INTEGER NOT NULL CHECK(isBook IN (0, 1)),
          rise INTEGER NOT NULL,
          loudness INTEGER NOT NULL,
          isOn INTEGER NOT NULL CHECK(isOn IN (0, 1)),
          since INTEGER,
          rang INTEGER
        ) STRICT;
        """
    }

    /// * `setting`: see `Library.KeptSetting`.
    static var settingTable: String {
        """
        CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
        \(settingsOfSpeeds)
        """
    }

    /// Moves the speaker's own settings out of the table of speeds, where each had a number below 1.
    static var settingsOfSpeeds: String {
        """
        INSERT OR IGNORE INTO setting(name, value) SELECT name, factor FROM speed JOIN (
          SELECT 0 AS number, 'speed' AS name UNION ALL VALUES(-1, 'silences'), (-2, 'level'), (-3, 'sleep'), (-4, 'boot'),
            (-5, 'changed'), (-6, 'week'), (-7, 'ringing'), (-8, 'clock'), (-9, 'manner'), (-10, 'loudest'), (-11, 'language'),
            (-12, 'headings'), (-13, 'voice')) ON number = content;
        DELETE FROM speed WHERE content < 1;
        """
    }

    /// * `skip`: what is skipped of each file of a book, see `SkippedEnds`, with the audio of one of its files.
    static var skipTable: String {
        "CREATE TABLE skip(content INTEGER PRIMARY KEY, seconds TEXT NOT NULL) STRICT;"
    }

    /// * `loudness`: the loudness of audio, see `LoudnessRow`.
    static var loudnessTable: String {
        "CREATE TABLE loudness(content INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;"
    }
}
