"""What of Supabase a speaker uses: PostgreSQL with board/supabase/schema.sql, and before it a gateway that does what GoTrue and PostgREST do
for these few calls. It knows nothing of households: rows are seen and written as `authenticated`, by the policies of the schema."""

import http.server
import json
import os
import re
import secrets
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.parse
import uuid

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = "/usr/lib/postgresql/15/bin"
IS_THERE = os.path.exists(PROGRAMS + "/postgres") and os.path.exists(PROGRAMS + "/initdb") and shutil.which("psql")
COLUMNS = {"household": "uuid", "kind": "text", "key": "text", "value": "json", "time": "text", "device": "text", "name": "text",
           "revision": "bigint", "member": "uuid"}


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
        """What it says, or SQLError."""
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
    """faults: for each of the next requests to /rest a function that answers instead; None lets it pass."""

    def __init__(self, database):
        self.database, self.key = database, "anon-" + secrets.token_hex(8)
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

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = "http://127.0.0.1:%d" % self.server.server_address[1]
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
        user, until = self.access.get(request.headers.get("Authorization", "").removeprefix("Bearer "), (None, 0))
        if until < time.time():
            return self.answer(request, 401, {"code": "PGRST301", "message": "JWT expired"})
        try:
            status, answer = self.rest(request, address.path, query, body.decode(), user)
        except SQLError as error:
            status = {"42501": 403, "42P01": 404, "42883": 404, "23505": 409}.get(error.code, 400)
            answer = json.dumps({"code": error.code, "message": str(error)})
        self.answer(request, status, answer)

    def rest(self, request, path, query, body, user):
        if path == "/rest/v1/rpc/nightstand_household" and request.command == "POST":
            return 200, self.database.as_user(user, "select to_json(public.nightstand_household())")
        if path != "/rest/v1/nightstand_record":
            return 404, "{}"
        if request.command == "POST":
            assert "resolution=merge-duplicates" in request.headers["Prefer"], request.headers
            assert request.headers["Content-Type"] == "application/json"
            names = list(json.loads(body)[0])
            keys = query["on_conflict"][0].split(",")
            columns = ",".join(names)
            self.database.as_user(user, f"""
                insert into public.nightstand_record({columns}) select {columns}
                from json_to_recordset({literal(body)}) as _({",".join(n + " " + COLUMNS[n] for n in names)})
                on conflict ({",".join(keys)}) do update set {",".join(f"{n}=excluded.{n}" for n in names)}""")
            return 201, ""
        columns = query["select"][0].split(",")
        conditions = ["true"]
        for name, values in query.items():
            if name not in ("select", "order", "limit"):
                operator, value = values[0].split(".", 1)
                conditions.append(f"{name} {({'gt': '>', 'eq': '='})[operator]} {literal(value)}::{COLUMNS[name]}")
        column, direction = query["order"][0].split(".")
        assert set(columns) | {column} <= set(COLUMNS) and direction == "asc"
        return 200, self.database.as_user(user, f"""
            select coalesce(json_agg(_), '[]') from (select {",".join(columns)} from public.nightstand_record
              where {" and ".join(conditions)} order by {column} limit {min(1000, int(query["limit"][0]))}) as _""")

    def token(self, request, grant, asked):
        if grant == "password":
            password, user = self.users.get(asked["email"], (None, None))
            if password is None or password != asked["password"]:
                return self.answer(request, 400, {"code": 400, "error_code": "invalid_credentials", "msg": "Invalid login credentials"})
        else:
            user = self.refresh.pop(asked["refresh_token"], None)
            if user is None:
                return self.answer(request, 400, {"code": 400, "error_code": "refresh_token_not_found", "msg": "Invalid Refresh Token"})
        access, refresh = "access-" + secrets.token_hex(16), "refresh-" + secrets.token_hex(6)
        self.access[access] = (user, time.time() + self.lifetime)
        self.refresh[refresh] = user
        self.answer(request, 200, {"access_token": access, "token_type": "bearer", "expires_in": self.lifetime,
                                   "refresh_token": refresh, "user": {"id": user, "email": "", "access_token": "none"}})

    def expire(self):
        self.access = {}

    def answer(self, request, status, body, headers=(), kind="application/json", missing=0):
        """missing: bytes of the body that are announced and never come."""
        body = (body if isinstance(body, str) else json.dumps(body)).encode()
        # What a server's head commonly takes.
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
