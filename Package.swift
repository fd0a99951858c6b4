// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// Two builds from one source: with EMBEDDED set in the environment every Swift target is compiled as Embedded Swift (the
/// binary that ships: no runtime, no Foundation), without it as ordinary Swift (the one that the unit tests link). EMBEDDED=fuzz makes the
/// program of `board/fuzz` of the same modules, which tests what is theirs alone.
let embedded = Context.environment["EMBEDDED"] != nil
let fuzzes = Context.environment["EMBEDDED"] == "fuzz"

let swift: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableExperimentalFeature("Extern"),
        // A file imports every module it uses: Embedded builds ask for it, and this has the ordinary one ask, too.
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
    + (embedded
        ? [
            .enableExperimentalFeature("Embedded"),
            // Each module carries its own copies of what it specialises of the standard library. A section for each function
            // lets the linker keep one of them: without, the copies are most of the binary.
            .enableExperimentalFeature("DeferredCodeGen"),
            .unsafeFlags([
                "-Osize", "-Xfrontend", "-disable-stack-protector", "-Xfrontend", "-function-sections",
                // Exclusive access is proved, or the program does not compile: calls that would check it do nothing here.
                "-enforce-exclusivity=unchecked",
                // One trap instruction a function, not one a check.
                "-Xfrontend", "-mergeable-traps",
                // Even for size the optimiser inlines String.append and == into every caller; a function that has branches
                // of its own already takes in nothing but the trivial. A fifth of the binary, and of the time to build it.
                "-Xllvm", "-sil-inline-overall-caller-block-limit=1",
                // Nor is a function copied for each closure that it is called with.
                "-Xllvm", "-sil-disable-pass=closure-specialize",
            ]),
        ]
        : []) + (fuzzes ? [.unsafeFlags(["-enable-testing"])] : [])

let optimized: [SwiftSetting] = [.unsafeFlags(["-O"])]

/// One module map and one commented `shim.h` for each C library.
func cLibrary(_ name: String, pkgConfig: String? = nil, debian: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Sources/Shims/" + name, pkgConfig: pkgConfig, providers: debian.map { [.apt([$0])] })
}

/// - Parameter room: the folder of Sources that the module's own folder stands in.
/// - Parameter isFast: compiled for speed, in debug builds too: loops over pixels, which take ten times as long otherwise.
/// - Parameter isOften: optimized in the ordinary build, since tests run it millions of times. The program that ships has it for size.
/// - Parameter isWhole: its files are compiled as one, so that what is generic in one of them can be proved real-time safe in another.
func module(
    _ name: String, in room: String = "", _ dependencies: [String] = [], linker: [LinkerSetting] = [],
    exclude: [String] = [], isWhole: Bool = false, isFast: Bool = false, isOften: Bool = false
) -> Target {
    .target(
        name: name, dependencies: dependencies.map { .target(name: $0) },
        path: "Sources/" + (room.isEmpty ? "" : room + "/") + name, exclude: exclude,
        swiftSettings: swift
            + (isWhole && !embedded
                ? [.unsafeFlags(["-disable-batch-mode", "-whole-module-optimization", "-num-threads", "1"])] : [])
            + (isFast || isOften && !embedded ? optimized : []),
        linkerSettings: linker)
}

func tests(_ name: String, _ dependencies: [String]) -> Target {
    .testTarget(
        name: name, dependencies: (dependencies + ["TestSupport"]).map { .target(name: $0) },
        path: "Tests/Unit/" + name, swiftSettings: [.swiftLanguageMode(.v6)])
}

let program: [LinkerSetting] =
    embedded
    ? [
        .linkedLibrary("m"), .linkedLibrary("swiftUnicodeDataTables"),
        // Relative relocations packed: 0.5 KB of them instead of 40. Needs glibc 2.36, that of Debian bookworm.
        .unsafeFlags([
            "-Xlinker", "--gc-sections", "-Xlinker", "--icf=all", "-Xlinker", "-zpack-relative-relocs",
            // The audio thread must not meet the dynamic linker: all is bound at the start.
            "-Xlinker", "-znow",
        ]),
    ] : []

/// The libraries of the program that ships. The dynamic linker looks for each symbol in this order: those with the most symbols come
/// first.
let libraries: [LinkerSetting] =
    embedded ? [.linkedLibrary("sqlite3"), .linkedLibrary("asound"), .linkedLibrary("c")] : []

let modules: [Target] = [
    cLibrary("CALSA", pkgConfig: "alsa", debian: "libasound2-dev"),
    cLibrary("CMpg123", pkgConfig: "libmpg123", debian: "libmpg123-dev"),
    // C code of our own, since the releases' versions of the library differ.
    .target(
        name: "CGpiod", path: "Sources/Shims/CGpiod", publicHeadersPath: ".", linkerSettings: [.linkedLibrary("gpiod")]),
    .target(name: "CVersion", path: "Sources/Shims/CVersion", publicHeadersPath: "."),
    cLibrary("CSQLite", pkgConfig: "sqlite3", debian: "libsqlite3-dev"),
    cLibrary("CXXHash", debian: "libxxhash-dev"),
    cLibrary("CCurl"),
    cLibrary("CEvdev"),
    // Loaded when they are first needed, so nothing of them is linked or needed to build.
    cLibrary("CExpat"),
    cLibrary("CFaad"),
    cLibrary("CFLAC"),
    cLibrary("CVorbis"),
    cLibrary("COpus"),
    cLibrary("CSyn123"),
    cLibrary("CEbur128"),
    cLibrary("CZlib"),
    cLibrary("CMosquitto"),
    cLibrary("CPosix"),
    // So are those of the process that draws.
    cLibrary("CFreeType"),
    cLibrary("CFriBidi"),
    cLibrary("CHarfBuzz"),
    cLibrary("CPNG"),
    cLibrary("CQREncode"),
    cLibrary("CTurboJPEG"),
    cLibrary("CPanel"),

    module("Realtime", in: "Foundations", ["CPosix"], isOften: true),
    module("Posix", in: "Foundations", ["CPosix"]),
    module("Text", in: "Foundations", ["CPosix"], isOften: true),
    module("Core", in: "Foundations", isOften: true),
    module("Workers", in: "Foundations", ["Posix", "CPosix"]),
    module("Pixels", in: "Foundations", ["CPosix"], isFast: true),
    module("ALSA", in: "Drivers", ["CALSA", "Posix"], linker: [.linkedLibrary("asound")]),
    module("Mpg123", in: "Drivers", ["CMpg123", "Posix"], linker: [.linkedLibrary("mpg123")]),
    module("Syn123", in: "Drivers", ["CSyn123", "Posix"]),
    module("PWM", in: "Drivers", ["CPosix", "Posix"]),
    module("Gpiod", in: "Drivers", ["CGpiod", "Posix"]),
    module("Evdev", in: "Drivers", ["CEvdev", "CPosix", "Posix"]),
    module("Faad", in: "Drivers", ["CFaad", "Posix"]),
    module("Curl", in: "Drivers", ["CCurl", "Posix"]),
    module("Expat", in: "Drivers", ["CExpat", "Posix", "Text"]),
    module("SQLite", in: "Drivers", ["CSQLite", "CPosix", "Posix"], linker: [.linkedLibrary("sqlite3")]),
    module("FreeType", in: "Drivers", ["CFreeType", "Posix"]),
    module("HarfBuzz", in: "Drivers", ["CHarfBuzz", "Posix"]),
    module("FriBidi", in: "Drivers", ["CFriBidi", "Posix"]),
    module("TurboJPEG", in: "Drivers", ["CTurboJPEG", "Posix"]),
    module("PNG", in: "Drivers", ["CPNG", "Posix"]),
    module("QREncode", in: "Drivers", ["CQREncode", "Posix"]),
    module("Panel", in: "Drivers", ["CPanel", "CPosix", "Pixels", "Posix"]),
    module("Flac", in: "Drivers", ["CFLAC", "Posix"]),
    module("Ebur128", in: "Drivers", ["CEbur128", "Posix"]),
    module("Zlib", in: "Drivers", ["CZlib", "Posix"]),
    module("Mosquitto", in: "Drivers", ["CMosquitto", "CPosix", "Posix"]),
    module("Vorbis", in: "Drivers", ["CVorbis", "Posix"]),
    module("Opus", in: "Drivers", ["COpus", "Posix"]),
    module("Typography", ["FreeType", "FriBidi", "HarfBuzz", "Pixels", "Posix"]),
    module(
        "Media",
        ["Core", "Text", "Posix", "CPosix", "CXXHash", "Expat", "Faad", "Flac", "Opus", "Syn123", "Vorbis", "Zlib"]),
    module("Transcript", ["CPosix", "Core", "Expat", "Media", "Model", "Posix", "Text"], isOften: true),
    module("Model", ["CPosix", "Core", "Posix", "Text"]),
    module("Library", ["Core", "Model", "SQLite", "Media", "CPosix", "CXXHash", "Posix", "Text"]),
    module("Audio", ["Realtime", "ALSA", "Mpg123", "Posix", "Syn123", "CPosix"], isWhole: true),
    module(
        "Playback", ["Audio", "Ebur128", "Realtime", "Workers", "ALSA", "Mpg123", "Media", "Posix", "Syn123", "CPosix"]),
    module("Playlists", ["CPosix", "Core", "Posix", "Text", "Workers"]),
    module("Streams", ["Core", "Media", "Posix", "CPosix"]),
    module("Fetching", ["Core", "Curl", "Expat", "Media", "Playlists", "Streams", "Text", "Posix", "CPosix"]),
    module(
        "Household",
        ["CPosix", "Core", "Curl", "Fetching", "Posix", "Streams", "Text", "Wire"]),
    module("Headphones", ["CPosix", "Core", "Model", "Posix", "Wire"]),
    module("Bridge", ["Core", "Model", "Mosquitto", "Posix", "Text", "Wire"]),
    module("Scanning", ["Core", "Library", "Media", "Model", "Transcript", "Workers", "Posix", "CPosix"]),
    module("Controls", ["Core", "Posix"], isOften: true),
    module("Design", ["CPosix", "Pixels", "Typography"]),
    module(
        "Scenes",
        [
            "CPosix", "CXXHash", "Core", "Design", "Model", "PNG", "Pixels", "Posix", "QREncode", "Text", "TurboJPEG",
            "Typography",
        ]),
    module("Interaction", ["CPosix", "Core", "Design", "Model", "Pixels", "Posix", "Scenes"]),
    module("Display", ["Core", "Model", "Posix", "Text", "CPosix"]),
    module(
        "Speaker",
        [
            "Core", "Ebur128", "Posix", "CPosix", "Workers", "Library", "Media", "Model", "Playback", "Scanning",
            "Streams", "Transcript",
            "Display", "Text",
        ]),
    module("Wire", ["CPosix", "Core", "Model", "Posix", "Text"]),
    module(
        "Console",
        [
            "Audio", "CPosix", "Core", "Library", "Media", "Model", "Playback", "Playlists", "Posix", "Realtime",
            "Scanning", "Speaker", "Streams", "Text", "Transcript", "Wire", "Workers",
        ], exclude: ["README.md"]),
    module("Configuration", ["Controls", "Core", "Posix", "Text"]),
    module(
        "Hands",
        [
            "ALSA", "CPosix", "Configuration", "Controls", "Core", "Evdev", "Gpiod", "PWM", "Posix", "Speaker",
            "Workers",
        ]),
    module(
        "Voice",
        ["Audio", "CPosix", "Core", "Ebur128", "Media", "Playback", "Posix", "Speaker", "Syn123", "Workers"]),
    module("Profiling", ["Configuration", "Realtime", "Posix"]),
    module("Alignment", ["Text"], isFast: true),
    module("Invocation", ["CPosix", "CVersion", "Posix"]),
    module(
        "ScreenProcess",
        [
            "CEvdev", "CPosix", "Configuration", "Core", "Design", "Display", "Evdev", "Interaction", "Model", "PNG",
            "Panel", "Pixels", "Posix", "Scenes", "Text", "Typography", "Wire", "Workers",
        ]),
    module(
        "Subcommands",
        [
            "Alignment", "CPosix", "Configuration", "Console", "Core", "Fetching", "Invocation", "Library", "Model",
            "Media", "Playback", "Posix", "Profiling", "Streams", "Text", "Transcript", "Wire",
        ]),
    // Called by C names, and never imported: each is an object of its own in the Embedded program, compiled beside the others.
    module("ScreenRoot", in: "Roots", ["Invocation", "Posix", "ScreenProcess"]),
    module(
        "NetworkRoot", in: "Roots",
        [
            "Bridge", "CPosix", "Configuration", "Core", "Fetching", "Headphones", "Household", "Invocation", "Model",
            "Mosquitto", "Posix", "Wire",
        ]),
    .executableTarget(
        name: "nightstand",
        dependencies: [
            "CPosix", "Posix", "Core", "Model", "Workers", "ALSA", "Mpg123", "Media", "SQLite",
            "Transcript", "Library", "Playlists", "Scanning", "Playback", "Speaker", "Controls", "Display", "Console",
            "Configuration", "Profiling", "Wire", "Hands", "Invocation", "NetworkRoot", "ScreenRoot", "Streams",
            "Subcommands", "Voice", "Text",
        ],
        swiftSettings: swift,
        linkerSettings: libraries + program),
]

/// The parsers' runs over hostile bytes, and the makers of those bytes: for the tests, and for a program that does the same in Embedded
/// Swift.
let fuzzing: [Target] = [
    .target(
        name: "Fuzzing", dependencies: ["CPosix"], path: "Tests/Unit/Fuzzing",
        swiftSettings: swift + (embedded ? [] : optimized)),
    .target(
        name: "FuzzWork",
        dependencies: [
            "CPosix", "Core", "Expat", "Fetching", "Media", "Model", "Playlists", "Posix", "Realtime", "Scenes",
            "Streams", "Transcript", "Wire",
        ], path: "Tests/Unit/FuzzWork", swiftSettings: swift + (embedded ? [] : optimized)),
]

let testTargets: [Target] =
    embedded
    ? fuzzes
        ? fuzzing + [
            .executableTarget(
                name: "fuzz", dependencies: ["CPosix", "FuzzWork", "Fuzzing", "Posix"], path: "Tests/Unit/FuzzProgram",
                swiftSettings: swift, linkerSettings: program)
        ] : []
    : fuzzing + [
        .target(
            name: "TestSupport", dependencies: ["CAllocations", "CPosix", "Fuzzing", "Posix", "Workers"],
            path: "Tests/Unit/TestSupport", swiftSettings: swift + optimized),
        // Its malloc counts. Only the tests link it.
        .target(name: "CAllocations", path: "Tests/Unit/CAllocations"),
        tests("TestSupportTests", ["CPosix"]),
        tests("FuzzWorkTests", ["FuzzWork", "Streams"]),
        tests("RealtimeTests", ["CPosix", "Realtime"]),
        tests("CoreTests", ["Core"]),
        tests("AlignmentTests", ["Alignment"]),
        tests("PosixTests", ["Posix"]),
        tests("WorkersTests", ["Workers", "Posix"]),
        tests("TranscriptTests", ["FuzzWork", "Model", "Transcript", "Text", "Posix"]),
        tests("MediaTests", ["Core", "FuzzWork", "Media", "CMpg123", "Fuzzing", "Mpg123", "Posix", "Text", "Vorbis"]),
        tests("LibraryTests", ["Core", "Library", "Model", "SQLite", "Media"]),
        tests("AudioTests", ["Audio", "ALSA", "CPosix", "Mpg123", "Realtime", "Posix"]),
        tests(
            "PlaybackTests",
            ["Audio", "Playback", "Mpg123", "Media", "ALSA", "Realtime", "CMpg123", "Workers", "Posix"]),
        tests("VoiceTests", ["Audio", "Media", "Posix", "Speaker", "Voice", "Workers"]),
        tests("PlaylistsTests", ["CPosix", "Playlists", "Posix", "Workers"]),
        tests("StreamsTests", ["CPosix", "Media", "Posix", "Streams"]),
        tests("FetchingTests", ["CPosix", "Expat", "Fetching", "FuzzWork", "Posix", "Streams"]),
        tests("HouseholdTests", ["Household", "Posix"]),
        tests("BridgeTests", ["Bridge", "Model"]),
        tests("HeadphonesTests", ["Headphones", "Model"]),
        tests("ScanningTests", ["Core", "Media", "Model", "Scanning", "Library", "Workers", "Posix"]),
        tests("ControlsTests", ["Controls", "Core", "Posix"]),
        tests("HandsTests", ["Hands"]),
        .target(
            name: "SpeakerBench",
            dependencies: [
                "Speaker", "Core", "Model", "Posix", "Workers", "Library", "Playback", "Scanning", "Transcript",
                "Display",
                "CPosix", "TestSupport",
            ], path: "Tests/Unit/SpeakerBench", swiftSettings: swift),
        tests(
            "SpeakerTests",
            [
                "Speaker", "SpeakerBench", "Core", "Model", "Posix", "Workers", "Library", "Media", "Playback",
                "Scanning",
                "Transcript", "Display", "CPosix",
            ]),
        tests(
            "ScreenProcessTests",
            [
                "Configuration", "Core", "Design", "Interaction", "Panel", "Pixels", "Posix", "Scenes",
                "ScreenProcess", "Typography", "Wire", "Workers",
            ]),
        tests("ProfilingTests", ["Profiling", "Configuration", "Posix", "Realtime"]),
        tests("EvdevTests", ["Evdev", "CEvdev", "Posix"]),
        tests("PWMTests", ["PWM", "Posix"]),
        tests("GpiodTests", ["Gpiod", "Controls", "Posix"]),
        tests("PixelsTests", ["Pixels"]),
        tests("InteractionTests", ["Core", "Design", "Interaction", "Model", "Pixels", "Posix", "Scenes"]),
        tests("TypographyTests", ["Pixels", "Typography"]),
        tests("DesignTests", ["Design", "Pixels"]),
        tests("ScenesTests", ["Core", "Design", "Model", "PNG", "Pixels", "Posix", "Scenes"]),
        tests("DisplayTests", ["Display", "Core", "Model", "Posix", "Text", "CPosix"]),
        tests(
            "ConsoleTests",
            [
                "Audio", "CPosix", "Console", "Core", "Library", "Media", "Model", "Playback", "Playlists", "Posix",
                "Profiling", "Realtime", "Scanning", "Speaker", "SpeakerBench", "Wire",
            ]),
        tests("ConfigurationTests", ["Configuration", "Controls", "Core", "Posix"]),
    ]

let package = Package(name: "nightstand", targets: modules + testTargets)
