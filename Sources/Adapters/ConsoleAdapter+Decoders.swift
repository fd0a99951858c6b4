// SPDX-License-Identifier: Apache-2.0
import Console
import Media
import Model

extension ConsoleAdapter {
    public var decoders: [StatusLine] {
        lines("mpg123", MediaFormats.mpegSuffixes, ["audio/mpeg"])
            + MediaFormats.all.flatMap { lines($0.decoderName, $0.suffixes, $0.mimeTypes) }
    }

    private func lines(_ name: String, _ suffixes: [String], _ mimeTypes: [String]) -> [StatusLine] {
        [StatusLine("plugin", name)] + suffixes.map { StatusLine("suffix", $0) }
            + mimeTypes.map { StatusLine("mime_type", $0) }
    }
}
