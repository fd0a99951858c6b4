# SPDX-License-Identifier: Apache-2.0
"""BlueZ and bluealsa with a pair of headphones, as programs on the system bus see them, without a radio.

    fake-headphones.py RECORD     says "ready" and each call that comes, writes down the sound that it is given, and takes a word a line:
                                  on, off (the switch of the headphones), refuse (to pair)
"""

import os
import socket
import sys
import threading
import time

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

ADAPTER = "/org/bluez/hci0"
ADDRESS = "02:00:00:00:00:01"
DEVICE = ADAPTER + "/dev_" + ADDRESS.replace(":", "_")
PHONE = ADAPTER + "/dev_02_00_00_00_00_02"
PCM = "/org/bluealsa/hci0/dev_" + ADDRESS.replace(":", "_") + "/a2dpsrc/sink"
# In tenths of a millisecond.
DELAY = 2000
RATE = 44100
PROPERTIES = "org.freedesktop.DBus.Properties"
MANAGER = "org.freedesktop.DBus.ObjectManager"


def say(*words):
    print(*words, flush=True)


class Manager(dbus.service.Object):
    """The objects of a name, which come and go."""

    def __init__(self, bus, path):
        super().__init__(bus, path)
        self.objects = {}

    @dbus.service.method(MANAGER, out_signature="a{oa{sa{sv}}}")
    def GetManagedObjects(self):
        return dbus.Dictionary({one.path: one.interfaces() for one in self.objects.values()}, signature="oa{sa{sv}}")

    @dbus.service.signal(MANAGER, signature="oa{sa{sv}}")
    def InterfacesAdded(self, path, interfaces):
        pass

    @dbus.service.signal(MANAGER, signature="oas")
    def InterfacesRemoved(self, path, interfaces):
        pass

    def add(self, one):
        if one.path not in self.objects:
            self.objects[one.path] = one
            self.InterfacesAdded(one.path, one.interfaces())

    def remove(self, one):
        if self.objects.pop(one.path, None):
            self.InterfacesRemoved(one.path, list(one.interfaces()))


class Thing(dbus.service.Object):
    def __init__(self, bus, path, interface, properties):
        super().__init__(bus, path)
        self.path, self.interface, self.properties = dbus.ObjectPath(path), interface, properties

    def interfaces(self):
        return {self.interface: dbus.Dictionary(self.properties, signature="sv")}

    @dbus.service.signal(PROPERTIES, signature="sa{sv}as")
    def PropertiesChanged(self, interface, changed, invalidated):
        pass

    def change(self, **properties):
        self.properties.update(properties)
        self.PropertiesChanged(self.interface, dbus.Dictionary(properties, signature="sv"), dbus.Array([], signature="s"))

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return dbus.Dictionary(self.properties, signature="sv")

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return self.properties[name]

    @dbus.service.method(PROPERTIES, in_signature="ssv")
    def Set(self, interface, name, value):
        say("set", name, value)
        self.change(**{str(name): value})


class Adapter(Thing):
    @dbus.service.method("org.bluez.Adapter1", in_signature="a{sv}")
    def SetDiscoveryFilter(self, wanted):
        pass

    @dbus.service.method("org.bluez.Adapter1")
    def StartDiscovery(self):
        say("scan")
        self.change(Discovering=True)
        GLib.timeout_add(200, self.find)

    def find(self):
        for device in self.near:
            bluez.add(device)

    @dbus.service.method("org.bluez.Adapter1")
    def StopDiscovery(self):
        say("scanned")
        self.change(Discovering=False)

    @dbus.service.method("org.bluez.Adapter1", in_signature="o")
    def RemoveDevice(self, path):
        say("remove", path[-17:])
        for device in [one for one in bluez.objects.values() if one.path == path]:
            device.disconnect()
            device.properties.update(Paired=False, Trusted=False)
            bluez.remove(device)


class Device(Thing):
    def fail(self, name):
        return dbus.exceptions.DBusException("no", name="org.bluez.Error." + name)

    @dbus.service.method("org.bluez.Device1", async_callbacks=("done", "failed"))
    def Pair(self, done, failed):
        say("pair", self.path[-17:])

        def later():
            if self.refuses:
                return failed(self.fail("AuthenticationFailed"))
            self.change(Paired=True)
            self.connect()
            done()

        GLib.timeout_add(300, later)

    @dbus.service.method("org.bluez.Device1", async_callbacks=("done", "failed"))
    def Connect(self, done, failed):
        say("connect", self.path[-17:])
        if self.is_on:
            self.connect()
            done()
        else:
            failed(self.fail("Failed"))

    @dbus.service.method("org.bluez.Device1")
    def Disconnect(self):
        self.disconnect()

    refuses, is_on, stream = False, True, None

    def connect(self):
        if not self.properties["Connected"]:
            self.change(Connected=True)
            if self.stream:
                bluealsa.add(self.stream)

    def disconnect(self):
        if self.properties["Connected"]:
            self.change(Connected=False)
            if self.stream:
                self.stream.close()
                bluealsa.remove(self.stream)


class Stream(Thing):
    """The PCM of the headphones. It takes sound as fast as it is played."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.ends, self.is_paused = [], False

    @dbus.service.method("org.bluealsa.PCM1", out_signature="hh")
    def Open(self):
        say("open")
        sound, given = os.pipe()
        control, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.ends = [sound, control.detach()]
        threading.Thread(target=self.play, args=(sound,), daemon=True).start()
        threading.Thread(target=self.obey, args=(self.ends[1],), daemon=True).start()
        return dbus.types.UnixFd(given), dbus.types.UnixFd(far.fileno())

    def play(self, sound):
        step, began, number = RATE // 50 * 4, None, 0
        with open(sys.argv[1], "ab") as record:
            while True:
                try:
                    data = os.read(sound, step)
                except OSError:
                    break
                if not data:
                    break
                if began is None or time.monotonic() > began + number / RATE / 4 + 0.5:
                    began, number = time.monotonic(), 0
                number += len(data)
                record.write(data)
                record.flush()
                time.sleep(max(0, began + number / RATE / 4 - time.monotonic()))
        say("closed")

    def obey(self, control):
        while True:
            try:
                word = os.read(control, 32)
                if not word:
                    return
                os.write(control, b"OK")
            except OSError:
                return

    def close(self):
        for end in self.ends[1:]:
            os.close(end)
        self.ends = []


def take():
    for line in sys.stdin:
        GLib.idle_add(do, line.strip())
    GLib.idle_add(os._exit, 0)


def do(word):
    if word == "on":
        headphones.is_on = True
        headphones.connect()
    elif word == "off":
        headphones.is_on = False
        headphones.disconnect()
    elif word == "refuse":
        headphones.refuses = True


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SystemBus()
names = [dbus.service.BusName(name, bus) for name in ("org.bluez", "org.bluealsa")]
bluez, bluealsa = Manager(bus, "/"), Manager(bus, "/org/bluealsa")


class AgentManager(Thing):
    @dbus.service.method("org.bluez.AgentManager1", in_signature="os")
    def RegisterAgent(self, agent, capability):
        say("agent", capability)

    @dbus.service.method("org.bluez.AgentManager1", in_signature="o")
    def RequestDefaultAgent(self, agent):
        pass

    @dbus.service.method("org.bluez.AgentManager1", in_signature="o")
    def UnregisterAgent(self, agent):
        pass


def device(path, name, icon, uuids):
    return Device(bus, path, "org.bluez.Device1",
                  {"Address": path[-17:].replace("_", ":"), "AddressType": "public", "Name": name, "Alias": name, "Icon": icon,
                   "Class": dbus.UInt32(0x240404), "Paired": False, "Trusted": False, "Blocked": False, "LegacyPairing": False,
                   "RSSI": dbus.Int16(-50), "Connected": False, "UUIDs": dbus.Array(uuids, signature="s"),
                   "Adapter": dbus.ObjectPath(ADAPTER), "ServicesResolved": False})


bluez.add(AgentManager(bus, "/org/bluez", "org.bluez.AgentManager1", {}))
adapter = Adapter(bus, ADAPTER, "org.bluez.Adapter1",
                  {"Address": "02:00:00:00:00:00", "AddressType": "public", "Name": "bedside", "Alias": "bedside", "Class": dbus.UInt32(0),
                   "Powered": False, "Discoverable": False, "DiscoverableTimeout": dbus.UInt32(180), "Pairable": True,
                   "PairableTimeout": dbus.UInt32(0), "Discovering": False, "UUIDs": dbus.Array([], signature="s"), "Modalias": "usb:v1D6Bp0246d0542"})
headphones = device(DEVICE, "Quiet Ears", "audio-headset", ["0000110b-0000-1000-8000-00805f9b34fb", "0000110e-0000-1000-8000-00805f9b34fb"])
phone = device(PHONE, "A telephone", "phone", ["0000110a-0000-1000-8000-00805f9b34fb"])
adapter.near = [phone, headphones]
headphones.stream = Stream(bus, PCM, "org.bluealsa.PCM1",
                           {"Device": dbus.ObjectPath(DEVICE), "Sequence": dbus.UInt32(0), "Transport": "A2DP-source", "Mode": "sink",
                            "Format": dbus.UInt16(0x8210), "Channels": dbus.Byte(2), "Sampling": dbus.UInt32(RATE), "Codec": "SBC",
                            "Delay": dbus.UInt16(DELAY), "SoftVolume": True, "Volume": dbus.UInt16(0x7F7F)})
bluez.add(adapter)
say("ready")
threading.Thread(target=take, daemon=True).start()
GLib.MainLoop().run()
del names
