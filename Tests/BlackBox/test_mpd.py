# SPDX-License-Identifier: Apache-2.0
"""The speaker's answers beside MPD's own, over the same library."""

import unittest

import harness
import mpd_commands
import real_mpd as mpd


@unittest.skipIf(mpd.why_not(), mpd.why_not())
class Answers(mpd.ComparedCase):
    """Commands that are put to both, one after the other."""

    def test_folders(self):
        self.compare(
            "lsinfo", 'lsinfo ""', "lsinfo /", "lsinfo Bob", 'lsinfo "Ada Reader/Nights"', "lsinfo Bob/Tale.mp3", "lsinfo nowhere",
            "lsinfo ../x", "listall", "listall Bob", "listall Bob/Tale.mp3", "listall nowhere", "listallinfo",
            'listallinfo "Ada Reader"', "listallinfo Bob/Tale.mp3", "listallinfo a b", "listfiles Bob", "listfiles nowhere")

    def test_filters(self):
        every = "(file != '')"
        expressions = [
            "(artist == 'Ada Reader')", "(artist==\\\"Ada Reader\\\")", "((artist == 'Ada Reader') AND (title contains 'moth'))",
            "((artist == 'Ada Reader') AND (title contains 'Moth'))", "( (artist == 'Zed'))", "(Artist  ==  'Zed'  )",
            "(artist =~ '^Ada')", "(artist !~ '^Ada')", "(title =~ '[aeiou]{2}')", "(title =~ '^(Tale|wind)$')", "(genre == '')",
            "(genre != '')", "(genre == 'Fiction')", "(albumartist == 'Bob Second')", "(albumartist == 'Ada & Co')",
            "(AlbumArtistSort == 'Zed')", "(artistsort == 'Reader, Ada')", "(artistsort == 'Ada Reader')", "(base 'Bob')",
            "(base '')", "(base 'Bob/Deep')", "(base 'Bob/Tale.mp3')", "(base 'nowhere')", "(modified-since '1690000000')",
            "(modified-since '2023-11-14T22:13:21Z')", "(modified-since '2023-11-14')", "(AudioFormat == '22050:16:1')",
            "(AudioFormat =~ '22050:*:*')", "(AudioFormat =~ '*:*:2')", "(any == 'Tale')", "(any contains 'Nin')", every,
            "(file == 'loose.mp3')", "(filename == 'loose.mp3')", "(artist !contains 'Ada')", "(artist CONTAINS 'Zed')",
            "(!(artist == 'Ada Reader'))", "(!((artist == 'Ada Reader') AND (title == 'wind')))", "(artist contains '')",
            "((base 'Bob') AND (!(artist == 'Zed')) AND (date != '2019'))", "(comment == 'a comment')", "(composer == 'Nina Narrator')",
            "(performer == '')", "(disc == '1')", "(track == '10')", "(MUSICBRAINZ_ARTISTID == 'bbbb')", "(originaldate == '1987')",
            "(conductor == 'Conny Ductor')", "(label != '')", "(grouping == 'Group')", "(movement == 'Allegro')"]
        wrong = [
            "(foo == 'x')", "(artist == 'x'", "(artist == x)", "(artist is 'x')", "(artist == 'x') y", "()", "(!artist == 'Zed')",
            "((artist == 'x') OR (title == 'y'))", "(artist =~ '[')", "(AudioFormat == 'x')", "(AudioFormat == '22050:16')",
            "(AudioFormat == '22050')", "(AudioFormat == '22050:16:1:2')", "(AudioFormat == '22050:x:1')", "(AudioFormat == '22050:16:*')",
            "(AudioFormat contains 'x')", "(prio >= 0)", "(modified-since 'x')", "(artist == 'x"]
        self.compare(*(f'{command} "{filter}"' for command in ("find", "search") for filter in expressions + wrong))
        pairs = ['artist "Ada Reader"', "artist Zed title Still", "any Tale", "file loose.mp3", "filename loose.mp3", "base Bob",
                 "modified-since 1690000000", "modified-since 2023-11-14T22:13:21Z", 'albumartist "Bob Second"', 'genre ""', 'any ""',
                 "foo bar", "artist", 'base ""', "base nowhere", "base /Bob", "base Bob/", "base ../x", "modified-since xx", "",
                 "(artist x", "artist x group album", "artist x sort foo", "artist x sort", "artist x window 3:1", "artist x window a",
                 "title TALE", "title moth", "album nights", "title leçon", "artist ÉMILE"]
        self.compare(*(f"{command} {pair}" for command in ("find", "search", "count") for pair in pairs if command != "count"
                       or "sort" not in pair and "window" not in pair))

    def test_order(self):
        every = "\"((title != '') AND (file != 'untitled.mp3'))\""
        # Of what sorts the same the order is each one's own, so no two songs do here.
        self.compare(*(f"find {every} {rest}" for rest in (
            "sort title", "sort -title", "sort title window 1:3", "sort -Title window 2:", "sort Last-Modified window 0:1",
            "sort foo", "sort file", "sort prio", "window 3:1")), keep_order=True)
        self.compare(*(f"find \"(album == 'Nights')\" {rest}" for rest in ("sort track", "sort -track", "sort Last-Modified",
                       "sort -Last-Modified window 1:2")), keep_order=True)
        self.compare("find \"((artist != '') AND (title != ''))\" sort artist window 0:0", keep_order=True)

    def test_lists_and_counts(self):
        self.compare(
            "list artist", "list Album", 'list album "Ada Reader"', 'list album artist "Ada Reader" group date',
            "list album group artist group date", "list albumartist", "list genre group artist", "list date", "list composer",
            'list album "(artist == \'Ada Reader\')" group albumartist', "list artist album Nights", "list any", "list foo",
            "list album foo bar", "list artist x", "list artistsort", "list album group foo", "list album group album",
            "list album group", "list albumartistsort group albumartist", "list", "list artist window 0:1", "list base",
            "list track", "list disc group album", "list MUSICBRAINZ_ARTISTID", "list album albumartist Zed",
            'count artist "Ada Reader"', "count group artist", 'count "(artist != \'\')" group album', "count",
            "count artist x group artist group album", "count group foo", "count artist x", 'count artist "Ada Reader" group title',
            "count \"(title =~ 'x')\" group", keep_order=True)
        self.compare("list file", "list filename", "list file artist Zed", "list file \"(base 'Bob')\"")

    def test_what_the_server_is(self):
        self.compare("tagtypes", "tagtypes clear", "tagtypes", "tagtypes enable title album", "tagtypes",
                     "find title Tale", "tagtypes disable Album", "tagtypes", "tagtypes all", "tagtypes", "tagtypes foo",
                     "tagtypes enable foo", "tagtypes enable", "tagtypes clear x", "ping", "ping x", "urlhandlers x", "config x",
                     "decoders x", "stats x", keep_order=True)
        stats = [dict(mpd.ask(client, "stats", harness.MPD.Refused).fields) for client in (self.theirs, self.mpd)]
        # The times of listening and the underruns of each day and hour are this speaker's own.
        self.assertEqual(stats[0].keys(), stats[1].keys() - {"week", "hours", "xruns"})
        for key in ("artists", "albums", "songs", "db_playtime"):
            self.assertEqual(stats[0][key], stats[1][key], key)

    def test_queue_from_a_filter(self):
        self.theirs("clear")
        self.mpd("clear")
        queue = ["playlistinfo 0", "playlist"]
        for commands in (['findadd title Tale'], ['findadd title Still position 0'], ["searchadd any LAMP position 1"],
                         ["findadd title Tale position 99"], ["findadd \"(album == 'Nights')\" sort title window 0:1 position 2"],
                         ["findadd artist Zed position +0"], ["findadd artist nobody"], ["findadd artist Zed position"],
                         ["searchadd title WIND window 0:1 position 0"], ["playlistinfo 1:3"], ["playlistinfo 99"],
                         ["playlistinfo 99:100"], ["playlistinfo 3:1"], ["playlistinfo x"], ["playlistid 9999"],
                         ["playlistfind title Tale"], ["playlistsearch any tale"], ["playlistfind"], ["playlistfind artist"],
                         ["playlistfind \"(title == 'Tale')\""], ["currentsong"]):
            with self.subTest(commands):
                self.compare_queue(*commands, *queue)

    def compare_queue(self, *commands):
        """Ids are each one's own."""
        for command in commands:
            answers = []
            for client in (self.theirs, self.mpd):
                answer = mpd.ask(client, command, harness.MPD.Refused)
                answer.fields = [(key, value) for key, value in answer.fields if key != "Id"]
                answers.append(answer)
            difference = mpd.difference(*answers, keep_order=True)
            self.assertIsNone(difference, f"{command}: {difference}")


@unittest.skipIf(mpd.why_not(), mpd.why_not())
class EveryCommand(mpd.ComparedCase):
    """Each of MPD's commands, asked of both in the same state."""

    def prepare(self):
        """The same queue for both; the Ids that each has given."""
        ids = []
        for client in (self.theirs, self.mpd):
            for command in ("stop", "clear", "repeat 0", "random 0", "single 0", "consume 0", "crossfade 0"):
                mpd.ask(client, command, harness.MPD.Refused)
            for song in mpd_commands.SONGS:
                client(f'add "{song}"')
            ids.append([int(line[4:]) for line in client("playlistinfo") if line.startswith("Id: ")])
        return ids

    #: Of these the values are each one's own.
    OWN = {"playlist", "elapsed", "time", "bitrate", "audio", "mixrampdb", "mixrampdelay", "Last-Modified", "updating_db", "volume",
           "xfade", "duration"}

    def settled(self, command, answer, ids):
        """The answer without what must be another in each."""
        places = {str(id): f"#{place}" for place, id in enumerate(ids)}
        fields = []
        for key, value in answer.fields:
            if key in ("Id", "songid", "nextsongid", "nextsong") or key == "sticker_id":
                value = places.get(value, "new")
            if command == "status" and key in self.OWN:
                value = ""
            fields.append((key, value))
        if command == "status":
            # Each plays on a card of its own.
            fields = sorted(field for field in fields if field[0] not in
                            ("audio", "bitrate", "error", "mixrampdb", "mixrampdelay", "nextsong", "nextsongid", "speed"))
        answer.fields = fields
        return answer

    def test_every_command(self):
        announced = self.theirs("commands")
        theirs = sorted(line.split(": ")[1] for line in announced)
        ours = {line.split(": ")[1] for line in self.mpd("commands")}
        table, unexpected = [], []
        for command in theirs:
            why = "" if command in ours else "not known here"
            if not why and command in mpd_commands.PROBES:
                why = self.first_difference(mpd_commands.PROBES[command])
            reason = mpd_commands.DIFFERS.get(command, "")
            table.append(f"{command:20} {'differs: ' + (reason or why) if why else 'same'}")
            if bool(why) != bool(reason):
                unexpected.append(f"{command}: {why or 'is the same now, but named in DIFFERS'}")
        same = sum(line.endswith(" same") for line in table)
        print("\n".join(table) + f"\n{same} of {len(table)} commands answer as MPD does", flush=True)
        if unexpected:
            self.fail(f"{same} of {len(table)} are the same; not as the table says:\n" + "\n".join(unexpected))

    def first_difference(self, probes):
        ids = self.prepare()
        for probe in probes:
            answers = []
            for client, own in zip((self.theirs, self.mpd), ids):
                line = probe.format(*own)
                answers.append(self.settled(line.split(" ")[0], mpd.ask(client, line, harness.MPD.Refused), own))
            difference = mpd.difference(*answers)
            if difference:
                return f"{probe}: {difference}"
        return ""


if __name__ == "__main__":
    unittest.main()
