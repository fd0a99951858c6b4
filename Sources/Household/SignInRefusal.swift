// SPDX-License-Identifier: Apache-2.0
/// The reasons of a refused login, by the code in the server's answer: the server's own words stay hidden.
enum SignInRefusal {
    /// Returns the advice for people; nil for any other answer.
    ///
    /// Versions of GoTrue differ in the place of the code. Old ones have only their own words.
    static func words(_ body: [UInt8]) -> String? {
        guard let fields = try? FieldReader.read(body) else { return nil }
        for said in [
            fields.value("error_code"), fields.value("code"), fields.value("error_description"), fields.value("msg"),
        ] {
            switch said {
            case "email_not_confirmed", "Email not confirmed":
                return "the e-mail address is not confirmed yet: by the link that was sent to it, or in Supabase's"
                    + " dashboard under Authentication, Users"
            case "captcha_failed":
                return
                    "the server asks for a captcha, which a speaker cannot solve: switch it off in Supabase's dashboard"
                    + " under Authentication, Attack Protection"
            case "email_provider_disabled", "Email logins are disabled":
                return "the server has signing in by e-mail switched off: switch it on in Supabase's dashboard under"
                    + " Authentication, Sign In / Providers"
            case "user_banned", "User is banned": return "the server has banned this account"
            default: break
            }
        }
        return nil
    }
}
