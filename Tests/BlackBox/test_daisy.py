"""Talking books, as libraries for blind people lend them: copied into the library, each is one book in reading order, with its headings,
pages and words."""

import os

from harness import MPD, until
from screens import Glass

# (SMIL file, words, audio, from, to, level of the heading, page): the names of the audio are in another order.
RIVER = [
    (0, "Part One", "zz.mp3", 0, 2, 1, None),
    (0, "The River Bank", "zz.mp3", 2, 5, 2, "56"),
    (0, "The Mole had been busy.", "zz.mp3", 5, 12, None, None),
    (1, "The Open Road", "aa.mp3", 0, 3, 2, "57"),
    (1, "Ratty, said the Mole.", "aa.mp3", 3, 12, None, None),
]


def head(title):
    return (f'<html><head><title>{title}</title>\n<meta name="dc:title" content="{title}" /><meta name="dc:creator" content="K. Grahame" />\n'
            '<meta name="dc:language" content="fr" /><meta name="ncc:narrator" content="Ann Reader" /></head><body>\n')


def daisy2(title):
    """Without text, as most are: the files of DAISY 2.02 by their names."""
    index, files = head(title), {}
    for number, (smil, words, _, _, _, level, page) in enumerate(RIVER):
        link = f"s{smil}.smil#t{number}"
        if page:
            index += f'<span class="page-normal" id="g{page}"><a href="{link}">{page}</a></span>\n'
        if level:
            index += f'<h{level} id="h{number}"><a href="{link}">{words}</a></h{level}>\n'
    for smil in (0, 1):
        pars = "".join(f'<par id="p{number}"><text src="ncc.html#h{3 * smil}" id="t{number}"/><seq><audio src="{audio}" '
                       f'clip-begin="npt={begin}.000s" clip-end="npt={end}.000s"/></seq></par>\n'
                       for number, (of, _, audio, begin, end, _, _) in enumerate(RIVER) if of == smil)
        files[f"S{smil}.SMIL"] = f'<?xml version="1.0"?>\n<smil><body><seq>{pars}</seq></body></smil>\n'
    files["NCC.HTML"] = '<?xml version="1.0" encoding="windows-1252"?>\n' + index + "</body></html>\n"
    return files


def daisy3(title):
    """With text: a package, an NCX, SMIL files and a DTBook."""
    package = (f'<package><metadata><dc-metadata xmlns:dc="d"><dc:Title>{title}</dc:Title><dc:Creator>K. Grahame</dc:Creator>'
               '<dc:Language>fr</dc:Language></dc-metadata><x-metadata><meta name="dtb:narrator" content="Ann Reader"/></x-metadata></metadata>'
               '<manifest><item id="n" href="book.ncx" media-type="application/x-dtbncx+xml"/><item id="s0" href="s0.smil" '
               'media-type="application/smil"/><item id="s1" href="s1.smil" media-type="application/smil"/></manifest>'
               '<spine><itemref idref="s0"/><itemref idref="s1"/></spine></package>')
    points, pages, depth, book = "", "", 0, ""
    for number, (smil, words, _, _, _, level, page) in enumerate(RIVER):
        link = f's{smil}.smil#p{number}'
        if level:
            points += "</navPoint>" * (depth - level + 1) + f'<navPoint><navLabel><text>{words}</text></navLabel><content src="{link}"/>'
            depth = level
        if page:
            pages += f'<pageTarget value="{page}"><navLabel><text>{page}</text></navLabel><content src="{link}"/></pageTarget>'
        book += f'<p><sent id="x{number}">{words}</sent></p>\n'
    files = {"book.opf": package, "book.xml": f"<dtbook><book>{book}</book></dtbook>",
             "book.ncx": f'<ncx><navMap>{points}{"</navPoint>" * depth}</navMap><pageList>{pages}</pageList></ncx>'}
    for smil in (0, 1):
        pars = "".join(f'<par id="p{number}"><text src="book.xml#x{number}"/><audio src="{audio}" clipBegin="0:00:{begin:02}.000" '
                       f'clipEnd="0:00:{end:02}.000"/></par>\n' for number, (of, _, audio, begin, end, _, _) in enumerate(RIVER) if of == smil)
        files[f"s{smil}.smil"] = f"<smil><body><seq>{pars}</seq></body></smil>\n"
    return {name: '<?xml version="1.0" encoding="utf-8"?>\n' + text for name, text in files.items()}


class Daisy(Glass):
    def add(self, folder, files, encoding="utf-8"):
        os.makedirs(os.path.join(self.library, folder))
        for name in ("zz.mp3", "aa.mp3"):
            self.add_noise(f"{folder}/{name}", 13, seed=folder + name)
        for name, text in files.items():
            with open(os.path.join(self.library, folder, name), "w", encoding=encoding) as file:
                file.write(text)

    def values(self, command, wanted):
        pairs = [line.split(": ", 1) for line in self.mpd(command)]
        return [value for name, value in pairs if name == wanted]

    def place(self):
        return float(self.mpd.fields("status")["elapsed"])

    def segments(self):
        """How many; None while they are being read."""
        try:
            return int(self.mpd.fields("transcript")["segments"])
        except MPD.Refused:
            return None

    def check_book(self, folder, title):
        """What a library's listing and MPD's clients tell of it."""
        self.assertEqual(self.values("books title", "Title"), [title])
        book = self.mpd.fields(f"book {folder}/zz.mp3")
        self.assertEqual([book[name] for name in ("Title", "Author", "Narrator", "Language", "files")],
                         [title, "K. Grahame", "Ann Reader", "fr", "2"])
        self.assertEqual(self.values(f"book {folder}/zz.mp3", "chapter"), ["Part One", "The River Bank"])
        self.assertEqual(self.values(f"book {folder}/zz.mp3", "level"), ["1", "2"])
        self.assertEqual(self.values(f"lsinfo {folder}", "file"), [f"{folder}/zz.mp3", f"{folder}/aa.mp3"])
        self.assertEqual(self.values(f"lsinfo {folder}", "Title"), ["Part One", "The Open Road"])
        self.assertEqual(self.values(f"lsinfo {folder}/zz.mp3", "Title"), ["Part One", "The River Bank"])

    def test_daisy_2_in_reading_order_with_phrases_and_pages(self):
        self.add("abk12", daisy2("L'été à la rivière"), "windows-1252")
        self.start()
        self.check_book("abk12", "L'été à la rivière")
        self.assertNotIn("ncc.html", self.log())
        self.mpd("book play abk12")
        self.wait_playing()
        self.shows("Part One")
        self.mpd("pause 1")
        # Along its phrases, which have no words.
        self.mpd("seekcur 0")
        until(lambda: self.segments() == 3, what="the phrases")
        for wanted in (2, 5):
            self.mpd("sentence next")
            until(lambda: abs(self.place() - wanted) < 0.02, what=f"the phrase at {wanted} s")
        self.assertEqual(self.values("transcript 9", "text"), [])
        # To a page in the other file.
        self.mpd("book page 57")
        until(lambda: self.mpd.fields("currentsong")["file"] == "abk12/aa.mp3", what="the page")
        self.assertEqual(self.mpd.fields("book")["page"], "57")
        self.shows("The Open Road")
        with self.assertRaisesRegex(MPD.Refused, "The book has no page 99"):
            self.mpd("book page 99")

    def test_daisy_3_shows_the_sentence_that_is_spoken(self):
        self.add("dtb", daisy3("Été & hiver".replace("&", "&amp;")))
        self.start()
        self.check_book("dtb", "Été & hiver")
        self.mpd("book play dtb")
        self.wait_playing()
        self.mpd("seekcur 6")
        self.shows("The Mole had")
        self.mpd("sentence next")
        until(lambda: self.mpd.fields("currentsong")["file"] == "dtb/aa.mp3", what="the next file")
        self.mpd("seekcur 4")
        self.shows("Ratty")
        until(lambda: self.values('say "ratty"', "file") == ["dtb/aa.mp3"], 30, "the words to be found")
        self.assertEqual(self.values('say "ratty"', "start"), ["3.000"])

    def test_what_is_missing_or_protected_is_said(self):
        self.add("lost", daisy2("Lost"))
        os.remove(os.path.join(self.library, "lost", "aa.mp3"))
        os.makedirs(os.path.join(self.library, "locked"))
        self.add_noise("locked/a.mp3", 3)
        with open(os.path.join(self.library, "locked", "book.opf"), "w") as file:
            file.write('<?xml version="1.0"?><EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#"/>')
        self.start()
        self.assertEqual(self.values("books title", "Title"), ["Lost"])
        until(lambda: "NCC.HTML: names 1 file that is not there: aa.mp3" in self.log(), what="the missing file")
        self.assertIn("book.opf is a protected talking book (PDTB)", self.log())
