// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Household

@Suite struct SignInRefusalTests {
    private func words(_ body: String) -> String? { SignInRefusal.words(Array(body.utf8)) }

    @Test(arguments: [
        (#"{"code":400,"error_code":"email_not_confirmed","msg":"Email not confirmed"}"#, "not confirmed"),
        (#"{"code":"email_not_confirmed","message":"x"}"#, "not confirmed"),
        (#"{"error":"invalid_grant","error_description":"Email not confirmed"}"#, "not confirmed"),
        (#"{"code":400,"error_code":"captcha_failed","msg":"captcha protection: request disallowed"}"#, "captcha"),
        (#"{"code":422,"error_code":"email_provider_disabled","msg":"Email logins are disabled"}"#, "switched off"),
        (#"{"error_code":"user_banned"}"#, "banned"),
    ])
    func theCauseIsNamed(body: String, word: String) {
        #expect(words(body)?.contains(word) == true)
    }

    @Test func whatElseTheServerSaysIsNotShown() {
        for body in [
            "", "null", "<html>", #"{"error_code":"invalid_credentials","msg":"Invalid login credentials"}"#,
            #"{"error_code":"a \u001b[2J","msg":"email_not_confirmed?"}"#, #"{"a":{"error_code":"captcha_failed"}}"#,
            #"{"error_code":["captcha_failed"]}"#, #"{"error_code":5}"#, #"{"error_code":"captcha_failed""#,
        ] {
            #expect(words(body) == nil, "\(body)")
        }
    }
}
