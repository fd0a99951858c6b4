# SPDX-License-Identifier: Apache-2.0
"""The facts that a loader reads in an ELF file. 64-bit little-endian only."""

import struct
from collections import namedtuple

from harness import contents

AARCH64, DYN = 183, 3
LOAD, INTERP, STACK = 1, 3, 0x6474E551
EXECUTABLE = 1
PIE = 0x08000000

Segment = namedtuple("Segment", "type flags offset address physical file_size memory_size alignment")
Section = namedtuple("Section", "name type flags address offset size link info alignment entry_size")


class ELF:
    def __init__(self, path):
        self.data = contents(path)
        if self.data[:6] != b"\x7fELF\x02\x01":
            raise ValueError(f"{path} is no 64-bit little-endian ELF file")
        self.type, self.machine = struct.unpack_from("<HH", self.data, 16)
        segments, sections = struct.unpack_from("<QQ", self.data, 32)
        segment_count, _, section_count = struct.unpack_from("<HHH", self.data, 56)
        self.segments = [Segment._make(struct.unpack_from("<IIQQQQQQ", self.data, segments + 56 * i)) for i in range(segment_count)]
        self.sections = [Section._make(struct.unpack_from("<IIQQQQIIQQ", self.data, sections + 64 * i)) for i in range(section_count)]
        self.dynamic = []
        for section in self.sections:
            if section.type == 6:
                self.strings = self.sections[section.link].offset
                for at in range(section.offset, section.offset + section.size, 16):
                    self.dynamic.append(struct.unpack_from("<qQ", self.data, at))

    def string(self, at):
        return self.data[self.strings + at : self.data.index(b"\0", self.strings + at)].decode()

    def tags(self, tag):
        return [value for key, value in self.dynamic if key == tag]

    def interpreter(self):
        return [self.data[s.offset : s.offset + s.file_size].rstrip(b"\0").decode() for s in self.segments if s.type == INTERP]

    def needed(self):
        return [self.string(value) for value in self.tags(1)]

    def soname(self):
        return [self.string(value) for value in self.tags(14)]

    def is_pie(self):
        return self.type == DYN and any(value & PIE for value in self.tags(0x6FFFFFFB))

    def has_symbol_table(self):
        return any(section.type == 2 for section in self.sections)

    def has_text_relocations(self):
        return bool(self.tags(22)) or any(value & 4 for value in self.tags(30))

    def versions_needed(self):
        """{library: {version}}"""
        wanted = {}
        for section in self.sections:
            at = section.offset
            for _ in range(section.info if section.type == 0x6FFFFFFE else 0):
                _, count, file, first, following = struct.unpack_from("<HHIII", self.data, at)
                place = at + first
                for _ in range(count):
                    _, _, _, name, step = struct.unpack_from("<IHHII", self.data, place)
                    wanted.setdefault(self.string(file), set()).add(self.string(name))
                    place += step
                at += following
        return wanted

    def versions_defined(self):
        defined = set()
        for section in self.sections:
            at = section.offset
            for _ in range(section.info if section.type == 0x6FFFFFFD else 0):
                first, following = struct.unpack_from("<II", self.data, at + 12)
                defined.add(self.string(struct.unpack_from("<I", self.data, at + first)[0]))
                at += following
        return defined

    def undefined(self):
        """The names that the dynamic linker must find, weak ones apart."""
        return {name for name, place, binding in self.dynamic_symbols() if not place and binding != 2}

    def defined(self):
        return {name for name, place, _ in self.dynamic_symbols() if place}

    def dynamic_symbols(self):
        for section in self.sections:
            if section.type == 11:
                for at in range(section.offset + 24, section.offset + section.size, 24):
                    name, info, _, place = struct.unpack_from("<IBBH", self.data, at)
                    yield self.string(name), place, info >> 4
