// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Posix

@Suite struct SystemUserTests {
    @Test func usersOfPasswd() {
        let text = """
            root:x:0:0:root:/root:/bin/bash
            # nobody
            short:x:7

            :x:8:8::/:/bin/sh
            nightstand-sync:!:997:997:Nightstand, 12:/nonexistent:/usr/sbin/nologin
            far:x:4294967296:1::/:
            below:x:-1:1::/:
            last:$1$2:4294967295:1::/:
            """
        let found = SystemUser.all(in: Array(text.utf8))
        #expect(
            found == [
                SystemUser(name: "root", id: 0), SystemUser(name: "nightstand-sync", id: 997),
                SystemUser(name: "last", id: .max),
            ])
        #expect(SystemUser.all(in: []) == [] && SystemUser.all(in: [0xFF, 0x3A, 0x0A]) == [])
    }

    @Test func thisMachineHasRoot() { #expect(SystemUser.all().contains(SystemUser(name: "root", id: 0))) }
}
