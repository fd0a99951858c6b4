# SPDX-License-Identifier: Apache-2.0
"""`nightstand bridge` at a real MQTT broker, mosquitto, with TLS and a password: the things that Home Assistant finds
there, and its commands."""

import json
import os
import signal
import socket
import subprocess
import time
import unittest

import audio
import inputs
import test_voice
from build import NIGHTSTAND
from fileserver import make_certificate
from harness import contents, until
from test_voice import RATE

# The keys that the documentation of Home Assistant's MQTT integration calls required, by component (its pages sensor.mqtt, number.mqtt,
# button.mqtt, notify.mqtt and event.mqtt). A device needs unique_id and identifiers; origin needs a name; device_class enum needs options.
REQUIRED = {
    "sensor": {"state_topic"},
    "number": {"command_topic"},
    "button": {"command_topic"},
    "notify": {"command_topic"},
    "event": {"state_topic", "event_types"},
}
EVERY = {"name", "unique_id", "device", "origin", "availability_topic"}
# Every other key of each that is used here.
KNOWN = {
    "sensor": {"value_template", "device_class", "unit_of_measurement", "options"},
    "number": {"state_topic", "value_template", "min", "max", "step", "unit_of_measurement"},
    "button": {"payload_press"},
    "notify": set(),
    "event": {"device_class"},
}
ENTITIES = {"sensor": {"state", "title", "book", "position", "duration"}, "number": {"volume", "sleep"},
            "button": {"play", "pause", "stop", "next", "previous"}, "notify": {"announce"}, "event": {"press"}}


class Broker:
    """mosquitto on a free port."""

    def __init__(self, folder):
        self.folder, self.process = folder, None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.authority = os.path.join(folder, "authority.pem")
        with open(self.authority, "wb") as file:
            file.write(make_certificate(os.path.join(folder, "broker.pem")))
        passwords = os.path.join(folder, "passwords")
        for words, name in ((("-c", "-b"), "speaker"), (("-b",), "home")):
            subprocess.run(["mosquitto_passwd", *words, passwords, name, "hush: " + name], check=True)
        with open(os.path.join(folder, "mosquitto.conf"), "w", encoding="utf-8") as file:
            file.write(f"listener {self.port} 127.0.0.1\ncertfile {folder}/broker.pem\nkeyfile {folder}/broker.pem.key\n"
                       f"allow_anonymous false\npassword_file {passwords}\npersistence false\nuser root\n")

    def start(self):
        with open(os.path.join(self.folder, "broker.log"), "ab") as log:
            self.process = subprocess.Popen(["mosquitto", "-c", self.folder + "/mosquitto.conf"], stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log)

        def answers():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0

        until(answers, 10, "the broker")

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)

    def words(self, program, *words):
        return [program, "-h", "127.0.0.1", "-p", str(self.port), "--cafile", self.authority, "-u", "home", "-P", "hush: home", *words]

    def publish(self, topic, payload, *words):
        subprocess.run(self.words("mosquitto_pub", "-t", topic, "-s" if payload else "-n", *words), input=payload, check=True, timeout=10)


class BridgeCase(test_voice.Voice.__base__):
    def setUp(self):
        super().setUp()
        audio.lame(f"{self.library}/a.mp3", audio.sine(60, RATE, 220, 0.05), RATE, "-b", "64", "--resample", str(RATE / 1000),
                   "--tt", 'One "owl"', "--tl", "Night")
        audio.lame(f"{self.library}/b.mp3", audio.sine(60, RATE, 220, 0.05), RATE, "-b", "64", "--resample", str(RATE / 1000),
                   "--tt", "Two", "--tl", "Night")
        os.mkdir(self.path("broker"))
        self.broker = Broker(self.path("broker"))
        self.addCleanup(self.broker.stop)
        self.account("speaker:hush: speaker\n")
        self.settings["bridge"] = {"broker": "127.0.0.1", "port": self.broker.port, "authority": self.broker.authority,
                                   "credentials": self.path("account")}
        self.messages_path = None

    def account(self, text, mode=0o600):
        with open(self.path("account"), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path("account"), mode)

    def bridge(self):
        self.bridge_log = self.path("bridge.log")
        with open(self.bridge_log, "ab") as log:
            self.bridge_process = self.spawn("--config", self.write_settings(), "bridge", stdout=log, stderr=log)

    def said(self):
        return contents(self.bridge_log).decode(errors="replace")

    def listen(self):
        """Follows all topics, from what the broker has kept on."""
        if self.messages_path:
            self.end(self.follower)
        self.messages_path = self.path("messages")
        with open(self.messages_path, "wb") as file:
            self.follower = subprocess.Popen(self.broker.words("mosquitto_sub", "-t", "#", "-F", "%j"), stdin=subprocess.DEVNULL,
                                             stdout=file, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, self.follower)

    def messages(self):
        """The last message of each topic."""
        lines = contents(self.messages_path).decode(errors="replace").split("\n")[:-1]
        return {message["topic"]: message for message in map(json.loads, lines)}

    def payload(self, suffix):
        return next((message.get("payload", "") for topic, message in self.messages().items() if topic.endswith(suffix)), None)

    def state(self):
        return json.loads(self.payload("/state") or "{}")

    def topic(self, name):
        return next(topic for topic in self.messages() if topic.endswith("/availability")).rsplit("/", 1)[0] + "/command/" + name

    def wait_state(self, **values):
        until(lambda: all(self.state().get(key, "?") == value for key, value in values.items()), 10,
              lambda: f"{values} in {self.state()}; {self.said()}")

    def wait_there(self, word="online"):
        until(lambda: self.payload("/availability") == word, 15, lambda: f"{word}: {self.said()}")

    def everything(self):
        self.broker.start()
        self.start()
        self.listen()
        self.bridge()
        self.wait_there()


class Bridge(BridgeCase):
    def test_home_assistant_finds_the_speaker_and_plays_it(self):
        self.everything()
        until(lambda: self.payload("/announce/config"), 10, "the last entity")
        self.listen()  # what a broker has kept, as Home Assistant sees it when it starts
        self.wait_state(state="paused")
        found, numbers = {}, set()
        for topic, message in self.messages().items():
            self.assertEqual(message["retain"], 1, topic)
            if not topic.endswith("/config"):
                continue
            prefix, component, node, entity, _ = topic.split("/")
            self.assertEqual(prefix, "homeassistant")
            self.assertRegex(node + entity, r"\A[a-zA-Z0-9_-]+\Z")
            value = json.loads(message["payload"])
            with self.subTest(topic):
                self.assertLessEqual(REQUIRED[component] | EVERY, set(value))
                self.assertLessEqual(set(value), REQUIRED[component] | EVERY | KNOWN[component])
                self.assertEqual(value["device"]["identifiers"], [node])
                self.assertEqual(value["device"]["name"], "Nightstand " + socket.gethostname())
                self.assertIn(value["device"]["sw_version"], subprocess.check_output([NIGHTSTAND, "--version"], text=True))
                self.assertEqual(value["origin"]["name"], "Nightstand")
                self.assertIn(value["availability_topic"], self.messages())
                if component == "event":
                    self.assertIn("long", value["event_types"])
                elif "state_topic" in value:
                    key = value["value_template"].removeprefix("{{ value_json.").removesuffix(" }}")
                    self.assertIn(key, json.loads(self.messages()[value["state_topic"]]["payload"]))
                if value.get("device_class") == "enum":
                    self.assertIn("stopped", value["options"])
            numbers.add(value["unique_id"])
            found.setdefault(component, set()).add(entity)
        self.assertEqual(found, ENTITIES)
        self.assertEqual(len(numbers), sum(map(len, ENTITIES.values())))

        def press(name):
            self.broker.publish(self.topic("press"), name)

        press(b"play")
        self.wait_playing()
        self.wait_state(state="playing", title='One "owl"', book="Night", duration=60)
        self.assertTrue(self.card.heard())
        press(b"next")
        self.wait_state(state="playing", title="Two")
        press(b"previous")
        self.wait_state(title='One "owl"')
        press(b"pause")
        self.wait_state(state="paused")
        self.assertEqual(self.mpd.status()["state"], "pause")
        self.mpd("seekcur 20")
        self.wait_state(position=20)
        self.broker.publish(self.topic("volume"), b"35")
        self.wait_state(volume=35)
        self.assertEqual(self.mpd.status()["volume"], "35")
        for minutes in (45, 0):
            self.broker.publish(self.topic("sleep"), str(minutes).encode())
            self.wait_state(sleep=minutes)
        self.mpd("sleep chapter")
        self.wait_state(sleep=None)
        self.broker.publish(self.topic("volume"), b"100")
        self.wait_state(volume=100)
        self.broker.publish(self.topic("announce"), b'dinner is "ready"')
        self.says("dinnerisready")
        press(b"stop")
        self.wait_state(state="stopped")
        self.assertNotIn("refused", self.said())
        self.assertNotIn("hush", self.said())

    def test_presses_are_told(self):
        os.mkdir(self.path("input"))
        keys = inputs.Device(self.path("input", "event0-keys"))
        self.addCleanup(keys.close)
        self.settings["buttons"] = {"play": "input:KEY_F1", "forward": "input:KEY_F2"}
        self.broker.start()
        self.start(env={"LD_PRELOAD": inputs.preload(), "FAKE_INPUT": self.path("input")})
        self.listen()
        self.bridge()
        self.wait_there()
        self.wait_state(state="paused")

        def events():
            lines = contents(self.messages_path).decode().split("\n")[:-1]
            found = [message for message in map(json.loads, lines) if message["topic"].endswith("/press")]
            return [(value["button"], value["event_type"]) for value in (json.loads(m["payload"]) for m in found)], [m["retain"] for m in found]

        def press(code, seconds=0.1):
            keys.send((inputs.KEY, code, 1))
            time.sleep(seconds)
            keys.send((inputs.KEY, code, 0))

        press(60)
        until(lambda: events()[0] == [("forward", "press")], 10, lambda: f"{events()}, {self.said()}")
        press(59, 0.8)
        until(lambda: events()[0][-1] == ("play", "long"), 10, lambda: f"{events()}, {self.said()}")
        before = len(events()[0])
        # Of a client's own words nothing is passed on.
        for words in "play now", "x", 'a" press', "play press extra", "p" * 40 + " press":
            self.mpd("sendmessage press " + json.dumps(words))
        press(60)
        until(lambda: len(events()[0]) > before, 10, self.said)
        told, kept = events()
        self.assertEqual(told[before:], [("forward", "press")])
        self.assertFalse(any(kept))

    def test_hostile_commands_are_refused(self):
        self.everything()
        self.mpd("setvol 40")
        self.wait_state(volume=40)
        before = self.mpd.status()
        count = 0
        for name, payload in (
                ("press", b"play\nsetvol 99"), ("press", b"play\n"), ("press", b"clear"), ("press", b""), ("press", b"PLAY"),
                ("volume", b"101"), ("volume", b"-1"), ("volume", b"9" * 400), ("volume", b"50; play"), ("volume", b"\x00"),
                ("sleep", b"1441"), ("sleep", b"chapter"), ("announce", b"hello\nsetvol 99"), ("announce", b"\xff\xfe"),
                ("announce", b"   "), ("announce", b"x" * 1001), ("announce", b'"' * 100_000), ("announce", b"\nplay" * 20_000), ("kill", b"1")):
            self.broker.publish(self.topic(name), payload)
            count += 1
            until(lambda: self.said().count("refused a command") >= count, 10, lambda: f"{name} {payload[:40]} refused: {self.said()}")
        # Quotes and all that the console could take for its own are words.
        self.broker.publish(self.topic("announce"), b'owls" \\" ; setvol 99')
        until(lambda: self.runs() == ['owls" \\" ; setvol 99'], 10, self.runs)
        self.assertEqual(self.mpd.status(), before)
        self.assertIsNone(self.bridge_process.poll())
        self.assertNotIn("setvol", self.said())
        # More at once than the speaker is asked at a time.
        self.mpd("setvol 40")
        subprocess.run(self.broker.words("mosquitto_pub", "-t", self.topic("volume"), "-l"), input=b"30\n" * 2000 + b"31\n", check=True, timeout=10)
        until(lambda: self.mpd.status()["volume"] in ("30", "31"), 10, "a volume of those")
        self.wait_state(volume=int(self.mpd.status()["volume"]))
        self.assertIsNone(self.bridge_process.poll())
        # A retained command is none when the bridge comes back.
        self.broker.publish(self.topic("press"), b"play", "-r")
        until(lambda: self.mpd.status()["state"] == "play", 10, "playing by a message that is retained, too")
        self.mpd("stop")
        self.end(self.bridge_process)
        self.wait_there("offline")
        self.bridge()
        self.wait_there()
        until(lambda: "refused a retained command" in self.said(), 10, self.said)
        self.assertEqual(self.mpd.status()["state"], "stop")

    def test_broker_and_speaker_come_and_go(self):
        self.bridge()
        until(lambda: "no broker at 127.0.0.1" in self.said(), 10, self.said)
        self.broker.start()
        self.listen()
        self.wait_there("offline")  # a broker, and no speaker
        self.start()
        self.wait_there()
        self.wait_state(state="paused")
        # This broker keeps nothing: all is published again.
        self.broker.stop()
        self.mpd("setvol 25")
        self.broker.start()
        self.listen()
        self.wait_there()
        self.wait_state(volume=25)
        self.assertEqual(sum(topic.endswith("/config") for topic in self.messages()), 14)
        self.end()
        self.wait_there("offline")
        self.start()
        self.wait_there()
        # Each loss is named once.
        self.assertEqual(self.said().count("no broker at"), 2, self.said())
        self.bridge_process.send_signal(signal.SIGKILL)
        self.bridge_process.wait()
        self.wait_there("offline")

    def test_what_cannot_work_is_named(self):
        self.broker.start()
        self.account("speaker:wrong\n")
        self.bridge()
        until(lambda: "no broker at 127.0.0.1" in self.said(), 10, self.said)
        self.assertRegex(self.said(), "not authori[sz]ed")
        self.assertNotIn("wrong", self.said())
        self.end(self.bridge_process)
        # A foreign certificate.
        os.mkdir(self.path("other"))
        with open(self.path("other.pem"), "wb") as file:
            file.write(make_certificate(self.path("other", "one.pem")))
        self.account("speaker:hush: speaker\n")
        self.settings["bridge"]["authority"] = self.path("other.pem")
        self.bridge()
        until(lambda: self.said().count("no broker at") == 2, 10, self.said)
        self.assertNotIn("joined", self.said())
        self.end(self.bridge_process)
        for change, said in ((lambda: self.account("speaker:x\n", 0o644), "chmod 600"),
                             (lambda: self.account("speaker\n"), "expected USER:PASSWORD"),
                             (lambda: self.settings["bridge"].update(broker=""), "not enabled")):
            change()
            self.bridge()
            self.assertEqual(self.bridge_process.wait(10), 78)
            self.assertIn(said, self.said())


if __name__ == "__main__":
    unittest.main()
