# SPDX-License-Identifier: Apache-2.0
"""A server of files and stations for tests and the bench, with all the faults that servers have."""

import http.server
import os
import re
import socket
import ssl
import struct
import subprocess
import threading
import time


def make_certificate(path, name="IP:127.0.0.1", days=30):
    """Signed by itself; its key stands in the file, too. Returns the certificate alone."""
    key = path + ".key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", path,
                    "-subj", "/CN=owl", "-addext", "subjectAltName=" + name], check=True, stderr=subprocess.DEVNULL)
    subprocess.run(["openssl", "x509", "-in", path, "-signkey", key, "-days", str(days), "-out", path],
                   check=True, stderr=subprocess.DEVNULL)
    with open(path, "rb") as file, open(key, "rb") as secret:
        certificate = file.read()
        whole = certificate + secret.read()
    with open(path, "wb") as file:
        file.write(whole)
    return certificate


def may_mount():
    """True if a command may have mounts of its own: root's may, unless they run in a chroot."""
    return subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL).returncode == 0


def trusting(folder, command, *certificates):
    """`command`, for which the trusted certificates are those of `folder`, mounted where the system has its."""
    os.makedirs(folder, exist_ok=True)
    for number, certificate in enumerate(certificates):
        with open(os.path.join(folder, f"{number}.pem"), "wb") as file:
            file.write(certificate)
    subprocess.run(["openssl", "rehash", folder], check=True)
    return ["unshare", "--mount", "sh", "-c", f"mount --bind {folder} /etc/ssl/certs && exec \"$@\"", "sh", *command]


class Served:
    """One address of the server: what it answers."""

    def __init__(self, data=b"", tag='"one"', **faults):
        self.data, self.tag = data, tag
        self.faults = faults
        self.requests = []  # (range, if-range) of each
        self.sent = 0  # bytes of it, all answers together


class Server:
    """A server of files with faults by name:
    status: the status to answer instead, `times` times; after: Retry-After; ranges: False for none; cut: bytes after which the connection
    is closed, the first `times` times, reset or, with hangs_up, as if that were all; rate: bytes a second; length: Content-Length that is said; encoding: Content-Encoding; type: Content-Type; to: Location;
    pause: an Event that has to be set for more than `cut` bytes to go out; drop: an Event that resets the connection; steps: a Semaphore that each 4,096 bytes take one of;
    live: a station, with its title, and burst bytes at once; with `ended` it hangs up, with `away` there is none."""

    def __init__(self, certificate=None):
        self.pages = {}
        self.connections = 0
        self.keeps = False  # a connection, for another request
        server = self
        self.scheme = "https" if certificate else "http"

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                server.connections += 1
                super().setup()

            def log_message(self, *_):
                pass

            def do_GET(self):
                server.answer(self)

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            # Each connection does its handshake on its own thread: a refused one holds up no other.
            self.http.socket = context.wrap_socket(self.http.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self.http.server_address[1]
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.05,), daemon=True)
        self.thread.start()

    def url(self, path):
        return f"{self.scheme}://127.0.0.1:{self.port}{path}"

    def add(self, path, data=b"", **options):
        self.pages[path] = Served(data, **options)
        return self.url(path)

    def close(self):
        self.http.shutdown()
        self.http.server_close()

    def answer(self, request):
        page = self.pages.get(request.path)
        request.close_connection = not self.keeps
        if page is None:
            try:
                request.send_error(404)
            except OSError:
                pass  # whoever asked has ended meanwhile
            return
        faults = page.faults
        asked = request.headers.get("Range")
        page.requests.append((asked, request.headers.get("If-Range")))
        times = faults.get("times", 1 << 30)
        if "status" in faults and len(page.requests) <= times:
            request.send_response(faults["status"])
            if "after" in faults:
                request.send_header("Retry-After", str(faults["after"]))
            if "to" in faults:
                request.send_header("Location", faults["to"])
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        if faults.get("live", {}).get("away"):
            request.send_error(404)
            return
        if "live" in faults:
            self.live(request, page)
            return
        first, status, last = 0, 200, len(page.data) - 1
        wanted = request.headers.get("If-Range")
        if asked and faults.get("ranges", True) and (wanted is None or wanted == page.tag):
            places = re.match(r"bytes=(\d*)-(\d*)", asked)
            status = 206
            if not places.group(1):
                first = max(0, len(page.data) - int(places.group(2)))
            else:
                first = int(places.group(1))
                if places.group(2):
                    last = min(last, int(places.group(2)))
        if first >= len(page.data):
            request.send_response(416)
            request.send_header("Content-Range", f"bytes */{len(page.data)}")
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        body = page.data[first : last + 1]
        request.send_response(status)
        request.send_header("Content-Type", faults.get("type", "audio/mpeg"))
        if "encoding" in faults:
            request.send_header("Content-Encoding", faults["encoding"])
        if page.tag:
            request.send_header("ETag", page.tag)
        if faults.get("ranges", True):
            request.send_header("Accept-Ranges", "bytes")
        if status == 206:
            request.send_header("Content-Range", f"bytes {first}-{last}/{len(page.data)}")
        if faults.get("length", True) is not None:
            length = faults.get("length")
            request.send_header("Content-Length", str(length - first if length else len(body)))
        request.end_headers()
        cut = faults.get("cut") if len(page.requests) <= times else None
        try:
            self.send(request, page, body, cut)
        except OSError:
            pass

    @staticmethod
    def send(request, page, body, cut):
        faults = page.faults
        rate = faults.get("rate")
        sent, began = 0, time.monotonic()
        pause = faults.get("pause")
        while sent < len(body):
            if "drop" in faults and faults["drop"].is_set():
                request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return
            if cut is not None and sent >= cut:
                if faults.get("hangs_up"):
                    return
                if pause is None:
                    # At once, without an end.
                    request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    return
                pause.wait()
            part = min(4096, len(body) - sent, (cut - sent) if cut is not None and sent < cut else 4096)
            if "steps" in faults:
                faults["steps"].acquire()
            request.wfile.write(body[sent : sent + part])
            sent += part
            page.sent += part
            if rate:
                time.sleep(max(0, sent / rate - (time.monotonic() - began)))

    @staticmethod
    def live(request, page):
        """A station: its words every 4,000 bytes; the data over and over, at its rate."""
        live = page.faults["live"]
        if not page.faults.get("words", True):
            Server.live_without_words(request, page)
            return
        request.wfile.write(b"ICY 200 OK\r\nicy-name: Radio Owl\r\nicy-br: 64\r\nicy-metaint: 4000\r\n"
                            b"Content-Type: audio/mpeg\r\n\r\n")
        at, began, sent, told = 0, time.monotonic(), 0, None
        try:
            while not live.get("ended"):
                piece = (page.data + page.data)[at : at + 4000]
                at = (at + 4000) % len(page.data)
                request.wfile.write(piece)
                title = live["title"]
                words = b"" if title == told else f"StreamTitle='{title}';".encode()
                told = title
                words += bytes(-len(words) % 16)
                request.wfile.write(bytes([len(words) // 16]) + words)
                sent += 4000
                burst = live.get("burst", 48_000)
                if sent > burst:
                    time.sleep(max(0, (sent - burst) / 8000 - (time.monotonic() - began)))
        except OSError:
            pass

    @staticmethod
    def live_without_words(request, page):
        """The data once, at its pace, behind a second and a half of it."""
        request.wfile.write(b"HTTP/1.0 200 OK\r\nicy-name: Radio Owl\r\nContent-Type: application/ogg\r\n\r\n")
        began = time.monotonic()
        try:
            for at in range(0, len(page.data), 2000):
                request.wfile.write(page.data[at : at + 2000])
                if at > 16_000:
                    time.sleep(max(0, (at - 16_000) / (len(page.data) / 60) - (time.monotonic() - began)))
        except OSError:
            pass
