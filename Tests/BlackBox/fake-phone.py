# SPDX-License-Identifier: Apache-2.0
"""A phone that plays by Bluetooth, as programs on the system bus see it: the answers of org.bluez and org.bluealsa,
without a radio.

    fake-phone.py SECONDS     says "ready"; plays a tone at a line on its standard input
"""

import array
import math
import os
import sys
import threading
import time

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

DEVICE = "/org/bluez/hci0/dev_02_00_00_00_00_01"
PCM = "/org/bluealsa/hci0/dev_02_00_00_00_00_01/a2dpsnk/source"
RATE = 44100


class Transport(dbus.service.Object):
    @dbus.service.signal("org.freedesktop.DBus.Properties", signature="sa{sv}as")
    def PropertiesChanged(self, interface, changed, invalidated):
        pass

    def say(self, state):
        self.PropertiesChanged("org.bluez.MediaTransport1", {"State": state}, dbus.Array([], signature="s"))


class Manager(dbus.service.Object):
    @dbus.service.method("org.freedesktop.DBus.ObjectManager", out_signature="a{oa{sa{sv}}}")
    def GetManagedObjects(self):
        properties = {"Device": dbus.ObjectPath(DEVICE), "Sequence": dbus.UInt32(0), "Transport": "A2DP-sink", "Mode": "source",
                      "Format": dbus.UInt16(0x8210), "Channels": dbus.Byte(2), "Sampling": dbus.UInt32(RATE), "Codec": "SBC",
                      "Delay": dbus.UInt16(0), "SoftVolume": True, "Volume": dbus.UInt16(0x7F7F)}
        return {dbus.ObjectPath(PCM): {"org.bluealsa.PCM1": dbus.Dictionary(properties, signature="sv")}}


class Stream(dbus.service.Object):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.sound = None

    @dbus.service.method("org.bluealsa.PCM1", out_signature="hh")
    def Open(self):
        reader, self.sound = os.pipe()
        control, self.control = os.pipe()
        return dbus.types.UnixFd(reader), dbus.types.UnixFd(control)


def play(transport, stream, seconds):
    tone = array.array("h", (int(9000 * math.sin(i * 0.06)) for i in range(int(seconds * RATE)) for _ in (0, 1))).tobytes()
    transport.say("pending")
    # bluealsa acquires the transport.
    time.sleep(0.2)
    transport.say("active")
    # A phone sends no faster than it plays.
    began, step = time.monotonic(), RATE // 50
    for number, place in enumerate(range(0, len(tone), 4 * step)):
        time.sleep(max(0, began + number / 50 - time.monotonic()))
        os.write(stream.sound, tone[place : place + 4 * step])
    transport.say("idle")


def main():
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SystemBus()
    names = [dbus.service.BusName(name, bus) for name in ("org.bluez", "org.bluealsa")]
    transport, stream = Transport(bus, DEVICE + "/fd0"), Stream(bus, PCM)
    managers = [Manager(bus, path) for path in ("/", "/org/bluealsa")]
    print("ready", flush=True)

    def wait():
        sys.stdin.readline()
        while stream.sound is None:
            time.sleep(0.01)
        play(transport, stream, float(sys.argv[1]))

    threading.Thread(target=wait, daemon=True).start()
    GLib.MainLoop().run()
    del names, managers


main()
