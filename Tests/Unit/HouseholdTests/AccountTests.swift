// SPDX-License-Identifier: Apache-2.0
import Posix
import TestSupport
import Testing

@testable import Household

@Suite struct AccountTests {
    private static let household = "0b7a6f6e-1d1c-4a0e-9a5b-3c2d1e0f4a5b"

    private func account() -> Account {
        var account = Account(url: "https://owl.supabase.co//", key: "anon")
        account.household = Self.household
        account.refresh = "again"
        return account
    }

    @Test func itIsReadAsItWasWritten() {
        var account = account()
        #expect(account.url == "https://owl.supabase.co")
        #expect(Account(text: Array(account.text.utf8)) == account)
        account.access = "header.body-._~.sign"
        #expect(Account(text: Array(account.text.utf8)) == account)
    }

    @Test func whatIsNoneIsRefused() {
        let text = account().text
        for (old, new) in [
            ("https", "http"), ("https://owl.supabase.co", "ftp://x"), ("key anon", "key a b"), ("key anon\n", ""),
            ("refresh again\n", ""), ("again", "ag\u{1}ain"), ("household 0", "household Z"), ("-3c2d", "&select=*"),
            ("owl.supabase.co", "owl@supabase.co"), ("supabase.co", "supabase.co?x=1"),
        ] {
            #expect(Account(text: Array(text.replacing(old, with: new).utf8)) == nil, "\(old) → \(new)")
        }
        for count in 0..<text.utf8.count - 1 {
            let part = Account(text: Array(text.utf8.prefix(count)))
            #expect(part == nil || part?.refresh != "again", "\(count)")
        }
    }

    @Test(arguments: [
        "http://127.0.0.1:54321", "http://192.168.1.5", "http://10.0.0.1:80", "http://172.31.0.1", "http://[::1]:8000",
        "http://[fd00::1]", "http://[fe80::1]:80", "https://owl.supabase.co", "HTTPS://8.8.8.8",
    ])
    func itMayBeThere(url: String) { #expect(Account.problem(url) == nil) }

    @Test(arguments: [
        "http://owl.supabase.co", "http://8.8.8.8", "http://172.32.0.1", "http://192.169.0.1",
        "http://localhost.example",
        "http://127.0.0.1.example", "http://[2001:db8::1]", "http://0x7f000001", "http://", "https://a/?x",
        "https://u:p@a",
        "file:///etc/passwd", "http://127.0.0.1@example.org", "https://a b", "",
    ])
    func itMayNotBeThere(url: String) { #expect(Account.problem(url) != nil) }
}
