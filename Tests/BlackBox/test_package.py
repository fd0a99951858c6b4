# SPDX-License-Identifier: Apache-2.0
"""The Debian package: its content, how it is installed, upgraded, removed and purged, and its manual."""

import glob
import gzip
import hashlib
import os
import re
import shutil
import socket
import subprocess
import tarfile
import tempfile
import unittest

from build import NIGHTSTAND, OUT, TOP, kept

POLICY = 2.5  # what systemd-analyze security may say at most


def run(*words, check=True, **options):
    """Output and errors together, as a person sees them."""
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=options.pop("timeout", 300), **options)
    if check and done.returncode:
        raise AssertionError(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def in_top(*names):
    return os.path.join(TOP, *names)


def made_package(*words):
    """The path of the package, made now."""
    done = subprocess.run([in_top("board", "package"), "--quiet", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=390)
    if done.returncode or not done.stdout.strip():
        raise AssertionError(f"board/package {' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return in_top(done.stdout.splitlines()[-1])


def field(package, name):
    return run("dpkg-deb", "--field", package, name).strip()


def release():
    return re.search(r'^VERSION_CODENAME="?(\w+)', text("/etc/os-release"), re.M)[1]


class Contents(unittest.TestCase):
    NEEDS_SHIPPED = TAKES_LONG = True

    @classmethod
    def setUpClass(cls):
        cls.package = made_package("host")
        cls.listing = run("dpkg-deb", "--contents", cls.package)

    def test_files_have_their_places_and_modes(self):
        files = {line.split()[5]: line.split()[:2] for line in self.listing.splitlines()}
        lib = "./lib" if release() == "bookworm" else "./usr/lib"
        for path, mode in (
            ("./usr/bin/nightstand", "-rwxr-xr-x"),
            ("./etc/nightstand.conf", "-rw-r--r--"),
            (lib + "/systemd/system/nightstand.service", "-rw-r--r--"),
            (lib + "/systemd/system/nightstand-bridge.service", "-rw-r--r--"),
            (lib + "/systemd/system/nightstand-console@.service", "-rw-r--r--"),
            (lib + "/systemd/system/nightstand-fetch.service", "-rw-r--r--"),
            (lib + "/systemd/system/nightstand-fetch.socket", "-rw-r--r--"),
            (lib + "/systemd/system/nightstand-screen.service", "-rw-r--r--"),
            (lib + "/systemd/system/nightstand-screen-terminal.service", "-rw-r--r--"),
            (lib + "/systemd/system/nightstand-headphones.service", "-rw-r--r--"),
            (lib + "/systemd/system/nightstand-remote.socket", "-rw-r--r--"),
            (lib + "/systemd/system/nightstand-sync.path", "-rw-r--r--"),
            (lib + "/systemd/system/nightstand-sync.service", "-rw-r--r--"),
            (lib + "/systemd/system/nightstand-sync.timer", "-rw-r--r--"),
            (lib + "/systemd/system/nightstand-words.service", "-rw-r--r--"),
            (lib + "/systemd/system/nightstand-words.timer", "-rw-r--r--"),
            ("./usr/share/nightstand/supabase/schema.sql", "-rw-r--r--"),
            ("./usr/share/nightstand/avahi.service", "-rw-r--r--"),
            (lib + "/udev/rules.d/60-nightstand.rules", "-rw-r--r--"),
            (lib + "/udev/rules.d/90-nightstand-stick.rules", "-rw-r--r--"),
            (lib + "/systemd/system/nightstand-stick@.service", "-rw-r--r--"),
            ("./usr/libexec/nightstand/stick", "-rwxr-xr-x"),
            ("./usr/lib/sysusers.d/nightstand.conf", "-rw-r--r--"),
            ("./usr/lib/tmpfiles.d/nightstand.conf", "-rw-r--r--"),
            ("./usr/share/man/man1/nightstand.1.gz", "-rw-r--r--"),
            ("./usr/share/man/man5/nightstand.conf.5.gz", "-rw-r--r--"),
            ("./usr/share/doc/nightstand/copyright", "-rw-r--r--"),
            ("./usr/share/doc/nightstand/changelog.gz", "-rw-r--r--"),
        ):
            self.assertEqual(files.get(path), [mode, "root/root"], path)
        for board in glob.glob(in_top("board", "boards", "*.conf")):
            self.assertIn("./usr/share/doc/nightstand/examples/" + os.path.basename(board), files)

    def test_version_is_what_the_program_says(self):
        said = run(NIGHTSTAND, "--version").split()[1]
        self.assertRegex(field(self.package, "Version"), rf"^{re.escape(said)}~deb\d+$")

    def test_every_library_is_in_the_dependencies(self):
        # dpkg knows which package each library of this machine comes from; the package must name just those, and the one that is loaded
        # when a card does not take a recording's rate.
        needed = re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "-d", NIGHTSTAND))
        self.assertGreater(len(needed), 5)
        paths = dict(re.findall(r"(\S+) => (/\S+)", run("ldd", NIGHTSTAND)))
        owners = {"libsyn123-0"}
        for name in needed:
            if name.startswith("ld-linux"):
                continue
            # Debian's /lib is a link to /usr/lib, and either may stand in the package.
            known = run("dpkg-query", "--search", "*/" + "/".join(paths[name].split("/")[-2:]))
            owners.add(known.split(":")[0])
        named = {part.split()[0] for part in field(self.package, "Depends").split(", ") if part.startswith("lib")}
        self.assertEqual(named, owners)

    def test_same_source_gives_the_same_bytes(self):
        def digest():
            with open(self.package, "rb") as file:
                return hashlib.sha256(file.read()).hexdigest()
        first = digest()
        os.environ["TZ"] = "Pacific/Kiritimati"
        self.addCleanup(os.environ.pop, "TZ")
        old = os.umask(0o077)
        self.addCleanup(os.umask, old)
        self.assertEqual(made_package("host"), self.package)
        self.assertEqual(digest(), first)

    def test_lintian_has_nothing_to_say(self):
        self.assertEqual(run("lintian", "--allow-root", "--fail-on", "error,warning", self.package), "")


@unittest.skipUnless(os.environ.get("NIGHTSTAND_AARCH64") or glob.glob(in_top(".build/board/aarch64-*/nightstand")),
                     "no binary for aarch64 is built here (board/build aarch64 makes it)")
class ForeignContents(unittest.TestCase):
    """The packages for the board, as far as they have been built for."""

    NEEDS_SHIPPED = TAKES_LONG = True

    def test_dependencies_are_those_of_the_release(self):
        for os_name, gpiod, asound in (("bookworm", "libgpiod2 (>= 1.1", "libasound2 (>= "),
                                       ("trixie", "libgpiod3 (>= 2.", "libasound2t64 (>= ")):
            if not os.path.exists(in_top(f".build/board/aarch64-{os_name}/nightstand")):
                continue
            with self.subTest(os_name):
                package = made_package("aarch64", "--os", os_name)
                depends = field(package, "Depends")
                self.assertEqual(field(package, "Architecture"), "arm64")
                self.assertIn(gpiod, depends)
                self.assertIn(asound, depends)
                for library in ("libc6", "libmpg123-0", "libsqlite3-0"):
                    self.assertRegex(depends, rf"\b{library}(t64)? \(>= [\d.]+\)")
                self.assertRegex(depends, r"\blibsyn123-0(t64)?\b")
                self.assertEqual(run("lintian", "--allow-root", "--fail-on", "error", package), "")


class SmallSystem(unittest.TestCase):
    """In a small system of this release of its own, made of unpacked packages. Its dpkg believes them installed, so that
    dependencies are checked in earnest; services do not run there."""

    NEEDS_SHIPPED = TAKES_LONG = True

    OTHERS = ("base-files base-passwd coreutils dash diffutils dpkg findutils grep gzip init-system-helpers libc-bin passwd "
              "perl-base sed systemd tar").split()
    MORE = []

    # A /proc that goes with the command.
    ENTER = ("unshare", "--mount", "sh", "-c", 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"')

    @classmethod
    def setUpClass(cls):
        if os.geteuid() != 0:
            raise unittest.SkipTest("needs root, for chroot")
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(folder + "/proc")
            words = ("unshare", "--mount", "sh", "-c", 'mount -t proc proc "$0/proc"', folder)
            if subprocess.run(words, stderr=subprocess.DEVNULL).returncode:
                raise unittest.SkipTest("this root may not mount")
        cls.package = made_package("host")
        arch = field(cls.package, "Architecture")
        libraries = [part.split()[0] for part in field(cls.package, "Depends").split(", ") if part.startswith("lib")]
        os.makedirs(OUT, exist_ok=True)
        cls.folder = tempfile.mkdtemp(prefix="package-", dir=OUT)
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        packages = sorted({*cls.OTHERS, *cls.MORE, *libraries})
        debs = run(in_top("board", "debs"), "--download", "--with-depends", release(), arch, *packages).split()
        # One for all classes with the same packages.
        cls.base = kept(lambda base: cls.make_base(base, arch, packages, debs), "system", *map(os.path.basename, debs))

    @classmethod
    def make_base(cls, base, arch, packages, debs):
        run(in_top("board", "debs"), "--with-depends", release(), arch, base, *packages)
        cls.believe(base, debs)
        os.makedirs(base + "/srv")  # as base-files does
        for name in ("passwd", "group"):
            shutil.copy(f"{base}/usr/share/base-passwd/{name}.master", f"{base}/etc/{name}")

    @classmethod
    def believe(cls, base, debs):
        """Writes dpkg's own record of what is installed."""
        database = f"{base}/var/lib/dpkg"
        for name in ("info", "updates", "triggers", "alternatives", "parts"):
            os.makedirs(f"{database}/{name}", exist_ok=True)
        with open(f"{database}/status", "w", encoding="utf-8") as status:
            for deb in debs:
                control = run("dpkg-deb", "--field", deb)
                status.write(control.replace("\n", "\nStatus: install ok installed\n", 1).rstrip() + "\n\n")
                name, arch = (re.search(rf"^{key}: (\S+)", control, re.M)[1] for key in ("Package", "Architecture"))
                same = re.search(r"^Multi-Arch: same$", control, re.M)
                with open(f"{database}/info/{name}{':' + arch if same else ''}.list", "w", encoding="utf-8") as listing:
                    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", deb], stdout=subprocess.PIPE) as tar:
                        with tarfile.open(fileobj=tar.stdout, mode="r|") as files:
                            for file in files:
                                listing.write((file.name.removeprefix(".").rstrip("/") or "/.") + "\n")

    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="root-", dir=self.folder)
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        # Writing into a present file of /usr is forbidden: all roots may share it.
        run("cp", "--archive", "--link", self.base + "/usr", self.root)
        others = [name for name in os.listdir(self.base) if name != "usr"]
        run("cp", "--archive", *(f"{self.base}/{name}" for name in others), self.root)
        os.mknod(self.path("/dev/null"), 0o20666, os.makedev(1, 3))
        os.chmod(self.path("/dev/null"), 0o666)

    def path(self, name):
        return self.root + name

    def there(self, *words, **options):
        # No tests of a maintainer script may run on the machine's own services.
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
        return run(*self.ENTER, self.root, *words, env=environment, **options)

    def write(self, name, words):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(words)


class Installing(SmallSystem):
    def dpkg(self, *words, check=True):
        return self.there("dpkg", "--force-confdef", "--force-confold", *words, check=check)

    def install(self, package):
        shutil.copy(package, self.path("/tmp/nightstand.deb"))
        return self.dpkg("--install", "/tmp/nightstand.deb")

    def next_version(self, change):
        """The package as it will be one day: another version, with `change` made to what is unpacked."""
        folder = tempfile.mkdtemp(dir=self.folder)
        run("dpkg-deb", "--raw-extract", self.package, folder + "/root")
        control = text(folder + "/root/DEBIAN/control")
        with open(folder + "/root/DEBIAN/control", "w", encoding="utf-8") as file:
            file.write(re.sub(r"^Version: .*", "Version: 99.0", control, flags=re.M))
        change(folder + "/root")
        run("dpkg-deb", "--root-owner-group", "-Znone", "--build", folder + "/root", folder + "/next.deb")
        return folder + "/next.deb"

    def groups(self):
        return {fields[0]: fields for fields in (line.split(":") for line in text(self.path("/etc/group")).splitlines())}

    def enabled(self):
        return os.path.islink(self.path("/etc/systemd/system/multi-user.target.wants/nightstand.service"))

    def test_install(self):
        said = self.install(self.package)
        self.assertNotRegex(said, r"(?i)warning|error|fail")
        self.assertEqual(self.there("nightstand", "--version").split()[0], "nightstand")
        user = next(line.split(":") for line in text(self.path("/etc/passwd")).splitlines() if line.startswith("nightstand:"))
        self.assertEqual((user[5], user[6]), ("/var/lib/nightstand", "/usr/sbin/nologin"))
        groups = self.groups()
        for name in ("audio", "gpio", "video", "dialout", "input"):
            self.assertIn("nightstand", groups[name][3].split(","), name)
        library = os.stat(self.path("/srv/nightstand"))
        self.assertEqual((oct(library.st_mode), library.st_uid, library.st_gid), ("0o42775", 0, int(groups["audio"][2])))
        self.assertTrue(self.enabled())
        self.assertFalse(glob.glob(self.path("/etc/systemd/system/*/nightstand-console*")), "nobody asked for a serial console")
        self.assertIn("install ok installed", self.there("dpkg-query", "--status", "nightstand"))

    def test_dependency_that_is_not_there_is_asked_for(self):
        status = text(self.path("/var/lib/dpkg/status"))
        without = "\n\n".join(entry for entry in status.split("\n\n") if not re.match(r"Package: libgpiod\d", entry))
        self.assertNotEqual(without, status)
        self.write("/var/lib/dpkg/status", without)
        shutil.copy(self.package, self.path("/tmp/nightstand.deb"))
        self.assertRegex(self.dpkg("--install", "/tmp/nightstand.deb", check=False), r"depends on libgpiod\d")

    def test_upgrade_keeps_what_is_the_users(self):
        self.install(self.package)
        own = "[audio]\ndevice = plughw:CARD=Device\n"
        self.write("/etc/nightstand.conf", own)
        os.makedirs(self.path("/var/lib/nightstand"))
        self.write("/var/lib/nightstand/state", "places")
        self.write("/srv/nightstand/book.mp3", "audio")
        os.chmod(self.path("/srv/nightstand"), 0o755)
        self.there("systemctl", "disable", "nightstand.service")
        self.assertFalse(self.enabled())

        def newer(root):
            with open(root + "/etc/nightstand.conf", "a", encoding="utf-8") as file:
                file.write("\n# a key that is new\n")
        self.install(self.next_version(newer))
        self.assertIn("Version: 99.0", self.there("dpkg-query", "--status", "nightstand"))
        self.assertEqual(text(self.path("/etc/nightstand.conf")), own)
        self.assertIn("a key that is new", text(self.path("/etc/nightstand.conf.dpkg-dist")))
        self.assertEqual(text(self.path("/var/lib/nightstand/state")), "places")
        self.assertEqual(text(self.path("/srv/nightstand/book.mp3")), "audio")
        self.assertEqual(os.stat(self.path("/srv/nightstand")).st_mode & 0o7777, 0o755)
        self.assertFalse(self.enabled(), "a service that was switched off stays so")

    def test_upgrade_brings_a_new_configuration_where_the_old_was_not_touched(self):
        self.install(self.package)

        def newer(root):
            with open(root + "/etc/nightstand.conf", "a", encoding="utf-8") as file:
                file.write("\n# a key that is new\n")
        self.install(self.next_version(newer))
        self.assertIn("a key that is new", text(self.path("/etc/nightstand.conf")))
        self.assertTrue(self.enabled())

    def test_upgrade_with_the_system_from_lib_to_usr_lib(self):
        # Bookworm's package has its units in /lib, trixie's in /usr/lib; the one is a link to the other.
        self.install(self.package)

        def moved(root):
            source = root + ("/lib" if os.path.isdir(root + "/lib") else "/usr/lib")
            target = root + ("/usr/lib" if os.path.isdir(root + "/lib") else "/lib")
            for name in ("systemd", "udev"):
                os.makedirs(target, exist_ok=True)
                shutil.move(f"{source}/{name}", f"{target}/{name}")
            if not os.listdir(source):
                os.rmdir(source)
        self.install(self.next_version(moved))
        for name in ("systemd/system/nightstand.service", "udev/rules.d/60-nightstand.rules"):
            self.assertTrue(os.path.isfile(self.path("/usr/lib/" + name)), name)
        self.assertTrue(self.enabled())

    def test_remove_and_install_again_goes_on_as_before(self):
        self.install(self.package)
        self.write("/etc/nightstand.conf", "[lcd]\nwidth = 20\n")
        os.makedirs(self.path("/var/lib/nightstand"))
        self.write("/var/lib/nightstand/state", "places")
        self.dpkg("--remove", "nightstand")
        self.assertFalse(os.path.exists(self.path("/usr/bin/nightstand")))
        self.assertEqual(text(self.path("/etc/nightstand.conf")), "[lcd]\nwidth = 20\n")
        self.assertEqual(text(self.path("/var/lib/nightstand/state")), "places")
        self.install(self.package)
        self.assertEqual(text(self.path("/etc/nightstand.conf")), "[lcd]\nwidth = 20\n")
        self.assertTrue(self.enabled())

    def test_purge_takes_all_but_the_audio(self):
        before = self.files()
        self.install(self.package)
        os.makedirs(self.path("/var/lib/nightstand"))
        self.write("/var/lib/nightstand/state", "places")
        self.write("/srv/nightstand/book.mp3", "audio")
        said = self.dpkg("--purge", "nightstand")
        self.assertNotRegex(said, r"(?i)warning|error|fail")
        left = {name for name in self.files() - before if not name.startswith(("/var/lib/dpkg", "/var/log", "/tmp/"))}
        # The user and its groups stay, with the backups of the files that they stand in.
        left -= {"/etc/group-", "/etc/passwd-", "/etc/gshadow", "/etc/gshadow-", "/etc/shadow", "/etc/shadow-", "/etc/.pwd.lock"}
        self.assertEqual(left, {"/srv/nightstand", "/srv/nightstand/book.mp3"})

    def test_purge_takes_an_empty_library(self):
        self.install(self.package)
        self.dpkg("--purge", "nightstand")
        self.assertFalse(os.path.exists(self.path("/srv/nightstand")))

    def files(self):
        """All but the caches and folders that other programs make and keep."""
        found = set()
        for folder, folders, names in os.walk(self.root):
            for name in folders + names:
                found.add(os.path.join(folder, name)[len(self.root):])
        return found

    def test_units_are_sound_and_confined(self):
        self.install(self.package)
        self.there("cp", "/lib/systemd/system/nightstand-console@.service", "/tmp/nightstand-console@ttyAMA0.service")
        for unit in ("/lib/systemd/system/nightstand.service", "/tmp/nightstand-console@ttyAMA0.service"):
            with self.subTest(unit):
                self.assertEqual(self.there("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", unit), "")
                said = self.there("systemd-analyze", "security", "--offline=true", "--no-pager", unit)
                score = float(re.search(r"Overall exposure level .*: ([\d.]+)", said)[1])
                print(f"systemd-analyze security {os.path.basename(unit)}: {score}")
                self.assertLessEqual(score, POLICY)
        unit = text(self.path("/lib/systemd/system/nightstand.service"))
        self.assertNotIn("RestrictRealtime=yes", unit)
        # However often what a stranger sends kills it, its socket never gives up.
        fetch = text(self.path("/lib/systemd/system/nightstand-fetch.service"))
        self.assertIn("\nStartLimitIntervalSec=0\n", fetch)
        self.assertRegex(fetch, r"\nRestart=on-failure\nRestartSec=[5-9]\n")


class Deploying(SmallSystem):
    """board/deploy, as far as a system without a running systemd can have it: over a real ssh, to what it must refuse."""

    MORE = ["bash", "openssh-server"]

    def setUp(self):
        super().setUp()
        with open(self.path("/etc/passwd"), "a", encoding="utf-8") as file:
            file.write("sshd:x:990:65534::/run/sshd:/usr/sbin/nologin\n")
        for name in ("/run/sshd", "/root/.ssh", "/etc/ssh"):
            os.makedirs(self.path(name), mode=0o700, exist_ok=True)
        os.mknod(self.path("/dev/urandom"), 0o20666, os.makedev(1, 9))
        self.key = os.path.join(self.folder, os.path.basename(self.root) + ".key")
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.key)
        shutil.copy(self.key, self.path("/etc/ssh/host_key"))
        shutil.copy(self.key + ".pub", self.path("/root/.ssh/authorized_keys"))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = str(free.getsockname()[1])
        self.write("/etc/ssh/sshd_config", f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey /etc/ssh/host_key\n"
                   "UsePAM no\nStrictModes no\nPidFile none\n")
        server = subprocess.Popen([*self.ENTER, self.root, "/usr/sbin/sshd", "-D", "-e"], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(server.stderr.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        for line in server.stderr:
            if "Server listening" in line:
                return
        self.fail("sshd does not run")

    def deploy(self, *words):
        """The audit's words about forbidden acts."""
        done = subprocess.run(
            [in_top("board", "deploy"), "-p", self.port, "-i", self.key, "-o", "StrictHostKeyChecking=no",
             "-o", "UserKnownHostsFile=/dev/null", "-o", "IdentitiesOnly=yes", *words, "root@127.0.0.1"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertFalse(os.path.exists(self.path("/usr/bin/nightstand")))
        return done.stdout

    def test_other_releases_are_refused(self):
        self.assertIn(f"root@127.0.0.1 has {release()}", self.deploy("--os", "forky"))
        path = self.path("/usr/lib/os-release")
        words = text(path)
        os.remove(path)  # it is the same file in all
        with open(path, "w", encoding="utf-8") as file:
            file.write(words.replace(release(), "bullseye"))
        self.assertRegex(self.deploy(), "neither bookworm .12. nor trixie .13.")

    def test_board_without_systemd_is_refused(self):
        self.assertIn("systemd does not run on root@127.0.0.1", self.deploy())

    def test_packages_for_others_are_refused(self):
        os.makedirs(self.path("/run/systemd/system"))
        for name, value, said in (("Architecture", "riscv64", "is for riscv64"), ("Version", "1.0~deb11", "is not for " + release())):
            folder = tempfile.mkdtemp(dir=self.folder)
            run("dpkg-deb", "--raw-extract", self.package, folder + "/root")
            control = text(folder + "/root/DEBIAN/control")
            with open(folder + "/root/DEBIAN/control", "w", encoding="utf-8") as file:
                file.write(re.sub(rf"(?m)^{name}: .*", f"{name}: {value}", control))
            run("dpkg-deb", "-Znone", "--build", folder + "/root", folder + "/other.deb")
            self.assertIn(said, self.deploy("--package", folder + "/other.deb"))

    def test_board_that_does_not_answer(self):
        self.port = "1"
        self.assertIn("cannot reach root@127.0.0.1", self.deploy())


class Manual(unittest.TestCase):
    """The man pages say all that there is."""

    @staticmethod
    def shown(name):
        """A page as man shows it on a very wide terminal, so that nothing is broken over lines."""
        page = in_top("board", "package.d", name)
        done = subprocess.run(["man", "--warnings", "--local-file", page], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=60,
                              env=dict(os.environ, MANWIDTH="1000", LC_ALL="C.UTF-8", MAN_KEEP_FORMATTING=""))
        if done.returncode or done.stderr.strip():
            raise AssertionError(f"man {name}: {done.stderr}")
        return re.sub("[\u2010\u2011\u2212]", "-", done.stdout)

    @staticmethod
    def sample_keys():
        """(section, key, default) of every key in board/nightstand.conf."""
        section, keys = "", []
        for line in text(in_top("board", "nightstand.conf")).splitlines():
            if found := re.match(r"\[(\w+)\]$", line):
                section = found[1]
            elif found := re.match(r"#([a-z][a-z_.-]*) =(?: (.*))?$", line):
                keys.append((section, found[1], found[2] or ""))
        return keys

    def test_every_key_is_explained_with_its_default(self):
        page = self.shown("nightstand.conf.5")
        sections = dict(re.findall(r"^   \[(\w+)\]\n(.*?)(?=^   \[|^[A-Z])", page, re.M | re.S))
        keys = self.sample_keys()
        self.assertGreater(len(keys), 35)
        for section, key, default in keys:
            with self.subTest(f"[{section}] {key}"):
                self.assertIn(section, sections)
                if section == "buttons":
                    self.assertRegex(sections[section], rf"(?m)^     .*\b{key}\b")
                elif "." in key:
                    self.assertIn(f"{key} = {default}", sections[section])
                else:
                    entry = re.search(rf"^     {key} = .*?(?=^     \S|\Z)", sections[section], re.M | re.S)
                    self.assertTrue(entry, "is not there")
                    words = entry[0]
                    self.assertRegex(words, rf"Default: {re.escape(default)}[.,]|{re.escape(default)}.*the default"
                                     if default else r"Empty, the default")

    def test_every_key_is_one_that_the_program_knows(self):
        """The other way round: the program takes every key of the page."""
        page = self.shown("nightstand.conf.5")
        lines = []
        for section, body in re.findall(r"^   \[(\w+)\]\n(.*?)(?=^   \[|^[A-Z])", page, re.M | re.S):
            known = {key: default for name, key, default in self.sample_keys() if name == section}
            lines.append(f"[{section}]")
            for key in re.findall(r"^     ([a-z][a-z_]*) = ", body, re.M):
                self.assertIn(key, known)
                lines.append(f"{key} = {known[key]}")
            lines += [line.strip() for line in re.findall(r"^ {13}[a-z-]+\.[a-z]+ = .*$", body, re.M)]
        self.assertGreater(len(lines), 30)
        self.assertEqual(problem_with("\n".join(lines)), "")

    def test_every_command_and_option_is_explained(self):
        page = self.shown("nightstand.1")
        usage = run(NIGHTSTAND, "--help")
        options = set(re.findall(r"(?<!\S)(--?[a-zA-Z]\w*)", usage.replace("|", " ").replace("[", " ")))
        self.assertGreater(len(options), 10)
        for option in options:
            self.assertRegex(page, rf"(?m)^     .*(?<!\S){option}\b", option)
        commands = set(re.findall(r"nightstand (?:\[--config FILE\] )?([a-z]+) ", usage))
        self.assertGreaterEqual(commands, {"play", "decode", "console", "profile"})
        for command in commands:
            self.assertRegex(page, rf"(?m)^   {command}: ", command)

    def test_every_option_of_the_page_is_taken(self):
        page = self.shown("nightstand.1")
        for option in set(re.findall(r"(?m)^     (?:-\w, |-\w \w+, )?(--[a-z]+)", page)):
            self.assertIn(option, run(NIGHTSTAND, "--help"), option)

    def test_paths_are_those_of_the_package(self):
        listing = run("dpkg-deb", "--contents", made_package("host"))
        page = self.shown("nightstand.1") + self.shown("nightstand.conf.5")
        for path in set(re.findall(r"/(?:etc|usr)/[\w./-]*\w", page)):
            self.assertRegex(listing, rf"(?m) \.{re.escape(path)}/?$", path)


def problem_with(configuration):
    """The program's finding about a configuration, "" for nothing."""
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/it.conf", "w", encoding="utf-8") as file:
            file.write(configuration)
        said = run(NIGHTSTAND, "check", "--config", folder + "/it.conf", check=False, timeout=10)
    return "" if said.endswith(": no mistakes\n") else said


class Boards(unittest.TestCase):
    """The configurations for common hardware, and the lines of config.txt in their heads."""

    # The pins of each line of config.txt; the overlays' README in the Raspberry Pi kernel is the source.
    FIXED = {"hifiberry-dac": {18, 19, 20, 21}, "hd44780-i2c-lcd": {2, 3}, "spi0-2cs": {7, 8, 10, 11},
             "piscreen": {7, 8, 9, 10, 11, 17, 22, 24, 25}, "vc4-kms-dpi-hyperpixel4": set(range(28))}
    PARAMETERS = {
        "hifiberry-dac": set(),
        "hd44780-i2c-lcd": {"addr", "display_width", "display_height"},
        "hd44780-lcd": {f"pin_{name}" for name in "d4 d5 d6 d7 en rs bl".split()} | {"display_width", "display_height"},
        "vc4-kms-v3d": set(), "vc4-kms-dsi-7inch": set(), "vc4-kms-dpi-hyperpixel4": set(),
        "piscreen": {"drm", "speed", "rotate"},
        "spi0-2cs": {"no_miso"},
        "fbtft": {"spi0-1", "st7789v", "dc_pin", "led_pin", "width", "height", "speed", "fps"},
    }
    BOARD = {"audio", "spi"}

    def boards(self):
        found = sorted(glob.glob(in_top("board", "boards", "*.conf")))
        self.assertGreaterEqual(len(found), 8)
        for path in found:
            with self.subTest(os.path.basename(path)):
                yield text(path)

    @staticmethod
    def values(words, section):
        body = re.search(rf"(?ms)^\[{section}\]$(.*?)(?=^\[|\Z)", words)
        return dict(re.findall(r"(?m)^([\w.-]+) = (.*)$", body[1])) if body else {}

    def test_each_is_taken_by_the_program(self):
        for words in self.boards():
            self.assertEqual(problem_with(words), "")
        self.assertIn("expected", problem_with("[lcd]\nheight = 3\n"), "or nothing was tried")

    def test_no_line_is_used_twice(self):
        for words in self.boards():
            taken = {}
            lines = re.findall(r"(?m)^#     (\S+)$", words)
            loaded = "the board"
            for line in lines:
                self.assertRegex(line, r"^(dtparam|dtoverlay|gpio)=")
                # The firmware reads so much of a line.
                self.assertLessEqual(len(line), 98)
                kind, rest = line.split("=", 1)
                name, *parameters = rest.split(",")
                given = {}
                if kind == "gpio":
                    pins = {int(name.split("=")[0])}
                else:
                    if kind == "dtoverlay":
                        loaded = name
                    else:
                        # Of the overlay before it.
                        parameters = [name, *parameters]
                    for parameter in parameters:
                        key, _, value = parameter.partition("=")
                        given[key] = value
                    known = self.PARAMETERS[loaded] if loaded != "the board" else set()
                    self.assertLessEqual(set(given), known if kind == "dtoverlay" else known | self.BOARD)
                    pins = self.FIXED.get(name, set()) if kind == "dtoverlay" else set()
                    pins |= {int(value) for key, value in given.items() if "pin" in key.split("_")}
                    if name == "hd44780-lcd":
                        self.assertEqual(len(pins), 6, "its defaults are lines that a DAC needs")
                    if "display_width" in given:
                        lcd = self.values(words, "lcd")
                        self.assertEqual((lcd["width"], lcd["height"]), (given["display_width"], given["display_height"]))
                for pin in pins:
                    self.assertNotIn(pin, taken, f"GPIO{pin} has {taken.get(pin)} and {line}")
                    taken[pin] = line
            buttons = self.values(words, "buttons")
            self.assertGreaterEqual(len(buttons), 3)
            for name, value in buttons.items():
                if value.startswith("input:"):
                    continue
                pin = int(re.match(r"GPIO(\d+),active-low,pull-up", value)[1])
                self.assertNotIn(pin, taken, f"GPIO{pin} has {taken.get(pin)} and {name}")
                self.assertNotIn(pin, (14, 15), "the serial console's")
                taken[pin] = name

    def test_one_with_a_panel_says_what_it_takes(self):
        panels = 0
        for words in self.boards():
            screen = self.values(words, "screen")
            self.assertEqual(bool(screen), "nightstand-screen" in words)
            if screen:
                panels += 1
                self.assertEqual(screen["enabled"], "yes")
                self.assertRegex(words, r"(?m)^#     sudo systemctl enable --now nightstand-screen$")
        self.assertEqual(panels, 5)

    def test_pins_of_the_header_are_the_right_ones(self):
        # BCM line to pin of the 40-pin header.
        header = {2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
                  8: 24, 7: 26, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40}
        said = 0
        for words in self.boards():
            for line, pin in re.findall(r"GPIO(\d+) \(pin (\d+)\)", words):
                self.assertEqual(header[int(line)], int(pin), f"GPIO{line}")
                said += 1
            for pin, line in re.findall(r"pin (\d+) \(GPIO(\d+)\)", words):
                self.assertEqual(header[int(line)], int(pin), f"GPIO{line}")
                said += 1
        self.assertGreater(said, 15)


if __name__ == "__main__":
    unittest.main()
