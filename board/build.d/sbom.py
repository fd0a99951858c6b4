#!/usr/bin/python3 -I
# SPDX-License-Identifier: Apache-2.0
"""Prints the bill of materials of packages as SPDX 2.3 in JSON: what is linked into them, what they depend on, what they recommend.

    sbom.py NAMESPACE TIME LINKED PACKAGE…      NAMESPACE: an address of its own; TIME: seconds since 1970

LINKED is a file with a line for each part that is linked into each package: file name of the package, name, version, license.
"""

import datetime
import hashlib
import json
import os
import re
import subprocess
import sys

DOCUMENT = "SPDXRef-DOCUMENT"


def identifier(*words):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", " ".join(words).strip("() "))


def field(package, name):
    return subprocess.run(["dpkg-deb", "--field", package, name], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def part(name, version, license_name="NOASSERTION", **more):
    return {"name": name, "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": license_name, "licenseDeclared": license_name, "copyrightText": "NOASSERTION", **more}


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    namespace, time, linked_path, *debs = sys.argv[1:]
    with open(linked_path, encoding="utf-8") as file:
        linked = [line.rstrip("\n").split("\t") for line in file]
    parts, relationships = {}, set()
    for deb in debs:
        file_name, version, architecture = os.path.basename(deb), field(deb, "Version"), field(deb, "Architecture")
        ours = identifier(file_name)
        with open(deb, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        parts[ours] = part("nightstand", version, "Apache-2.0", packageFileName=file_name,
                           supplier="Person: " + field(deb, "Maintainer").split(" <")[0],
                           checksums=[{"algorithm": "SHA256", "checksumValue": digest}],
                           externalRefs=[{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                          "referenceLocator": f"pkg:deb/nightstand@{version}?arch={architecture}"}])
        relationships.add((DOCUMENT, "DESCRIBES", ours))
        for of, name, its_version, license_name in linked:
            if of == file_name:
                theirs = identifier(name, its_version)
                parts[theirs] = part(name, its_version, license_name)
                relationships.add((ours, "STATIC_LINK", theirs))
        for kind, forward in (("Depends", True), ("Recommends", False)):
            for alternative in re.split(r"[,|]", field(deb, kind)):
                name, _, bound = alternative.strip().partition(" ")
                theirs = identifier(name, bound)
                parts[theirs] = part(name, bound.strip("()") or "any", supplier="Organization: Debian")
                relationships.add((ours, "DEPENDS_ON", theirs) if forward else (theirs, "OPTIONAL_DEPENDENCY_OF", ours))
    created = datetime.datetime.fromtimestamp(int(time), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": DOCUMENT, "name": "nightstand", "documentNamespace": namespace,
        "creationInfo": {"created": created, "creators": ["Tool: nightstand-sbom"]},
        "packages": [{"SPDXID": name, **parts[name]} for name in sorted(parts)],
        "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
                          for one, kind, other in sorted(relationships)],
    }
    json.dump(document, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
