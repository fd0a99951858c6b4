// SPDX-License-Identifier: Apache-2.0
import Configuration
import Posix
import Typography

/// The fonts of the configuration.
enum ScreenFonts {
    /// Returns the table of `[screen] fonts`, followed by Debian's fonts. Logs a missing file once: the next font that has the character
    /// replaces it.
    static func families(_ path: String) throws(ConfigurationError) -> [FontFamily] {
        if path.isEmpty { return FontFamily.standard }
        let bytes: [UInt8]
        do throws(PosixError) { bytes = try Files.readToEnd(path, limit: FontTable.mostBytes) } catch {
            throw ConfigurationError(file: path, line: 0, problem: error.reason)
        }
        let families: [FontFamily]
        do throws(FontTable.Mistake) { families = try FontTable.families(bytes) } catch {
            throw ConfigurationError(
                file: path, line: error.line, problem: error.problem + ", expected " + error.expected)
        }
        for family in families where family.package.isEmpty {
            for file in family.files where !Files.exists(file.path) {
                Log.warning("screen: " + path + " names " + file.path + ", which is not there")
            }
        }
        return families
    }
}
