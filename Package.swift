// swift-tools-version: 6.2
import PackageDescription

/// Settings every Swift target shares: `any` is written out, so that a reader sees each existential.
let swift: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

/// A product of another package. Only the server needs any: a package that takes the Swift client or ListDiff alone, with
/// `traits: []`, resolves none of them.
func product(_ name: String, of package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Server"]))
}

let httpTypes = product("HTTPTypes", of: "swift-http-types")
let logging = product("Logging", of: "swift-log")
let deques = product("DequeModule", of: "swift-collections")
let services = product("ServiceLifecycle", of: "swift-service-lifecycle")

let uiKitDouble = Target.Dependency.target(
    name: "UIKitDouble", condition: .when(platforms: [.linux, .macOS, .watchOS]))
let appKitDouble = Target.Dependency.target(
    name: "AppKitDouble",
    condition: .when(platforms: [.linux, .iOS, .macCatalyst, .tvOS, .visionOS, .watchOS]))

let package = Package(
    name: "callboard",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "ListDiff", targets: ["ListDiff"]),
        .library(name: "ListDiffUIKit", targets: ["ListDiffUIKit"]),
        .library(name: "ListDiffAppKit", targets: ["ListDiffAppKit"]),
        .library(name: "CallboardClient", targets: ["CallboardClient"]),
        .library(name: "CallboardUIKit", targets: ["CallboardUIKit"]),
        .executable(name: "callboard", targets: ["callboard"]),
    ],
    traits: [
        .default(enabledTraits: ["Server"]),
        .trait(name: "Server", description: "The server and its commands, with the packages that they stand on."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // C: one module map and shim per system library, imported by its engine alone; and files as constants.
        .target(name: "CLinux"),
        .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "CWebAssets"),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CNGHTTP2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),

        // Pure: values in, values out.
        .target(name: "ListDiff", swiftSettings: swift),
        .target(name: "Notation", swiftSettings: swift),
        .target(name: "JSONValues", dependencies: ["CSimdJSON", "Notation"], swiftSettings: swift),
        .target(
            name: "JSONLogic", dependencies: ["JSONValues", "Notation"], swiftSettings: swift,
            linkerSettings: [.linkedLibrary("m")]),
        .target(name: "HTTPWire", dependencies: ["Notation", httpTypes], swiftSettings: swift),
        .target(name: "Metrics", swiftSettings: swift),
        .target(name: "Access", dependencies: ["COpenSSL", "JSONValues", "Notation"], swiftSettings: swift),

        .target(
            name: "WebAssets", dependencies: ["CWebAssets", "CZlib"],
            exclude: ["client", "console", "package", "served"], swiftSettings: swift),

        // Domain.
        .target(
            name: "Directors",
            dependencies: [
                "JSONLogic", "JSONValues", "ListDiff", "Notation",
                product("HashTreeCollections", of: "swift-collections"),
            ],
            swiftSettings: swift
        ),
        .target(
            name: "Views",
            dependencies: [
                "Directors", "JSONLogic", "JSONValues", "ListDiff", "Notation",
                product("HashTreeCollections", of: "swift-collections"),
            ],
            swiftSettings: swift
        ),
        .target(
            name: "DirectorLife",
            dependencies: [
                "Directors", "HTTPWire", "JSONValues", "ListDiff", "Notation",
                deques, product("HashTreeCollections", of: "swift-collections"),
            ],
            swiftSettings: swift
        ),

        // Engine.
        .target(name: "Reactor", dependencies: ["CLinux", "CMalloc"], swiftSettings: swift),
        .target(name: "TLSEngine", dependencies: ["COpenSSL"], swiftSettings: swift),
        .target(name: "HTTP2Engine", dependencies: ["CNGHTTP2", "HTTPWire", httpTypes], swiftSettings: swift),
        .target(name: "HTTPClient", dependencies: ["CCurl", "Notation", "Reactor"], swiftSettings: swift),

        // Adapters.
        .target(
            name: "HTTPServer",
            dependencies: ["HTTP2Engine", "HTTPWire", "Metrics", "Notation", "Reactor", "TLSEngine", httpTypes],
            swiftSettings: swift),
        .target(
            name: "Journal",
            dependencies: [
                "Access", "Metrics", "DirectorLife", "Directors", "HTTPWire", "JSONValues", "ListDiff", "Notation",
                deques, product("HashTreeCollections", of: "swift-collections"),
            ],
            swiftSettings: swift),
        .target(
            name: "JournalSQLite",
            dependencies: [
                "Access", "DirectorLife", "Directors", "Journal", "Notation",
                product("GRDB", of: "GRDB.swift"), product("GRDBSQLite", of: "GRDB.swift"),
            ],
            swiftSettings: swift
        ),
        .target(
            name: "JournalPostgres",
            dependencies: ["Access", "CPostgres", "DirectorLife", "Directors", "Journal", "Notation"],
            swiftSettings: swift),
        .target(
            name: "Webhooks",
            dependencies: [
                "Metrics",
                "COpenSSL", "Directors", "HTTPClient", "JSONValues", "Notation", "Reactor", logging,
                deques,
            ],
            swiftSettings: swift
        ),
        .target(
            name: "Feed",
            dependencies: [
                "DirectorLife", "HTTPServer", "HTTPWire", "Notation", "Reactor",
                deques,
            ],
            swiftSettings: swift
        ),
        .target(
            name: "Hosting",
            dependencies: [
                "Metrics",
                "Access", "DirectorLife", "Directors", "Feed", "HTTPClient", "HTTPWire", "Journal", "JSONValues",
                "ListDiff", "Notation", "Reactor", "Views",
                "Webhooks", logging,
                deques, product("HashTreeCollections", of: "swift-collections"),
            ],
            swiftSettings: swift
        ),
        .target(
            name: "CallboardAPI",
            dependencies: [
                "Access", "Metrics",
                "DirectorLife", "Directors", "Feed", "Hosting", "HTTPClient", "HTTPServer", "HTTPWire", "Journal",
                "JSONValues", "ListDiff", "Notation", "Reactor", "TLSEngine", "Views", "WebAssets", "Webhooks", logging,
                httpTypes,
            ],
            swiftSettings: swift
        ),
        .target(
            name: "CallboardServer",
            dependencies: [
                "Access", "CallboardAPI", "DirectorLife", "Directors", "Hosting", "HTTPClient", "HTTPServer",
                "HTTPWire", "Journal", "JournalPostgres", "JournalSQLite", "JSONValues", "Metrics", "Notation",
                "Reactor", "TLSEngine", logging, httpTypes,
            ],
            swiftSettings: swift
        ),

        // Client and program.
        .target(
            name: "CallboardClient",
            dependencies: ["ListDiff", "Notation", .target(name: "HTTPClient", condition: .when(platforms: [.linux]))],
            swiftSettings: swift),
        // Where there is no UIKit or AppKit, these are compiled with declarations of the same names, which tests drive.
        .target(name: "ListDiffUIKit", dependencies: ["ListDiff", uiKitDouble], swiftSettings: swift),
        .target(name: "ListDiffAppKit", dependencies: ["ListDiff", appKitDouble], swiftSettings: swift),
        .target(
            name: "CallboardUIKit", dependencies: ["CallboardClient", "ListDiff", "ListDiffUIKit", uiKitDouble],
            swiftSettings: swift),
        .target(name: "UIKitDouble", path: "Tests/UIKitDouble", swiftSettings: swift),
        .target(name: "AppKitDouble", path: "Tests/AppKitDouble", swiftSettings: swift),
        .target(
            name: "CallboardProgram",
            dependencies: [
                "Access", "COpenSSL", "CallboardAPI", "CallboardClient", "CallboardServer", "Directors", "Feed",
                "Hosting",
                "HTTPClient", "HTTPServer", "JSONValues", "Journal", "JournalPostgres", "JournalSQLite", "ListDiff",
                "Notation",
                "Reactor", "TLSEngine",
                "Webhooks",
                httpTypes,
                logging,
                product("ArgumentParser", of: "swift-argument-parser"),
                product("Configuration", of: "swift-configuration"),
                services,
                product("UnixSignals", of: "swift-service-lifecycle"),
            ],
            swiftSettings: swift
        ),
        .executableTarget(name: "callboard", dependencies: ["CallboardProgram"], swiftSettings: swift),
        .executableTarget(
            name: "callboard-benchmarks",
            dependencies: [
                "CMalloc", "CallboardClient", "Directors", "JSONLogic", "JSONValues", "ListDiff", "Notation",
            ],
            path: "Sources/Benchmarks",
            swiftSettings: swift
        ),

        // Tests.
        .executableTarget(
            name: "callboard-follow", dependencies: ["CallboardClient"], path: "Tests/Clients/support/follow",
            swiftSettings: swift),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: swift),
        .target(
            name: "ReactorTesting", dependencies: ["Reactor"], path: "Tests/ReactorTesting", swiftSettings: swift),
        .target(
            name: "HTTPTestSupport", dependencies: ["CNGHTTP2", "COpenSSL", "TLSEngine"], path: "Tests/HTTPTestSupport",
            swiftSettings: swift),
        .target(
            name: "FuzzTesting", dependencies: ["COpenSSL", "HTTP2Engine", "HTTPWire", "TLSEngine", httpTypes],
            path: "Tests/FuzzTesting", swiftSettings: swift),
        .target(
            name: "ListDiffTesting", dependencies: ["ListDiff"], path: "Tests/ListDiffTesting", swiftSettings: swift),
        .testTarget(
            name: "ListDiffTests",
            dependencies: ["AppKitDouble", "ListDiff", "ListDiffAppKit", "ListDiffTesting", "TestSupport"],
            swiftSettings: swift),
        .testTarget(
            name: "AccessTests", dependencies: ["Access", "COpenSSL", "JSONValues", "Notation", "TestSupport"],
            swiftSettings: swift),
        .testTarget(name: "NotationTests", dependencies: ["Notation"], swiftSettings: swift),
        .testTarget(
            name: "JSONValuesTests", dependencies: ["JSONValues", "Notation", "TestSupport"], swiftSettings: swift),
        .testTarget(
            name: "JSONLogicTests", dependencies: ["JSONLogic", "JSONValues", "Notation", "TestSupport"],
            swiftSettings: swift),
        .testTarget(
            name: "HTTPWireTests", dependencies: ["FuzzTesting", "HTTPWire", "HTTPTestSupport", "TestSupport"],
            swiftSettings: swift),
        .testTarget(
            name: "DirectorsTests",
            dependencies: [
                "Directors", "JSONLogic", "JSONValues", "ListDiff", "ListDiffTesting", "Notation", "TestSupport",
            ],
            swiftSettings: swift),
        .testTarget(
            name: "ViewsTests",
            dependencies: [
                "Directors", "JSONValues", "ListDiff", "ListDiffTesting", "Notation", "TestSupport", "Views",
                product("HashTreeCollections", of: "swift-collections"),
            ],
            swiftSettings: swift),
        .executableTarget(
            name: "callboard-simulation",
            dependencies: [
                "DirectorLife", "Directors", "HTTPWire", "JSONValues", "Journal", "ListDiff", "Notation", "TestSupport",
            ],
            path: "Tests/Simulation", swiftSettings: swift),
        .testTarget(
            name: "DirectorLifeTests",
            dependencies: [
                "callboard-simulation", "DirectorLife", "Directors", "HTTPWire", "JSONValues", "Journal", "ListDiff",
                "Notation", "TestSupport",
            ],
            swiftSettings: swift),
        .target(
            name: "CSQLiteFaults", path: "Tests/CSQLiteFaults", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(
            name: "JournalTesting",
            dependencies: [
                "Access", "DirectorLife", "Directors", "HTTPWire", "JSONValues", "Journal", "Notation", "TestSupport",
            ],
            path: "Tests/JournalTesting", swiftSettings: swift),
        .testTarget(
            name: "JournalTests",
            dependencies: [
                "Access", "CSQLiteFaults", "DirectorLife", "Directors", "HTTPWire", "JSONValues", "Journal",
                "JournalSQLite", "JournalTesting", "ListDiff", "Notation", "TestSupport",
                product("GRDB", of: "GRDB.swift"),
            ],
            exclude: ["Fixtures"], swiftSettings: swift),
        .testTarget(
            name: "JournalPostgresTests",
            dependencies: [
                "Access", "DirectorLife", "Directors", "HTTPWire", "JSONValues", "Journal", "JournalPostgres",
                "JournalTesting", "Notation", "TestSupport",
            ],
            swiftSettings: swift),
        .testTarget(name: "ReactorTests", dependencies: ["Reactor", "CLinux", "TestSupport"], swiftSettings: swift),
        .testTarget(
            name: "TLSEngineTests", dependencies: ["COpenSSL", "FuzzTesting", "TestSupport", "TLSEngine"],
            swiftSettings: swift),
        .testTarget(
            name: "HTTP2EngineTests",
            dependencies: [
                "CNGHTTP2", "FuzzTesting", "HTTP2Engine", "HTTPTestSupport", "HTTPWire", "TestSupport", httpTypes,
            ],
            swiftSettings: swift),
        .testTarget(
            name: "HTTPServerTests", dependencies: ["HTTPServer", "HTTPTestSupport", "TestSupport", "TLSEngine"],
            swiftSettings: swift),
        .target(
            name: "CTLSReceiver", path: "Tests/CTLSReceiver",
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto"), .linkedLibrary("nghttp2")]),
        .testTarget(
            name: "HTTPClientTests",
            dependencies: [
                "CCurl", "CTLSReceiver", "HTTPClient", "HTTPServer", "HTTPTestSupport", "Reactor", "TLSEngine",
                "TestSupport", "Webhooks", httpTypes,
            ],
            swiftSettings: swift),
        .testTarget(
            name: "WebhooksTests",
            dependencies: [
                "Webhooks", "COpenSSL", "Directors", "HTTPClient", "HTTPServer", "HTTPTestSupport",
                "HTTPWire", "JSONValues", "Notation", "Reactor", "TestSupport", httpTypes,
            ],
            swiftSettings: swift),
        .testTarget(
            name: "FeedTests",
            dependencies: [
                "DirectorLife", "Directors", "Feed", "HTTPServer", "HTTPWire", "JSONValues", "Reactor", "TestSupport",
            ],
            swiftSettings: swift),
        .testTarget(
            name: "HostingTests",
            dependencies: [
                "DirectorLife", "Directors", "Feed", "Hosting", "JSONValues", "Journal", "ListDiff", "Metrics",
                "Notation", "Reactor", "ReactorTesting", "TestSupport", "Views", logging,
            ],
            swiftSettings: swift),
        .testTarget(
            name: "CallboardAPITests",
            dependencies: [
                "CallboardAPI", "CallboardServer", "DirectorLife", "Directors", "Feed", "Hosting", "HTTPServer",
                "HTTPTestSupport",
                "HTTPWire", "JSONValues", "Journal", "JournalSQLite", "ListDiff", "Notation", "Reactor", "TestSupport",
                "WebAssets",
                "Webhooks",
            ],
            swiftSettings: swift),
        .testTarget(
            name: "CallboardServerTests",
            dependencies: [
                "Access", "CallboardAPI", "CallboardServer", "Directors", "HTTPClient", "HTTPServer", "HTTPWire",
                "Reactor", "TestSupport", httpTypes,
            ],
            swiftSettings: swift),
        .testTarget(
            name: "CallboardClientTests", dependencies: ["CallboardClient", "ListDiff", "TestSupport"],
            swiftSettings: swift),
        .testTarget(
            name: "CallboardUIKitTests",
            dependencies: ["CallboardClient", "CallboardUIKit", "ListDiff", "TestSupport", "UIKitDouble"],
            swiftSettings: swift),
        .testTarget(
            name: "CallboardProgramTests",
            dependencies: [
                "Access", "CallboardProgram", "CallboardAPI", "CallboardClient", "CallboardServer", "CallboardUIKit",
                "Directors", "HTTPServer", "Hosting",
                "JSONValues", "ListDiff", "Reactor", "TestSupport", "TLSEngine", "UIKitDouble", "Webhooks",
                httpTypes, logging,
                services,
            ], swiftSettings: swift),
    ]
)

// Fuzzers are built by Config/fuzz alone: they need libFuzzer, which gives them their main function.
if Context.environment["CALLBOARD_FUZZ"] == "1" {
    package.targets += [
        .target(name: "CFuzzCounters", path: "Tests/Fuzz/CFuzzCounters"),
        .executableTarget(
            name: "callboard-fuzz", dependencies: ["CFuzzCounters", "FuzzTesting"], path: "Tests/Fuzz/Program",
            swiftSettings: swift),
    ]
}
