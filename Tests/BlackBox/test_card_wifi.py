# SPDX-License-Identifier: Apache-2.0
"""board/image.d/wifi: when a card asks a phone for the Wi-Fi, what it says meanwhile, and what it keeps. That a phone joins is tried on the
card itself, by `board/image.d/try IMAGE wifi`."""

import os
import subprocess
import tempfile
import unittest

from build import TOP

ROUTES = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
CABLE = "eth0\t00000000\t0100A8C0\t0003\t0\t0\t1024\t00000000\t0\t0\t0\n"


class Wifi(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="wifi-")
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        os.makedirs(self.path("radio/phy80211"))
        os.mkdir(self.path("bin"))
        self.write("route", ROUTES)
        self.write("status", "state: stop\n")
        with open(os.path.join(TOP, "board/image.d/wifi"), encoding="utf-8") as file:
            script = file.read()
        for old, new in (("/state/wpa_supplicant.conf", "kept"), ("/state/wifi.asked", "asked"), ("/proc/net/route", "route"),
                         ("/etc/wpa_supplicant/wpa_supplicant-wlan0.conf", "joins"), ("/run/nightstand-wifi", "work"),
                         ("/sys/class/net/wlan0", "radio"), ("/etc/comitup.conf", "comitup.conf")):
            self.assertIn(old, script)
            script = script.replace(old, self.path(new))
        self.assertIn("seconds=600", script)
        self.write("wifi", script.replace("seconds=600", "seconds=3"), 0o755)
        # A second passes at once. The log has the calls.
        log = self.path("log")
        self.write("bin/sleep", f"#!/bin/sh\n[ ! -e {self.path('tick')} ] || . {self.path('tick')}\n", 0o755)
        self.write("bin/hostname", "#!/bin/sh\necho bedside\n", 0o755)
        self.write("bin/nightstand", f"#!/bin/sh\n[ \"$*\" = 'console status' ] && exec cat {self.path('status')}\necho \"$*\" >>{log}\n", 0o755)
        for name in ("systemctl", "nft"):
            self.write(f"bin/{name}", f"#!/bin/sh\necho \"{name} $*\" >>{log}\n", 0o755)
        self.write("bin/nmcli", """#!/bin/sh
case "$*" in
  *GENERAL.CON-UUID*) echo 1-2 ;;
  *psk*1-2) printf '%s\\n' 'pass "word' ;;
  *ssid*1-2) echo 'Home; \\sweet' ;;
esac
""", 0o755)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text, mode=0o644):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), mode)

    def text(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def run_wifi(self):
        environment = dict(os.environ, PATH=self.path("bin") + ":" + os.environ["PATH"])
        done = subprocess.run([self.path("wifi")], env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.text("log").splitlines() if os.path.exists(self.path("log")) else []

    def test_a_cable_is_enough(self):
        self.write("tick", f"printf '{CABLE}' >>{self.path('route')}\n")
        self.assertEqual(self.run_wifi(), [])
        self.assertTrue(os.path.exists(self.path("asked")))

    def test_without_a_radio_it_asks_at_the_next_start(self):
        os.rmdir(self.path("radio/phy80211"))
        self.assertEqual(self.run_wifi(), [])
        self.assertFalse(os.path.exists(self.path("asked")))

    def test_it_asks_once_and_goes_back(self):
        log = self.run_wifi()
        self.assertEqual([line for line in log if line.startswith("console")], ["console wifi open bedside", "console wifi closed"])
        self.assertTrue(log[0].startswith("systemctl stop systemd-networkd"), log)
        self.assertIn("systemctl start wpa_supplicant NetworkManager comitup", log)
        self.assertTrue(log[-1].startswith("systemctl start systemd-networkd"), log)
        self.assertIn("ap_name: bedside\n", self.text("comitup.conf"))
        self.assertTrue(os.path.exists(self.path("asked")))
        self.assertFalse(os.path.exists(self.path("kept")))

    def test_a_story_is_not_disturbed(self):
        self.write("status", "state: play\n")
        self.assertFalse([line for line in self.run_wifi() if line.startswith("console")])

    def test_what_a_phone_has_told_is_kept(self):
        # As comitup calls it.
        self.write("tick", f"[ ! -e {self.path('comitup.conf')} ] || {self.path('wifi')} CONNECTED\n")
        log = self.run_wifi()
        self.assertIn("console wifi joined", log)
        self.assertEqual(log[-1], "systemctl start wpa_supplicant@wlan0")
        expected = "network={\n\tssid=%s\n\tpsk=\"pass \"word\"\n}\n" % b"Home; \\sweet".hex()
        self.assertEqual((self.text("kept"), self.text("joins")), (expected, expected))
        self.assertEqual(os.stat(self.path("kept")).st_mode & 0o777, 0o600)

    def test_a_way_out_by_radio_is_kept_before_comitup_says_so(self):
        self.write("tick", f"[ ! -e {self.path('comitup.conf')} ] || printf '{CABLE.replace('eth0', 'wlan0')}' >>{self.path('route')}\n")
        self.assertIn("console wifi joined", self.run_wifi())
        self.assertIn("psk=", self.text("kept"))


if __name__ == "__main__":
    unittest.main()
