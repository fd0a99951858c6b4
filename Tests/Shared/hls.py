# SPDX-License-Identifier: Apache-2.0
"""Segments of a stream (HLS): recordings cut at the edges of their frames, and playlists of them."""

import os
import subprocess

import audio

SAMPLES = {"mp3": 576, "aac": 1024}  # of a frame, at 22,050 Hz


def frames(data):
    """The frames of MP3 at 22,050 Hz or of ADTS, each as its bytes."""
    found, at = [], 0
    while at + 7 <= len(data):
        if data[at : at + 3] == b"ID3":
            at += 10 + (data[at + 6] << 21 | data[at + 7] << 14 | data[at + 8] << 7 | data[at + 9])
            continue
        assert data[at] == 0xFF, at
        if data[at + 1] & 0x06 == 0:
            count = (data[at + 3] & 3) << 11 | data[at + 4] << 3 | data[at + 5] >> 5
        else:
            count = audio.BITRATES[False, 2][(data[at + 2] >> 4) - 1] * 72_000 // 22_050 + (data[at + 2] >> 1 & 1)
        found.append(data[at : at + count])
        at += count
    return found


def stamped(ticks):
    """The ID3 tag with which a segment of packed audio begins (RFC 8216, 3.4)."""
    body = b"com.apple.streaming.transportStreamTimestamp\0" + ticks.to_bytes(8, "big")
    frame = b"PRIV" + len(body).to_bytes(4, "big") + b"\0\0" + body
    return b"ID3\x04\0\0" + bytes([0, 0, len(frame) >> 7, len(frame) & 127]) + frame


class Rendition:
    """One rendition of a sound, cut into segments of so many frames."""

    def __init__(self, folder, sound, kind, kilobits, per_segment, rate=22_050, stamps=True, offset=0, encoder=()):
        self.kind, self.kilobits, self.rate = kind, kilobits, rate
        path = os.path.join(folder, f"{kilobits}.{kind}")
        if kind == "mp3":
            audio.lame(path, sound, rate, "--resample", str(rate / 1000), "-t", "--noreplaygain", "-b", str(kilobits), *encoder)
        else:
            wav = os.path.join(folder, "source.wav")
            audio.write_wav(wav, sound, rate)
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", wav, "-c:a", "aac", "-aac_pns", "0", "-b:a", f"{kilobits}k",
                            *encoder, "-f", "adts", path], check=True, stdin=subprocess.DEVNULL)
        self.path = path
        with open(path, "rb") as file:
            self.frames = frames(file.read())
        self.per_segment = per_segment
        self.segments = []
        self.edges = []
        at = offset if offset else 0
        if offset:
            self._cut(0, offset, stamps)
        while at < len(self.frames):
            self._cut(at, at + per_segment, stamps)
            at += per_segment

    def _cut(self, first, last, stamps):
        tag = stamped(900_000 + first * SAMPLES[self.kind] * 90_000 // self.rate) if stamps else b""
        self.segments.append(tag + b"".join(self.frames[first:last]))
        self.edges.append(first)

    def seconds(self, index):
        end = self.edges[index + 1] if index + 1 < len(self.edges) else len(self.frames)
        return (end - self.edges[index]) * SAMPLES[self.kind] / self.rate

    def playlist(self, first=0, last=None, ended=True, extra=""):
        last = len(self.segments) if last is None else last
        lines = ["#EXTM3U", "#EXT-X-VERSION:3", f"#EXT-X-TARGETDURATION:{round(max(map(self.seconds, range(len(self.segments)))) + 0.5)}",
                 f"#EXT-X-MEDIA-SEQUENCE:{first}"]
        if extra:
            lines.append(extra)
        for index in range(first, last):
            lines += [f"#EXTINF:{self.seconds(index):.3f},", f"{index}.{self.kind}"]
        return "\n".join(lines + ["#EXT-X-ENDLIST"] * ended + [""]).encode()

    def serve(self, server, folder, playlist=None, **options):
        """Its playlist and its segments, at /FOLDER/list.m3u8 and /FOLDER/NUMBER.KIND."""
        for index, segment in enumerate(self.segments):
            server.add(f"/{folder}/{index}.{self.kind}", segment, type="audio/x", **options)
        return server.add(f"/{folder}/list.m3u8", self.playlist() if playlist is None else playlist,
                          type="application/vnd.apple.mpegurl", tag=None)


def master(*renditions, codecs=None):
    lines = ["#EXTM3U"]
    for folder, rendition in renditions:
        named = f',CODECS="{codecs}"' if codecs else ""
        lines += [f"#EXT-X-STREAM-INF:BANDWIDTH={rendition.kilobits * 1000}{named}", folder + "/list.m3u8"]
    return "\n".join(lines + [""]).encode()
