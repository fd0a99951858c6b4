# SPDX-License-Identifier: Apache-2.0
"""A speaker's console without a speaker: it answers what a screen asks, as it was told, and keeps a clock of its own."""

import os
import shlex
import socket
import threading
import time

SENTENCES = (
    "The Mole had been working very hard all the morning, spring-cleaning his little home.",
    "First with brooms, then with dusters; then on ladders and steps and chairs, with a brush and a pail of whitewash.",
    "Spring was moving in the air above and in the earth below and around him.",
    "It was small wonder, then, that he suddenly flung down his brush on the floor.",
    "“Bother!” he said, and “O blow!” and also “Hang spring-cleaning!”",
    "And he bolted out of the house without even waiting to put on his coat.",
)


class FakeSpeaker:
    """slower: by how much its clock goes slower than the machine's. sentence: seconds that each takes. books: their titles."""

    def __init__(self, path, *, title="The Wind in the Willows", picture=b"", sentence=5.5, slower=1, duration=1800, texts=SENTENCES,
                 books=()):
        self.title, self.picture, self.sentence, self.slower, self.duration = title, picture, sentence, slower, duration
        self.texts, self.books = texts, books
        self.state, self.elapsed, self.since = "pause", 83.12, time.monotonic()
        self.idle, self.lock = set(), threading.Lock()
        # The number of requests for everything to show.
        self.asked = 0
        self.server = socket.socket(socket.AF_UNIX)
        if os.path.exists(path):
            os.unlink(path)
        self.server.bind(path)
        self.server.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        self.server.close()

    def accept(self):
        while True:
            try:
                client, _ = self.server.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def place(self):
        if self.state != "play":
            return self.elapsed
        return self.elapsed + (time.monotonic() - self.since) / self.slower

    def set(self, *, title=None, state=None, elapsed=None):
        """As after a press of a button."""
        with self.lock:
            place = self.place()
            self.elapsed, self.since = place if elapsed is None else elapsed, time.monotonic()
            self.state, self.title = state or self.state, title or self.title
            for client in self.idle:
                client.sendall(b"changed: player\nOK\n")
            self.idle.clear()

    def serve(self, client):
        try:
            self.converse(client)
        except OSError:
            pass

    def converse(self, client):
        client.sendall(b"OK MPD 0.23.5\n")
        for line in client.makefile("rb"):
            words = shlex.split(line.decode())
            with self.lock:
                if words[0] == "idle":
                    self.idle.add(client)
                    continue
                if words[0] == "noidle":
                    if client in self.idle:
                        client.sendall(b"OK\n")
                    self.idle.discard(client)
                    continue
            if words[0] == "pause":
                self.set(state="pause" if words[1:] == ["1"] else "play")
            elif words[0] == "play":
                self.set(state="play")
            client.sendall(self.answer(words) + b"OK\n")

    def answer(self, words):
        if words[0] == "screenstate":
            self.asked += 1
            return self.told(int(words[1]) if len(words) > 1 else 8)
        if words[0] == "books":
            start, end = map(int, words[-1].split(":"))
            return "".join(f"book: {n}\nTitle: {title}\nAuthor: Kenneth Grahame\nfile: {n}/01.mp3\nduration: 9000\nheard: {n * 900}\n"
                           for n, title in enumerate(self.books[start:end], start)).encode()
        if words[0] in ("readpicture", "albumart") and self.picture:
            piece = self.picture[int(words[2]):][:65536]
            return b"size: %d\nbinary: %d\n" % (len(self.picture), len(piece)) + piece + b"\n"
        return b""

    def told(self, neighbours):
        place = self.place()
        lines = [f"state: {self.state}", "volume: 60", "speed: 1", "file: willows/01.mp3", f"title: {self.title}",
                 "artist: Kenneth Grahame", "book: The Wind in the Willows", "chapter_number: 1", "chapter_count: 12",
                 "chapter: The River Bank", "favourite: 0", f"picture: {1 if self.picture else 0}", f"elapsed: {place:.3f}",
                 f"duration: {self.duration:.3f}"]
        if self.texts:
            now = int(place / self.sentence)
            for index in range(max(0, now - neighbours), now + neighbours + 1):
                start = index * self.sentence
                lines.append(f"segment: {index} {start:.3f}-{start + self.sentence:.3f} {self.texts[index % len(self.texts)]}")
        return "\n".join(lines).encode() + b"\n"
