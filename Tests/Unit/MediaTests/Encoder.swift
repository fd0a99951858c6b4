// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Encoders on this machine, for streams as they are found in the world.
enum Encoder {
    static let hasLame = has("lame")
    static let hasTwolame = has("twolame")
    static let hasFFmpeg = has("ffmpeg")

    private static func has(_ name: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }

    /// Something like speech: tones and noise that come and go, 16 bit, mono or with both channels different.
    static func wave(seconds: Double, rate: Int, channels: Int) -> Data {
        var random = SeededGenerator(seed: UInt64(rate + channels))
        let frames = Int(seconds * Double(rate))
        var samples: [Int16] = []
        for i in 0..<frames {
            let time = Double(i) / Double(rate)
            let loud = max(0, sin(time * 5)) * max(0, sin(time * 0.9 + 1))
            let tone = sin(time * 2 * .pi * (180 + 60 * sin(time * 3)))
            let noise = Double(Int.random(in: -1000...1000, using: &random)) / 1000
            for channel in 0..<channels {
                samples.append(Int16(loud * (tone * 9000 + noise * (channel == 0 ? 3000 : 6000))))
            }
        }
        var data = Data("RIFF".utf8)
        func append(_ value: Int, _ bytes: Int) { for i in 0..<bytes { data.append(UInt8(value >> (8 * i) & 255)) } }
        append(36 + samples.count * 2, 4)
        data.append(Data("WAVEfmt ".utf8))
        for (value, bytes) in [
            (16, 4), (1, 2), (channels, 2), (rate, 4), (rate * channels * 2, 4), (channels * 2, 2), (16, 2),
        ] { append(value, bytes) }
        data.append(Data("data".utf8))
        append(samples.count * 2, 4)
        samples.withUnsafeBytes { data.append(contentsOf: $0) }
        return data
    }

    /// Returns the encoder's output for a recording.
    static func encode(_ tool: String, _ arguments: [String], _ wave: Data) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mpeg-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let input = folder.appendingPathComponent("in.wav")
        let output = folder.appendingPathComponent("out")
        try wave.write(to: input)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [tool] + arguments + [input.path, output.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(arguments: arguments) }
        return [UInt8](try Data(contentsOf: output))
    }

    /// AAC without noise substitution, so that what is decoded does not hang on chance.
    /// - Parameter kind: "m4a" or "aac".
    static func aac(_ kind: String, _ wave: Data) throws -> [UInt8] {
        let format = kind == "aac" ? "adts" : "ipod"
        // A script, for `encode` puts both files last.
        let script = "ffmpeg -v error -y -i \"$0\" -c:a aac -aac_pns 0 -b:a 96k -f \(format) \"$1\""
        return try encode("sh", ["-c", script], wave)
    }

    struct Failure: Error { let arguments: [String] }
}
