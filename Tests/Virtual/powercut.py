# SPDX-License-Identifier: Apache-2.0
"""The disk's content after a power cut: all writes that the guest had flushed, and of the later ones any, in any order,
the last of them torn.

QEMU keeps the guest's writes and flushes in order (blklogwrites, the format of the kernel's dm-log-writes: a sector of
header, then for each request a sector that describes it and its data)."""

import struct
import subprocess

SECTOR = 512
MAGIC = 0x6A736677736872
FLUSH, FUA, DISCARD = 1, 2, 4
# ext4 has its superblock in its first 4 KiB, with a checksum and no second chance but a person with e2fsck -b: it needs
# disks that write these at once, as flash does. Nothing else here does.
NEVER_TORN = 4096  # bytes


def drive_options(name, disk, log):
    """For -blockdev: a disk of which every request is kept in log, an empty file."""
    return (f"driver=blklogwrites,node-name={name},file.driver=file,file.filename={disk},"
            f"log.driver=file,log.filename={log},log-super-update-interval=1")


def header(file):
    head = file.read(28)
    if len(head) < 28:
        return 0
    magic, version, count, sector_bytes = struct.unpack("<QQQI", head)
    if (magic, version, sector_bytes) != (MAGIC, 1, SECTOR):
        raise ValueError(f"{file.name} is no log of writes")
    return count


def length(log):
    """Returns the number of requests in the log so far."""
    with open(log, "rb") as file:
        return header(file)


def requests(log, limit=None):
    """(first byte, data, flags) of each, in the guest's order; data is None for a discard."""
    with open(log, "rb") as file:
        count = header(file)
        file.seek(SECTOR)
        for _ in range(count if limit is None else min(limit, count)):
            first, sectors, flags, _ = struct.unpack("<QQQQ", file.read(SECTOR)[:32])
            data = None if flags & DISCARD else file.read(sectors * SECTOR)
            if data is not None and len(data) < sectors * SECTOR:
                return  # killed in mid-writing
            yield first * SECTOR, data, flags


def cut(base, log, result, random, limit=None, file_systems=(0,)):
    """Makes `result` of `base`, the disk before the log began, as the power leaves it after `limit` requests, or after
    all. Returns how many writes were safe, kept by chance, and lost. file_systems: the first byte of each ext4."""
    subprocess.run(["cp", "--sparse=always", base, result], check=True)
    all_requests = list(requests(log, limit))
    flushes = [i for i, (_, _, flags) in enumerate(all_requests) if flags & FLUSH]
    safe = flushes[-1] + 1 if flushes else 0
    counts = {"safe": 0, "kept": 0, "lost": 0}
    with open(result, "r+b") as disk:

        def write(at, data):
            disk.seek(at)
            disk.write(data)

        for at, data, _ in all_requests[:safe]:
            if data:
                write(at, data)
                counts["safe"] += 1
        # The disk's progress at the power cut: from all written to nothing.
        share = random.random()
        for at, data, flags in all_requests[safe:]:
            if not data:
                continue
            if flags & FUA or random.random() < share:
                write(at, data)
                counts["kept"] += 1
            else:
                counts["lost"] += 1
                if not any(0 <= at - start < NEVER_TORN for start in file_systems) and random.random() < 0.5:
                    # Torn: some of its sectors.
                    for start in range(0, len(data), SECTOR):
                        if random.random() < 0.5:
                            write(at + start, data[start : start + SECTOR])
    return counts
