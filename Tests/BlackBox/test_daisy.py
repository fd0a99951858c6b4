# SPDX-License-Identifier: Apache-2.0
"""Talking books, as libraries for blind people lend them: copied into the library, each is one book in reading order, with its headings,
pages and words."""

import os
import shutil
import time
import zipfile

import audio
from harness import MPD, sample, until
from screens import Glass

# (SMIL file, words, audio, from, to, level of the heading, page): the names of the audio are in another order.
RIVER = [
    (0, "Part One", "zz.mp3", 0, 2, 1, None),
    (0, "The River Bank", "zz.mp3", 2, 5, 2, "56"),
    (0, "The Mole had been busy.", "zz.mp3", 5, 12, None, None),
    (1, "The Open Road", "aa.mp3", 0, 3, 2, "57"),
    (1, "Ratty, said the Mole.", "aa.mp3", 3, 12, None, None),
]


PICTURE = b"\xff\xd8\xff\xe0" + bytes(range(256)) * 40


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


def epub(title):
    """Its files by their names: a package, a navigation document, texts and SMIL files, each kind in a folder of its own."""
    package = (f'<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
               f'<dc:title>{title}</dc:title><dc:creator id="c">K. Grahame</dc:creator><meta refines="#c" property="role">aut</meta>'
               '<dc:language>fr</dc:language><meta property="media:narrator">Ann Reader</meta>'
               '<meta property="media:duration">0:00:24</meta></metadata><manifest>'
               '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
               '<item id="cover" href="images/front.jpg" media-type="image/jpeg" properties="cover-image"/>')
    headings, pages, depth, texts, pars = "", "", 0, ["", ""], ["", ""]
    for number, (smil, words, audio, begin, end, level, page) in enumerate(RIVER):
        link = f"text/c{smil}.xhtml#x{number}"
        if level:
            # The part's second list is within its first item.
            headings += ("</li></ol>" * (depth - level) + "</li>" if depth >= level else "<ol>") + f'<li><a href="{link}"><b>{words}</b></a>'
            depth = level
        if page:
            pages += f'<li><a href="text/c{smil}.xhtml#g{page}">{page}</a></li>'
            texts[smil] += f'<span id="g{page}"/>'
            pars[smil] += f'<seq epub:textref="../text/c{smil}.xhtml#g{page}">'
        texts[smil] += f'<p id="x{number}">{words}</p>\n'
        pars[smil] += (f'<par><text src="../text/c{smil}.xhtml#x{number}"/><audio src="../audio/{audio}" clipBegin="{begin}s" '
                       f'clipEnd="0:00:{end:02}.000"/></par>' + "</seq>" * bool(page) + "\n")
    files = {"nav.xhtml": '<html xmlns:epub="http://www.idpf.org/2007/ops"><body>'
                          f'<nav epub:type="toc"><h1>Contents</h1>{headings}{"</li></ol>" * depth}</nav>'
                          f'<nav epub:type="page-list"><ol>{pages}</ol></nav></body></html>'}
    for chapter in (0, 1):
        package += (f'<item id="t{chapter}" href="text/c{chapter}.xhtml" media-type="application/xhtml+xml" media-overlay="s{chapter}"/>'
                    f'<item id="s{chapter}" href="smil/c{chapter}.smil" media-type="application/smil+xml"/>')
        files[f"text/c{chapter}.xhtml"] = f"<html><head><title>{title}</title></head><body>{texts[chapter]}</body></html>"
        files[f"smil/c{chapter}.smil"] = ('<smil xmlns="http://www.w3.org/ns/SMIL" xmlns:epub="http://www.idpf.org/2007/ops"><body>'
                                          f'<seq epub:textref="../text/c{chapter}.xhtml">{pars[chapter]}</seq></body></smil>')
    files["package.opf"] = package + '</manifest><spine><itemref idref="t0"/><itemref idref="t1"/></spine></package>'
    files = {"OEBPS/" + name: text for name, text in files.items()}
    files["META-INF/container.xml"] = ('<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile '
                                       'full-path="OEBPS/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>')
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
        """The words of a library's listing and of MPD's clients about it."""
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

    def test_phrases_begin_at_their_clips_in_a_variable_bit_rate(self):
        """Of files that are loud and nearly silent by turns, so that no place can be told from the file's length."""
        rate, starts = 22050, {2: 2.345, 5: 6.789}
        smil = daisy2("River")
        for start, exact in starts.items():
            smil["S0.SMIL"] = smil["S0.SMIL"].replace(f"npt={start}.000s", f"npt={exact}s")
        self.add("abk", smil)
        path = os.path.join(self.library, "abk", "zz.mp3")
        samples = audio.noise(13, rate, "bits")
        for second in range(0, 13, 2):
            for index in range(second * rate, (second + 1) * rate):
                samples[index] //= 64
        audio.lame(path, samples, rate, "--resample", "22.05", "-V", "5")
        constant = os.path.getsize(os.path.join(self.library, "abk", "aa.mp3"))
        self.assertNotEqual(os.path.getsize(path), constant)
        whole, step = self.decoded(path), rate // 1000
        self.start()
        self.mpd("seek 0 0")
        until(lambda: self.segments() == 3, what="the phrases")
        self.mpd("play")
        self.wait_playing()
        for exact in starts.values():
            pressed = time.monotonic()
            self.mpd("sentence next")
            until(lambda: self.place() > exact + 0.5, what=f"the phrase at {exact} s")
            heard = self.card.heard(since=pressed)
            tail = len(heard) - rate // 2 & ~1
            behind = self.find(heard[tail:], whole) - tail
            # The last sample before the change over is the last that differs.
            first = tail
            while first >= 2 and abs(sample(heard, first - 2) - sample(whole, behind + first - 2)) < 2:
                first -= 2
            self.assertLess(abs((behind + first) / 2 / rate - exact), 0.02)

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

    def test_page_numbers_can_be_skipped(self):
        files = daisy2("River")
        files["S0.SMIL"] = files["S0.SMIL"].replace('<par id="p1"', '<par system-required="pagenumber-on" id="p1"')
        self.add("abk", files)
        whole = self.decoded(os.path.join(self.library, "abk", "zz.mp3"))
        self.start()
        self.mpd("seek 0 0")
        until(lambda: self.segments() == 3, what="the phrases")
        self.assertIn("pagenumbers", self.values("setting", "setting"))
        self.mpd("setting pagenumbers skip")
        self.mpd("play")
        self.wait_playing()
        until(lambda: self.place() > 5.5, what="what follows the page number")
        self.mpd("pause 1")
        heard, width = self.card.heard(), 2 * 22050
        # From the phrase before it into the one behind it, some milliseconds of a change over apart.
        # Its last moment dies away.
        end = len(heard) - width // 20
        after = self.find(heard[end - width // 4 & ~1:end], whole)
        cut = end - width // 4 - (after - 5 * width)
        self.assertGreater(after, 5 * width)
        self.find(heard[width // 2:2 * width - width // 10], whole)
        self.assertLess(abs(cut - 2 * width) / width, 0.4)
        # By hand it is heard.
        self.mpd("seekcur 3")
        self.mpd("pause 0")
        until(lambda: 3.3 < self.place() < 4.5, what="the skipped part")

    # EPUB, and archives

    def add_epub(self, folder, title):
        """An unpacked one."""
        for name, text in epub(title).items():
            path = os.path.join(self.library, folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        os.makedirs(os.path.join(self.library, folder, "OEBPS", "audio"))
        for name in ("zz.mp3", "aa.mp3"):
            self.add_noise(f"{folder}/OEBPS/audio/{name}", 13, seed=folder + name)
        os.makedirs(os.path.join(self.library, folder, "OEBPS", "images"))
        with open(os.path.join(self.library, folder, "OEBPS", "images", "front.jpg"), "wb") as file:
            file.write(PICTURE)

    def pack(self, folder, name, method):
        """An archive in the place of a folder."""
        with zipfile.ZipFile(os.path.join(self.library, name), "w", method) as archive:
            for inner, _, names in sorted(os.walk(os.path.join(self.library, folder))):
                for file in sorted(names):
                    path = os.path.join(inner, file)
                    archive.write(path, os.path.relpath(path, os.path.join(self.library, folder)))
        shutil.rmtree(os.path.join(self.library, folder))

    def check_epub(self, folder):
        """By its audio's folder, as the library has it."""
        self.check_book(folder, "L'été & la rivière")
        self.mpd(f"book play {folder}")
        self.wait_playing()
        self.mpd("seekcur 6")
        self.shows("The Mole had")
        self.mpd("sentence next")
        until(lambda: self.mpd.fields("currentsong")["file"] == f"{folder}/aa.mp3", what="the next file")
        self.mpd("seekcur 4")
        self.shows("Ratty")
        self.mpd("seekcur 1")
        self.shows("The Open Road")
        # Back, in what has to be unpacked anew.
        self.mpd("book page 56")
        until(lambda: self.mpd.fields("currentsong")["file"] == f"{folder}/zz.mp3", what="the page")
        self.assertEqual(self.mpd.fields("book")["page"], "56")
        until(lambda: self.values('say "ratty"', "file") == [f"{folder}/aa.mp3"], 30, "the words to be found")
        self.assertIn(f"size: {len(PICTURE)}", self.mpd(f'albumart "{folder}/zz.mp3" 0'))
        self.assertNotIn("warning", self.log())

    def test_an_unpacked_epub(self):
        self.add_epub("river", "L'été &amp; la rivière")
        self.start()
        self.check_epub("river/OEBPS/audio")

    def test_an_epub_whose_audio_is_stored(self):
        self.add_epub("river", "L'été &amp; la rivière")
        self.pack("river", "River.epub", zipfile.ZIP_STORED)
        self.start()
        self.check_epub("River.epub/OEBPS/audio")

    def test_an_epub_whose_audio_is_compressed(self):
        self.add_epub("river", "L'été &amp; la rivière")
        self.pack("river", "River.epub", zipfile.ZIP_DEFLATED)
        # An empty library counts as one with its disk away.
        self.add_noise("other.mp3", 3)
        self.start()
        self.check_epub("River.epub/OEBPS/audio")
        # It is taken out, and comes back.
        path = os.path.join(self.library, "River.epub")
        self.mpd("pause 1")
        os.rename(path, path + ".away")
        until(lambda: self.values("books title", "Title") == [], 20, "the book gone")
        os.rename(path + ".away", path)
        until(lambda: self.values("books title", "Title") == ["L'été & la rivière"], 20, "the book back")

    def test_daisy_in_archives(self):
        for number, make in enumerate((daisy2, daisy3)):
            self.add(f"book{number}", make(f"Book {number}"))
            self.pack(f"book{number}", f"book{number}.zip", zipfile.ZIP_DEFLATED)
        # No talking book.
        os.makedirs(os.path.join(self.library, "songs"))
        self.add_noise("songs/a.mp3", 3)
        self.pack("songs", "songs.zip", zipfile.ZIP_STORED)
        with open(os.path.join(self.library, "broken.epub"), "wb") as file:
            file.write(b"PK\3\4" + bytes(100_000))
        self.start()
        until(lambda: "broken.epub: it is no ZIP file that can be read" in self.log(), what="the broken archive named")
        self.assertEqual(self.values("books title", "Title"), ["Book 0", "Book 1"])
        self.assertEqual(self.values("listall", "file"),
                         [f"book{number}.zip/{name}.mp3" for number in (0, 1) for name in ("zz", "aa")])
        self.mpd("play 1")
        self.wait_playing()
        self.shows("The Open Road")

    def test_a_protected_epub_is_said(self):
        self.add_epub("river", "River")
        with open(os.path.join(self.library, "river", "META-INF", "license.lcpl"), "w") as file:
            file.write("{}")
        self.pack("river", "river.epub", zipfile.ZIP_DEFLATED)
        self.start()
        until(lambda: "package.opf is a protected EPUB (LCP)" in self.log(), what="why it cannot be played")
        self.assertEqual(self.values("listall", "file"), [])

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
