# SPDX-License-Identifier: Apache-2.0
"""The part of Supabase that a speaker uses: PostgreSQL with board/supabase/schema.sql, and before it a gateway that
does what GoTrue and PostgREST
do for these few calls (test_household_client has Supabase's own client try it). It knows nothing of households: rows are seen and written
as `authenticated`, by the policies of the schema."""

import http.server
import json
import os
import re
import secrets
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import uuid

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = "/usr/lib/postgresql/15/bin"
IS_THERE = os.path.exists(PROGRAMS + "/postgres") and os.path.exists(PROGRAMS + "/initdb") and shutil.which("psql")
COLUMNS = {"household": "uuid", "kind": "text", "key": "text", "value": "json", "time": "text", "device": "text", "name": "text",
           "revision": "bigint"}


class SQLError(Exception):
    def __init__(self, text):
        super().__init__(text)
        self.code = (re.search(r"ERROR:\s+([0-9A-Z]{5}):", text) or [None, "XX000"])[1]


class Database:
    """PostgreSQL in a folder of its own, behind a socket, with the roles and the function that a project has."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="nightstand-pg-")
        # It refuses to run as root.
        self.user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.getuid() == 0 else []
        if self.user:
            shutil.chown(self.folder, "nobody", "nogroup")
        data = self.folder + "/data"
        self.run(PROGRAMS + "/initdb", "-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync")
        self.log = open(self.folder + "/log", "wb")
        self.process = subprocess.Popen(
            [*self.user, PROGRAMS + "/postgres", "-D", data, "-k", self.folder, "-c", "listen_addresses=", "-c", "fsync=off"],
            cwd="/", stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while subprocess.run([PROGRAMS + "/pg_isready", "-q", "-h", self.folder, "-U", "postgres"]).returncode:
            if time.monotonic() > end or self.process.poll() is not None:
                raise AssertionError("PostgreSQL does not start")
            time.sleep(0.02)
        self.sql("""
            create schema auth;
            create function auth.uid() returns uuid language sql stable as
              $$ select (nullif(current_setting('request.jwt.claims', true), '')::json->>'sub')::uuid $$;
            create role anon nologin; create role authenticated nologin;
            grant usage on schema public, auth to anon, authenticated;
            alter default privileges in schema public grant all on tables to anon, authenticated;
            alter default privileges in schema public grant all on sequences to anon, authenticated;
            alter default privileges in schema public grant all on functions to anon, authenticated;
            """)

    def run(self, *words):
        done = subprocess.run([*self.user, *words], cwd="/", capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(done.stdout + done.stderr)

    def sql(self, text):
        """Its message, or SQLError."""
        done = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-v", "VERBOSITY=verbose", "-h", self.folder,
                               "-U", "postgres", "postgres"], input=text, capture_output=True, text=True)
        if done.returncode:
            raise SQLError(done.stderr)
        return done.stdout.strip("\n")

    def schema(self):
        with open(os.path.join(TOP, "board", "supabase", "schema.sql")) as file:
            self.sql(file.read())

    def as_user(self, user, text, role="authenticated"):
        """As PostgREST does it: in one transaction, with role and claims."""
        claims = json.dumps({"sub": user, "role": role})
        return self.sql(f"begin; set local role {role}; select set_config('request.jwt.claims', {literal(claims)}, true) \\g /dev/null\n"
                        f"{text};\ncommit;")

    def close(self):
        self.process.terminate()
        self.process.wait(20)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def literal(text):
    tag = "$t" + secrets.token_hex(8) + "$"
    return tag + text + tag


class Gateway:
    """faults: for each of the next requests to /rest a function that answers instead; None lets it pass.
    certificate: a file with its key; with it the gateway is one of https."""

    def __init__(self, database, certificate=None):
        self.database, self.key = database, "sb_publishable_" + secrets.token_hex(15)
        # A user's token has as many letters as a hosted project's commonly has.
        self.token_letters = 850
        self.users, self.access, self.refresh = {}, {}, {}
        self.requests, self.faults, self.bytes = [], [], 0
        self.lifetime, self.delay = 3600, 0
        gateway = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *words):
                pass

            def do_GET(self):
                gateway.handle(self)

            do_POST = do_GET

        self.handler, self.port, self.certificate = Handler, 0, certificate
        self.open()

    def open(self):
        """At any port; after close() at the same one."""
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), self.handler)
        self.server.daemon_threads = True
        # A reader that has heard enough closes the connection.
        told = self.server.handle_error
        self.server.handle_error = lambda *words: None if isinstance(sys.exc_info()[1], OSError) else told(*words)
        self.port = self.server.server_address[1]
        self.url = f"http{'s' if self.certificate else ''}://127.0.0.1:{self.port}"
        if self.certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.certificate)
            # The handshake is each connection's own thread's.
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def add_user(self, email, password):
        self.users[email] = (password, str(uuid.uuid4()))
        return self.users[email][1]

    def handle(self, request):
        body = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        address = urllib.parse.urlsplit(request.path)
        query = urllib.parse.parse_qs(address.query)
        self.requests.append(request.command + " " + address.path)
        self.bytes += len(body) + len(request.requestline) + len(str(request.headers))
        time.sleep(self.delay)
        if request.headers.get("apikey") != self.key:
            return self.answer(request, 401, {"message": "No API key found in request"})
        if address.path == "/auth/v1/token":
            return self.token(request, query["grant_type"][0], json.loads(body))
        if address.path == "/auth/v1/logout":
            assert query["scope"] == ["local"]
            user, _ = self.access.pop(request.headers["Authorization"].removeprefix("Bearer "))
            self.refresh = {word: other for word, other in self.refresh.items() if other != user}
            return self.answer(request, 204, "")
        fault = self.faults.pop(0) if self.faults else None
        if fault:
            return fault(request)
        # A client without a sign-in has the project's key in the place of a token, and is `anon`.
        bearer = request.headers.get("Authorization", "Bearer " + self.key).removeprefix("Bearer ")
        role = "anon" if bearer == self.key else "authenticated"
        user, until = (None, float("inf")) if role == "anon" else self.access.get(bearer, (None, 0))
        if until < time.time():
            return self.answer(request, 401, {"code": "PGRST301", "message": "JWT expired"})
        try:
            status, answer = self.rest(request, address.path, query, body.decode(), lambda text: self.database.as_user(user, text, role))
        except SQLError as error:
            # PostgREST, "Errors", "HTTP Status Codes".
            status = {"42501": 401 if role == "anon" else 403, "42P01": 404, "42883": 404, "23505": 409}.get(error.code, 400)
            answer = {"code": error.code, "message": str(error), "details": None, "hint": None}
        self.answer(request, status, answer)

    def rest(self, request, path, query, body, sql):
        if path == "/rest/v1/rpc/nightstand_household" and request.command == "POST":
            return 200, sql("select to_json(public.nightstand_household())")
        if path != "/rest/v1/nightstand_record":
            return 404, "{}"
        if request.command == "POST":
            return self.upsert(request.headers, query, body, sql)
        columns = query["select"][0].split(",")
        conditions = ["true"]
        for name, values in query.items():
            if name not in ("select", "order", "limit"):
                operator, value = values[0].split(".", 1)
                conditions.append(f"{name} {({'gt': '>', 'eq': '='})[operator]} {literal(value)}::{COLUMNS[name]}")
        column, direction = query["order"][0].split(".")
        assert set(columns) | {column} <= set(COLUMNS) and direction == "asc"
        return 200, sql(f"""
            select coalesce(json_agg(_), '[]') from (select {",".join(columns)} from public.nightstand_record
              where {" and ".join(conditions)} order by {column} limit {min(1000, int(query["limit"][0]))}) as _""")

    def upsert(self, headers, query, body, sql):
        """PostgREST, "Tables and Views": "Upsert", "Bulk Insert", "Specifying Columns", "Return Representation". Only what was written
        comes back; the status is 200 where nothing of it was new."""
        prefer = headers["Prefer"].replace(" ", "").split(",")
        assert "resolution=merge-duplicates" in prefer and headers["Content-Type"] == "application/json", headers
        rows = json.loads(body)
        names = query["columns"][0].replace('"', "").split(",") if "columns" in query else list(rows[0])
        if "columns" not in query and any(row.keys() != rows[0].keys() for row in rows):
            return 400, {"code": "PGRST102", "message": "All object keys must match", "details": None, "hint": None}
        columns = ",".join(names)
        inserted, written = sql(f"""
            with written as (
              insert into public.nightstand_record as record({columns}) select {columns}
              from json_to_recordset({literal(body)}) as _({",".join(n + " " + COLUMNS[n] for n in names)})
              on conflict ({query["on_conflict"][0]}) do update set {",".join(f"{n}=excluded.{n}" for n in names)}
              returning {",".join("record." + n for n in COLUMNS)}, record.xmax = 0 as inserted)
            select count(*) filter (where inserted), coalesce(json_agg(json_build_object({",".join(f"'{n}',{n}" for n in COLUMNS)})), '[]')
            from written""").split("|", 1)
        return 201 if int(inserted) else 200, written if "return=representation" in prefer else ""

    def token(self, request, grant, asked):
        if grant == "password":
            password, user = self.users.get(asked["email"], (None, None))
            if password is None or password != asked["password"]:
                return self.refuse(request, "invalid_credentials", "Invalid login credentials")
        else:
            user = self.refresh.pop(asked["refresh_token"], None)
            if user is None:
                return self.refuse(request, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
        access, refresh = secrets.token_hex(self.token_letters // 2), secrets.token_hex(6)
        now = time.time()
        self.access[access] = (user, now + self.lifetime)
        self.refresh[refresh] = user
        # Supabase Auth, "User sessions" and "Users": the session and the user's object.
        self.answer(request, 200, {
            "access_token": access, "token_type": "bearer", "expires_in": self.lifetime, "expires_at": int(now + self.lifetime),
            "refresh_token": refresh, "user": {
                "id": user, "aud": "authenticated", "role": "authenticated", "email": "", "access_token": "none",
                "app_metadata": {"provider": "email"}, "user_metadata": {}, "created_at": "2026-01-01T00:00:00Z"}})

    def refuse(self, request, code, words):
        """Supabase Auth, "Error codes": in the form that the client says it knows, or in the older one."""
        version = "X-Supabase-Api-Version"
        if request.headers.get(version, "") >= "2024-01-01":
            return self.answer(request, 400, {"code": code, "message": words}, [(version, "2024-01-01")])
        self.answer(request, 400, {"code": 400, "error_code": code, "msg": words})

    def expire(self):
        self.access = {}

    def answer(self, request, status, body, headers=(), kind="application/json", missing=0):
        """missing: bytes of the body that are announced and never come."""
        body = (body if isinstance(body, str) else json.dumps(body)).encode()
        # The usual size of a server's head.
        self.bytes += len(body) + 200
        try:
            request.send_response(status)
            request.send_header("Content-Type", kind)
            request.send_header("Content-Length", str(len(body)))
            for name, value in headers:
                request.send_header(name, value)
            request.end_headers()
            request.wfile.write(body[: len(body) - missing])
            request.close_connection = missing > 0
        except OSError:
            pass
