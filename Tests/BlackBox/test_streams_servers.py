# SPDX-License-Identifier: Apache-2.0
"""Streams from servers as they are in the world: nginx and icecast of Debian, over networks that lose, crawl, lag and go away; clocks
that are not set; accounts."""

import base64
import os
import queue
import shutil
import socket
import subprocess
import threading
import time
import unittest
import urllib.parse
import urllib.request

import fileserver
from harness import contents, until
import test_streams
from test_streams import StreamCase


def free_port():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return unused.getsockname()[1]


def answers(host, port):
    with socket.socket() as tried:
        tried.settimeout(1)
        return tried.connect_ex((host, port)) == 0


class ServerCase(StreamCase):
    """Has a server of Debian's as a child of its own, that ends with the test. Its requests are counted: none is for words."""

    def setUp(self):
        super().setUp()
        self.settings["network"]["words"] = "no"

    def child(self, *command):
        log = open(self.path("server.log"), "ab")
        self.addCleanup(log.close)
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

        def end():
            process.terminate()
            process.wait(10)

        self.addCleanup(end)
        return process

    def nginx(self, host, port, *before):
        """Serves the recording at /a.mp3."""
        web = self.path("web")
        os.makedirs(web, exist_ok=True)
        with open(web + "/a.mp3", "wb") as file:
            file.write(self.data)
        paths = "".join(f"{name}_temp_path {self.path(name)};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;" if os.geteuid() == 0 else ""
        with open(self.path("nginx.conf"), "w") as file:
            file.write(f"daemon off; worker_processes 1; {user} pid {self.path('nginx.pid')}; error_log stderr; events {{}}\n"
                       f"http {{ types {{ audio/mpeg mp3; }} {paths} log_format asked '$request_uri $http_range $status $body_bytes_sent';"
                       f" access_log {self.path('access.log')} asked;"
                       f" server {{ listen {host}:{port}; root {web}; }} }}\n")
        self.child(*before, "nginx", "-p", self.path(""), "-e", "stderr", "-c", self.path("nginx.conf"))
        until(lambda: answers(host, port), 10, lambda: "nginx: " + contents(self.path("server.log")).decode())
        return f"http://{host}:{port}/a.mp3"

    def asked(self):
        """(range, status, bytes) of each request that is over."""
        lines = contents(self.path("access.log")).decode().split("\n")[:-1]
        return [(line.split()[1], int(line.split()[2]), int(line.split()[3])) for line in lines]


@unittest.skipUnless(shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin"), "needs nginx")
class Nginx(ServerCase):
    seconds = 300

    def test_written_once(self):
        """Each byte is asked for once, and written once: by what the kernel says of the fetching process."""
        self.start()
        self.play(self.nginx("127.0.0.1", free_port()))
        fetcher = next(int(pid) for pid in os.listdir("/proc") if pid.isdigit() and self.is_fetcher(pid))
        self.whole()
        self.assertEqual(self.asked(), [("-", 200, len(self.data))])
        wrote = [line for line in contents(f"/proc/{fetcher}/io").decode().split("\n") if line.startswith("write_bytes")]
        # Whole pages, and one for the map.
        if int(wrote[0].split()[1]) > 0:
            self.assertLessEqual(int(wrote[0].split()[1]), 1.02 * len(self.data) + 2 * 4096)
        calls = [line for line in contents(f"/proc/{fetcher}/io").decode().split("\n") if line.startswith("wchar")]
        self.assertLessEqual(int(calls[0].split()[1]), 1.02 * len(self.data) + 8192)

    def is_fetcher(self, pid):
        try:
            return b"\0fetch\0" in contents(f"/proc/{pid}/cmdline") and self.path("fetch").encode() in contents(f"/proc/{pid}/cmdline")
        except OSError:
            return False


@unittest.skipUnless(shutil.which("icecast2"), "needs icecast2")
class Icecast(ServerCase):
    seconds = 60

    def test_a_station(self):
        """Its titles as they change, and what it sends."""
        port = free_port()
        owner = "<security><changeowner><user>nobody</user><group>nogroup</group></changeowner></security>" if os.geteuid() == 0 else ""
        os.chmod(self.path(""), 0o755)
        logs = self.path("logs")
        os.mkdir(logs)
        os.chmod(logs, 0o777)
        with open(self.path("icecast.xml"), "w") as file:
            file.write(f"<icecast><limits><sources>2</sources></limits><authentication><source-password>owl</source-password>"
                       f"<admin-user>admin</admin-user><admin-password>owl</admin-password></authentication><hostname>localhost</hostname>"
                       f"<listen-socket><port>{port}</port><bind-address>127.0.0.1</bind-address></listen-socket>"
                       f"<paths><logdir>{logs}</logdir><webroot>/usr/share/icecast2/web</webroot>"
                       f"<adminroot>/usr/share/icecast2/admin</adminroot></paths>"
                       f"<logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog></logging>{owner}</icecast>\n")
        self.child("icecast2", "-c", self.path("icecast.xml"))
        until(lambda: answers("127.0.0.1", port), 10, lambda: "icecast: " + contents(self.path("server.log")).decode())
        with open(self.path("a.mp3"), "wb") as file:
            file.write(self.data)
        self.child("ffmpeg", "-v", "error", "-re", "-stream_loop", "-1", "-i", self.path("a.mp3"), "-c", "copy", "-f", "mp3",
                   "-content_type", "audio/mpeg", "-ice_name", "Radio Owl", f"icecast://source:owl@127.0.0.1:{port}/live")
        until(lambda: self.sends(port), 20, lambda: "a source; " + contents(self.path("server.log")).decode())
        self.start()
        self.play(f"http://127.0.0.1:{port}/live", 20)
        until(lambda: self.mpd.fields("currentsong").get("Name") == "Radio Owl", 10, "its name")
        for title in ("Good evening", "Fu\u00df & Kopf"):
            self.tell(port, title)
            until(lambda: self.mpd.fields("currentsong").get("Title") == title, 20, lambda: f"{title}; {self.mpd('currentsong')}")
        self.assertEqual(self.mpd.status()["state"], "play")

    @staticmethod
    def sends(port):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/live", timeout=5) as answer:
                return answer.read(1)
        except OSError:
            return False

    @staticmethod
    def tell(port, title):
        query = urllib.parse.urlencode({"mount": "/live", "mode": "updinfo", "charset": "UTF-8", "song": title})
        request = urllib.request.Request(f"http://127.0.0.1:{port}/admin/metadata?{query}")
        request.add_header("Authorization", "Basic " + base64.b64encode(b"admin:owl").decode())
        urllib.request.urlopen(request, timeout=10).read()


def may_have_networks():
    if os.geteuid() != 0 or not shutil.which("ip"):
        return False
    done = subprocess.run(["unshare", "--net", "ip", "link", "add", "near", "type", "veth", "peer", "name", "far"], stderr=subprocess.DEVNULL)
    return done.returncode == 0


class NetworkCase(ServerCase):
    """A server in a network namespace, at the other end of a wire of the test's own."""

    number = 0

    def setUp(self):
        super().setUp()
        if not may_have_networks():
            self.skipTest("needs root, and to make network namespaces")
        self.near, self.far = f"nn{os.getpid() % 100000}{self.number}", f"nf{os.getpid() % 100000}{self.number}"
        subnet = f"10.213.{os.getpid() % 250}.{self.number * 4}"
        base = subnet.rsplit(".", 1)[0]
        self.host = f"{base}.{self.number * 4 + 2}"
        # Nothing is mounted for it, as `ip netns` would: in a chroot that could not be, or would stay.
        self.keeper = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        self.addCleanup(self.keeper.wait)
        self.addCleanup(self.keeper.kill)
        until(lambda: os.readlink(f"/proc/{self.keeper.pid}/ns/net") != os.readlink("/proc/self/ns/net"), what="a network of its own")
        self.sh(f"ip link add {self.near} type veth peer name {self.far}")
        self.addCleanup(lambda: subprocess.run(["ip", "link", "del", self.near], check=False, stderr=subprocess.DEVNULL))
        self.sh(f"ip link set {self.far} netns {self.keeper.pid}; ip addr add {base}.{self.number * 4 + 1}/30 dev {self.near}; "
                f"ip link set {self.near} up; {self.there()} ip addr add {self.host}/30 dev {self.far}; "
                f"{self.there()} ip link set {self.far} up; {self.there()} ip link set lo up")

    def there(self):
        return f"nsenter --net=/proc/{self.keeper.pid}/ns/net"

    def sh(self, script):
        subprocess.run(["sh", "-ec", script], check=True, stdout=subprocess.DEVNULL)

    def serve(self):
        return self.nginx(self.host, 8080, *self.there().split())

    def plays_on(self, seconds, bound):
        """Nothing of it is left out, during any wait."""
        until(lambda: self.mpd.elapsed() > seconds, bound, lambda: "it goes on; it says " + self.say())


class Loss(NetworkCase):
    number = 1
    seconds = 20

    def test_five_in_a_hundred(self):
        self.sh(f"{self.there()} nft -f - <<'END'\ntable inet t {{ chain i {{ type filter hook input priority 0; "
                f"numgen random mod 100 < 5 drop; }}; chain o {{ type filter hook output priority 0; numgen random mod 100 < 5 drop; }}; }}\nEND")
        self.start()
        self.play(self.serve(), 20)
        self.whole()
        self.plays_on(8, 30)


class Crawl(NetworkCase):
    FASTER = 1

    number = 2
    seconds = 60

    def setUp(self):
        super().setUp()
        # Of half that rate.
        self.add_noise("b.mp3", self.seconds, 22050, "-b", "32")
        self.data = contents(os.path.join(self.library, "b.mp3"))
        os.remove(os.path.join(self.library, "b.mp3"))

    def test_eight_kilobytes_a_second(self):
        address = self.serve()
        self.sh(f"{self.there()} tc qdisc add dev {self.far} root tbf rate 64kbit burst 4kb latency 500ms")
        self.start()
        self.play(address, 20)
        self.plays_on(10, 30)
        self.assertNotEqual(self.map().get("whole"), "1")
        self.assertIn("buffer", self.mpd.status())


class Outage(NetworkCase):
    number = 3
    seconds = 120

    def test_thirty_seconds(self):
        """The present part is played; then it waits and says so; and goes on at the byte."""
        address = self.serve()
        self.sh(f"{self.there()} tc qdisc add dev {self.far} root tbf rate 160kbit burst 8kb latency 500ms")
        self.start()
        self.play(address, 20)
        # The far end: the near one's route would be gone with it, and others might answer.
        self.sh(f"{self.there()} ip link set {self.far} down")
        began = time.monotonic()
        self.wait_error("trying again", 29)
        time.sleep(max(0, 30 - (time.monotonic() - began)))
        place = self.mpd.elapsed()
        self.sh(f"{self.there()} ip link set {self.far} up")
        self.plays_on(place + 5, 60)
        # Asked for twice: nothing, or at most what was on its way.
        first = int(next(asked for asked, _, _ in self.asked() if asked != "-")[6:-1]) if len(self.asked()) > 1 else None
        if first is not None:
            self.assertGreater(first, 0)


class Delay(ServerCase):
    seconds = 20

    def test_three_hundred_milliseconds(self):
        """By a forwarder, since netem is not in every kernel."""
        address = self.server.add("/a.mp3", self.data, cut=60_000, times=1)
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def pump(source, sink):
            late = queue.Queue()

            def give():
                while (piece := late.get()) is not None:
                    time.sleep(max(0, piece[0] - time.monotonic()))
                    try:
                        sink.sendall(piece[1])
                    except OSError:
                        return
                # A closed socket would stay open while a reader waits for its bytes.
                try:
                    sink.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

            threading.Thread(target=give, daemon=True).start()
            try:
                while data := source.recv(65536):
                    late.put((time.monotonic() + 0.15, data))
            except OSError:
                pass
            late.put(None)

        def accept():
            while True:
                try:
                    near, _ = listener.accept()
                except OSError:
                    return
                far = socket.create_connection(("127.0.0.1", self.server.port))
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=pump, args=pair, daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        self.start()
        self.play(address.replace(str(self.server.port), str(listener.getsockname()[1])), 15)
        self.whole()


class Accounts(StreamCase):
    seconds = 5
    secret = "owl:Tu-whit-Tu-whoo"

    def setUp(self):
        super().setUp()
        self.settings["network"]["credentials"] = self.path("accounts")
        with open(self.path("accounts"), "w") as file:
            file.write(f"http://127.0.0.1:{self.server.port} {self.secret}\n")
        expected = "Basic " + base64.b64encode(self.secret.encode()).decode()
        answer = self.server.answer

        def checked(request):
            if request.headers.get("Authorization") == expected:
                return answer(request)
            request.send_response(401)
            request.send_header("Content-Length", "0")
            request.end_headers()
            return None

        self.server.answer = checked
        self.address = self.server.add("/a.mp3", self.data)

    def shows_nothing(self):
        for word in self.secret.split(":")[1:]:
            self.assertNotIn(word, self.log())
            self.assertNotIn(word, str(self.mpd("status")) + str(self.mpd("currentsong")) + str(self.mpd("playlistinfo")))
            for name in os.listdir(self.path("cache")) if os.path.isdir(self.path("cache")) else []:
                if name.endswith(".map"):
                    self.assertNotIn(word.encode(), contents(os.path.join(self.path("cache"), name)))

    def test_of_its_owner_alone(self):
        os.chmod(self.path("accounts"), 0o600)
        self.start()
        self.play(self.address)
        self.whole()
        self.shows_nothing()

    def test_over_its_own_scheme_alone(self):
        """An account that is given for a host is one for https: it goes neither over http nor to another port."""
        with open(self.path("accounts"), "w") as file:
            file.write(f"127.0.0.1:{self.server.port} {self.secret}\n127.0.0.1 {self.secret}\nhttp://127.0.0.1 {self.secret}\n")
        os.chmod(self.path("accounts"), 0o600)
        self.start()
        self.mpd(f'add "{self.address}"')
        self.mpd("play")
        self.wait_error("401")
        self.assertEqual(self.server.pages["/a.mp3"].requests, [])
        self.shows_nothing()

    def test_readable_by_others(self):
        os.chmod(self.path("accounts"), 0o644)
        self.start()
        self.mpd(f'add "{self.address}"')
        self.mpd("play")
        until(lambda: "chmod 600" in self.log(), 10, lambda: "a refusal; it says " + self.say())
        self.assertEqual(self.server.pages["/a.mp3"].requests, [])
        self.assertEqual(self.mpd.elapsed(), 0)
        self.shows_nothing()


@unittest.skipUnless(fileserver.may_mount() and shutil.which("faketime"), "needs root, not in a chroot, and faketime")
class Clock(test_streams.Https):
    """A board without a clock of its own."""

    FASTER = 1

    test_plays = test_a_stranger = test_another_name = test_a_certificate_that_is_over = None

    def test_not_set_yet(self):
        server = self.serve()
        clock = self.path("clock")
        with open(clock, "w") as file:
            file.write("@1970-01-02 00:00:00")
        library = next(os.path.join(folder, name) for folder, _, names in os.walk("/usr/lib") for name in names
                       if name == "libfaketime.so.1")
        self.command = ["env", f"LD_PRELOAD={library}", f"FAKETIME_TIMESTAMP_FILE={clock}", "FAKETIME_NO_CACHE=1",
                        "FAKETIME_DONT_FAKE_MONOTONIC=1", *self.command]
        self.start()
        self.mpd(f'add "{server.add("/a.mp3", self.data)}"')
        self.mpd("play")
        self.wait_error("the clock is not set yet")
        with open(clock, "w") as file:
            file.write("+0")
        until(lambda: self.mpd.elapsed() > 0.1, 30, lambda: "sound; it says " + self.say())


if __name__ == "__main__":
    unittest.main()
