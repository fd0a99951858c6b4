# SPDX-License-Identifier: Apache-2.0
"""The virtual board: QEMU with Debian's kernel and drivers, the ARM package, buttons, an LCD, cards, a serial line."""

import codecs
import fcntl
import hashlib
import json
import os
import queue
import re
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
from contextlib import closing, contextmanager, suppress

from glass import Glass

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "nightstand", "virtual")

# For on(): a processor a quarter as fast. Within steady() it has always something to do, which so costs the host a quarter too.
SLOW = ("-icount", "shift=3")

# All waits are counted by the board's own clock: on a busy host half a minute may be half a second there. This limit is for a board whose clock
# stands still. A fast class (run.py) counts it by its own clock.
HOST_SECONDS = 600 * int(os.environ.get("FAST_CLOCK", 1))


def prepared(release):
    """The folder with kernel, device trees and the release's disk."""
    command = [os.path.join(HERE, "parts", "prepare"), release]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def ext4(path, label, megabytes, folder=None):
    """An ext4 image, of a folder's files if one is given."""
    command = ["/sbin/mke2fs", "-q", "-t", "ext4", "-L", label, "-b", "4096", "-E", "root_owner=0:0"]
    command += ["-O", "^resize_inode", *(["-d", folder] if folder else [])]
    subprocess.run([*command, path, f"{megabytes}M"], check=True, stdout=subprocess.DEVNULL)
    return path


def connected(path, process, seconds=HOST_SECONDS):
    """A connection to one of QEMU's sockets, which are there soon after its start."""
    end = time.monotonic() + seconds
    while True:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(path)
            return connection
        except OSError:
            connection.close()
            if process.poll() is not None or time.monotonic() > end:
                raise
            time.sleep(0.01)


GIVEN_UP = 255  # the agent's status for a script that was not over in time


class Failed(AssertionError):
    """A script in the board ended with another code than 0."""


class Refused(Exception):
    """The speaker answered ACK."""


class Unreachable(Exception):
    """The speaker's socket does not answer."""


class Port:
    """A connection to one of the agents in the board, see Tests/Virtual/parts/agent.c."""

    def __init__(self, path, process):
        self.path, self.process, self.socket = path, process, None

    def ask(self, kind, data, seconds):
        """(status, answer, the board's CLOCK_MONOTONIC in seconds). seconds: of the board's time, after which it is given up."""
        if not self.socket:
            self.socket = connected(self.path, self.process)
        self.socket.settimeout(HOST_SECONDS)
        try:
            self.socket.sendall(kind + struct.pack("<II", int(seconds * 1000), len(data)) + data)
            status, size, nanoseconds = struct.unpack("<IIQ", self.receive(16))
            return status, self.receive(size), nanoseconds / 1e9
        except OSError:
            self.close()  # what still comes would be taken for the next answer
            raise

    def receive(self, size):
        data = b""
        while len(data) < size:
            part = self.socket.recv(size - len(data))
            if not part:
                raise ConnectionError("the board's plug was pulled")
            data += part
        return data

    def close(self):
        if self.socket:
            self.socket.close()
            self.socket = None


class Serial:
    """The far end of one of the board's serial lines. A thread reads it all the time: a few hundred unread bytes fill
    the line, QEMU then waits, and the board stands still, its agents included.

    take: called by that thread with what comes, instead of keeping it."""

    def __init__(self, board, name):
        self.board = board
        self.socket = connected(board.path(name), board.process)
        self.socket.settimeout(None)
        self.text = ""
        self.arrived = queue.SimpleQueue()
        self.take = self.arrived.put
        threading.Thread(target=self.drain, daemon=True).start()

    def drain(self):
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        with suppress(OSError):
            while data := self.socket.recv(65536):
                self.take(decoder.decode(data))

    def send(self, text):
        self.socket.sendall(text.encode())

    def read(self):
        """All that has come and was not expected yet."""
        while not self.arrived.empty():
            self.text += self.arrived.get()
        return self.text

    def expect(self, pattern, seconds=20):
        """Waits for a match of the pattern, and returns it; the rest behind it is left for the next."""
        found = self.board.until(lambda: re.search(pattern, self.read()), seconds,
                                 lambda: f"{pattern!r} on the serial line: {self.text!r}")
        self.text = self.text[found.end():]
        return found

    def close(self):
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


def package(release):
    """The path of the package for the release; made if there is none (board/virtual test makes it anew)."""
    made = os.path.join(TOP, ".build", "board", f"aarch64-{release}")
    found = [name for name in (os.listdir(made) if os.path.isdir(made) else []) if name.endswith(".deb")]
    if found:
        return max((os.path.join(made, name) for name in found), key=os.path.getmtime)
    command = [os.path.join(TOP, "board", "package"), "--quiet", "aarch64", "--os", release]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def installed(release):
    """The path of the release's disk with Nightstand's package installed on it, by dpkg in the board itself."""
    debian, deb = os.path.realpath(os.path.join(prepared(release), f"{release}.img")), package(release)
    with open(deb, "rb") as file:
        key = hashlib.sha256(file.read()).hexdigest()[:12]
    image = f"{os.path.splitext(debian)[0]}-{key}.qcow2"
    with open(os.path.join(os.path.dirname(debian), f"{release}.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.exists(image):
            return image
        for name in os.listdir(os.path.dirname(debian)):  # of packages of days gone by; others may run on today's
            old = os.path.join(os.path.dirname(debian), name)
            if name.endswith(".qcow2") and os.path.getmtime(old) < time.time() - 86400:
                os.unlink(old)
        with closing(Machine(release, root=debian)) as machine:
            machine.settings = None
            shutil.copy(deb, machine.host)
            machine.on(idle=True)
            machine.sh(f"ldconfig && systemd-sysusers && dpkg -i /run/host/{os.path.basename(deb)} && sync",
                       seconds=300)
            machine.off()
            os.rename(shutil.copy(machine.root, image + ".new"), image)
    return image


class Machine:
    """A board with its disks, on and off any number of times.

    release: of Debian, trixie or bookworm. lcd: 20x4 or 16x2. library: the folder with the files of the library's disk.
    root: another disk for the system than the one with the package installed.
    """

    AUDIO = "plughw:CARD=Loopback,DEV=0"

    def __init__(self, release="trixie", lcd="20x4", library=None, state_megabytes=64, root=None):
        self.release, self.lcd = release, lcd
        self.scratch = tempfile.TemporaryDirectory(prefix="board-")
        self.folder = self.scratch.name
        self.host = self.path("host")  # /run/host in the board
        os.mkdir(self.host)
        self.parts = prepared(release)
        backing = root or installed(release)
        self.root = self.path("root.qcow2")
        kind = "qcow2" if backing.endswith("qcow2") else "raw"
        subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", kind, "-b", os.path.realpath(backing),
                        self.root], check=True)
        self.state = ext4(self.path("state.img"), "state", state_megabytes)
        self.state_drive = None  # QEMU's -blockdev for another way to it
        self.tree_parts = None  # the source of what else there is in its device tree
        self.library = library and ext4(self.path("library.img"), "library", 256, library)
        self.process = self.serial = self.monitor = self.monitor_file = None
        width, height = lcd.split("x")
        self.settings = {
            # The time without power is unknown on a board whose clock begins anew with each start.
            "playing": {"after_power_cut": "play"},
            "audio": {"device": self.AUDIO},
            "buttons": {name: f"GPIO{line},active-low,pull-up" for name, line in self.LINES.items()},
            "gestures": {},
            "lcd": {"device": "/dev/lcd", "width": width, "height": height},
            "console": {"serial": "/dev/ttyAMA0"},
        }
        self.boots = 0

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write_settings(self):
        """Writes the settings to the host's folder: every boot copies them to /etc/nightstand.conf."""
        if self.settings is not None:  # or the board's own /etc/nightstand.conf
            with open(os.path.join(self.host, "nightstand.conf"), "w") as file:
                for section, keys in self.settings.items():
                    file.write(f"[{section}]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items()))

    def load(self, *modules):
        """Every boot loads these drivers too, each with its options behind its name."""
        with open(os.path.join(self.host, "modules"), "w") as file:
            file.write("".join(f"{module}\n" for module in modules))

    def device_tree(self):
        tree = os.path.join(self.parts, f"board-{self.lcd}.dtb")
        if self.tree_parts:
            base, more, tree = tree, self.path("more.dtbo"), self.path("board.dtb")
            subprocess.run(["dtc", "-q", "-@", "-I", "dts", "-O", "dtb", "-o", more, self.tree_parts], check=True)
            subprocess.run(["fdtoverlay", "-i", base, "-o", tree, more], check=True)
        return tree

    # Power

    def on(self, init="systemd", wait=True, idle=False, devices=(), arguments=()):
        """Puts the plug in; returns the seconds until the speaker's console answered.

        init: systemd, or quick (starts the speaker within seconds). idle: quick without the speaker. wait: False to
        come back at once. devices: more of QEMU's -device arguments. arguments: more of QEMU's arguments.
        """
        self.write_settings()
        self.boots += 1
        kernel = os.path.join(self.parts, "kernel")
        command = ["console=ttyS0", "quiet", "loglevel=4", "panic=-1", "audit=0", "systemd.show_status=0"]
        if init == "quick" or idle:
            command += ["init=/usr/lib/virtual/quick-init"] + ["virtual.idle"] * idle
        # The board's clock counts instructions, 2 ns each, and real time only while the processor sleeps. It is as fast as half of a Pi 3's core,
        # independent of other work on this machine. So nothing is late in the board because a test machine is busy.
        qemu = ["qemu-system-aarch64", "-icount", "shift=1",
                "-M", "virt", "-cpu", "cortex-a53", "-smp", "1", "-m", "512",  # as Tests/Virtual/parts/prepare has it
                "-nodefaults", "-no-reboot", "-display", "none",
                "-kernel", os.path.join(kernel, "Image"), "-initrd", os.path.join(kernel, "initramfs"),
                "-dtb", self.device_tree(), "-append", " ".join(command),
                "-qmp", f"unix:{self.path('qmp')},server=on,wait=off",
                "-chardev", f"socket,id=serial,path={self.path('serial')},server=on,wait=off",
                "-serial", "chardev:serial",
                "-chardev", f"file,id=log,path={self.path('kernel.log')},append=on",
                "-device", "pci-serial,chardev=log",
                "-device", "virtio-rng-pci", "-device", "virtio-serial-pci"]
        for port in ("agent", "hand"):
            qemu += ["-chardev", f"socket,id={port},path={self.path(port)},server=on,wait=off",
                     "-device", f"virtserialport,chardev={port},name={port}"]
        self.trace = self.path(f"wires.{self.boots}")
        qemu += ["-chardev", f"file,id=trace,path={self.trace}", "-device", "virtserialport,chardev=trace,name=trace",
                 "-drive", f"if=none,id=root,file={self.root},format=qcow2", "-device", "virtio-blk-pci,drive=root",
                 "-blockdev", self.state_drive or f"driver=raw,node-name=state,file.driver=file,file.filename={self.state}",
                 "-device", "virtio-blk-pci,drive=state,id=state-disk",
                 "-fsdev", f"local,id=host,path={self.host},security_model=none",
                 "-device", "virtio-9p-pci,fsdev=host,mount_tag=host"]
        if self.library:
            qemu += ["-drive", f"if=none,id=library,file={self.library},format=raw,read-only=on",
                     "-device", "virtio-blk-pci,drive=library,id=library-disk"]
        for device in devices:
            qemu += ["-device", device]
        self.glass = Glass(self.trace, *map(int, self.lcd.split("x")))
        began = time.monotonic()
        with open(self.path("qemu.log"), "ab") as log:
            # It ends when this process does, however that is ended.
            self.process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *qemu, *arguments], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            env=dict(os.environ, QEMU_AUDIO_DRV="none"))
        self.agent, self.hand = Port(self.path("agent"), self.process), Port(self.path("hand"), self.process)
        try:
            self.monitor = connected(self.path("qmp"), self.process)
            self.monitor_file = self.monitor.makefile("rw")
            self.monitor_file.readline()
            self.qmp("qmp_capabilities")
            self.serial = Serial(self, "serial")
        except OSError:
            raise AssertionError(f"QEMU does not start: {self.log()}") from None
        if idle and wait:
            self.wait_begun()
        elif wait:
            self.wait_ready()
        return time.monotonic() - began

    def wait_begun(self, seconds=240):
        """Waits until the board's drivers and the host's folder are there."""
        self.sh("until [ -e /run/begun ]; do sleep 0.05; done", seconds=seconds)

    def wait_ready(self, seconds=240):
        """Waits until the speaker's console answers."""
        self.wait_begun(seconds)

        def answers():
            if self.process.poll() is not None:
                raise AssertionError(f"QEMU ended: {self.log()}")
            try:
                self.mpd("ping")
                return True
            except Unreachable:
                return False
        self.until(answers, seconds, lambda: f"a speaker at its console; {self.log()[-3000:]}")

    def until(self, condition, seconds=30, what="the condition", pause=0.02):
        """Waits until condition() is true and returns its value. seconds, pause: of the board's time.

        After a second it looks ever more seldom, up to twice a second: to look costs the board's only core."""
        began, host_end = self.now(), time.monotonic() + HOST_SECONDS
        while True:
            value = condition()
            if value:
                return value
            now = self.wait(pause)
            if now > began + seconds or time.monotonic() > host_end:
                raise AssertionError(f"{what() if callable(what) else what} did not come true in {seconds} s of the board's time")
            if now > began + 1:
                pause = max(pause, min(pause * 1.5, 0.5))

    def wait(self, seconds):
        """Waits for some of the board's time; returns its clock then, as now()."""
        return self.agent.ask(b"w", b"", seconds)[2]

    def cut(self):
        """Pulls the plug: QEMU is killed, and what the board had not written to its disks is gone."""
        self.process.send_signal(signal.SIGKILL)
        self.gone()

    def off(self, seconds=60):
        """Shuts the board down in order."""
        with suppress(OSError):
            self.sh("sync; systemctl poweroff || { mount -o remount,ro /; echo o >/proc/sysrq-trigger; }",
                    check=False, seconds=seconds)
        self.process.wait(HOST_SECONDS)
        self.gone()

    def gone(self):
        self.process.wait(HOST_SECONDS)
        for connection in (self.agent, self.hand, self.serial, self.monitor_file, self.monitor):
            if connection:
                with suppress(OSError):
                    connection.close()
        self.serial = self.monitor = self.monitor_file = None
        self.process = None

    def close(self):
        """The board is given away, disks and all."""
        if self.process:
            self.cut()
        self.scratch.cleanup()

    def log(self):
        """The output of the kernel and the speaker (quick init), over all boots."""
        text = ""
        for name in ("qemu.log", "kernel.log"):
            if os.path.exists(self.path(name)):
                with open(self.path(name), errors="replace") as file:
                    text += file.read()
        return text

    def qmp(self, command, **arguments):
        """A command of QEMU's machine protocol: device_del and others."""
        self.monitor_file.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.monitor_file.flush()
        while True:
            answer = json.loads(self.monitor_file.readline())
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise AssertionError(f"{command}: {answer['error']['desc']}")

    # Within

    def sh(self, script, check=True, seconds=60):
        """The output of a shell script in the board, as root. The host's folder is /run/host there."""
        status, output, _ = self.agent.ask(b"x", script.encode(), seconds)
        output = output.decode(errors="replace").rstrip("\n")
        if status == GIVEN_UP:
            raise Failed(f"not done after {seconds} s of the board's time: {script}\n{output}")
        if check and status != 0:
            raise Failed(f"exit code {status} of: {script}\n{output}")
        return output

    def mpd(self, command, seconds=20):
        """The lines with which the speaker answers a command of MPD's protocol, or Refused, or Unreachable."""
        status, answer, _ = self.agent.ask(b"m", b"/run/nightstand/socket\0" + command.encode(), seconds)
        if status == 2:
            raise Unreachable(answer.decode())
        lines = answer.decode(errors="replace").splitlines()
        if status == 1:
            raise Refused(lines[-1])
        return lines[:-1]

    def fields(self, command):
        return dict(line.split(": ", 1) for line in self.mpd(command))

    def status(self):
        return self.fields("status")

    def elapsed(self):
        return float(self.status().get("elapsed", "nan"))

    def now(self):
        """The board's CLOCK_MONOTONIC in seconds; its uptime."""
        return self.wait(0)

    @contextmanager
    def steady(self):
        """Within it the board has always something to do, so that a clock that goes by instructions never waits for the host:
        the sound on the wires is then right to some ten microseconds, on any host."""
        spinner = self.sh("chrt -i 0 sh -c 'while :; do :; done' >/dev/null 2>&1 & echo $!")
        try:
            yield
        finally:
            self.sh(f"kill {spinner}")

    # Sound

    def record(self, rate=22050, channels=1, name="heard.raw"):
        """From now on writes what the Loopback card plays to the host's folder: signed 16-bit frames, silence where
        nothing plays. The card then takes only this rate and these channels; plughw converts all else."""
        self.sh("arecord -q -D hw:CARD=Loopback,DEV=1 -t raw -f S16_LE "
                f"-r {rate} -c {channels} --buffer-size={rate * 4} --period-size={rate // 8} "
                f"/run/host/{name} >/run/host/{name}.log 2>&1 & cd /proc/asound/Loopback/pcm1c/sub0; "
                "until grep -q RUNNING status || ! kill -0 $!; do sleep 0.02; done; "
                # It takes what the player has chosen where that was first, and says nothing of it.
                f"grep '^rate: {rate} ' hw_params")

    def heard(self, name="heard.raw"):
        """The recording so far. Fails where the recorder lost something."""
        with open(os.path.join(self.host, f"{name}.log")) as file:
            complaint = file.read()
        if complaint:
            raise AssertionError(f"the recorder: {complaint}")
        with open(os.path.join(self.host, name), "rb") as file:
            return file.read()

    def frame_times(self, rate=22050):
        """A function from what is recorded, in frames, to the board's clock."""
        text = self.sh("cat /proc/asound/Loopback/pcm1c/sub0/status")
        field = dict(re.findall(r"^(\w+)\s*:\s*([\d.]+)", text, re.MULTILINE))
        began = float(field["trigger_time"])
        # Recorded without a pause since then, as the card's clock says too.
        away = began + int(field["hw_ptr"]) / rate - self.now()
        if abs(away) > 0.05:
            raise AssertionError(f"the recorder is {away:.3f} s away from the board's clock")
        return lambda frame: began + frame / rate

    # Buttons

    LINES = {"play": 17, "back": 27, "forward": 22, "favourite": 23, "next": 24, "previous": 25, "volume-up": 5,
             "volume-down": 6}

    def edges(self, edges):
        """Plays edges [(seconds from now, BCM line, level)…] on the wires. Returns when each was played, in seconds of
        the board's CLOCK_MONOTONIC."""
        data = b"".join(struct.pack("<QII", int(when * 1e6), line, level) for when, line, level in edges)
        status, answer, _ = self.hand.ask(b"e", data, 0)
        if status != 0:
            raise AssertionError(f"the wires: {os.strerror(status)}")
        return [nanoseconds / 1e9 for nanoseconds in struct.unpack(f"<{len(answer) // 8}Q", answer)]

    def press(self, button, seconds=0.08):
        """A clean press of that length. Returns when it went down and came up, in the board's CLOCK_MONOTONIC."""
        line = self.LINES[button]
        return self.edges([(0, line, 0), (seconds, line, 1)])
