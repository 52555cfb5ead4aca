// swift-tools-version: 6.2
import PackageDescription

// Versions are pinned to a minor release because Package.resolved is not
// committed: a clone made next year must build what was tested today.
let package = Package(
    name: "backline",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", .upToNextMinor(from: "1.8.2")),
        .package(url: "https://github.com/apple/swift-collections.git", .upToNextMinor(from: "1.6.0")),
        .package(
            url: "https://github.com/apple/swift-configuration.git", .upToNextMinor(from: "1.4.0"),
            traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-crypto.git", .upToNextMinor(from: "4.5.2")),
        .package(url: "https://github.com/apple/swift-log.git", .upToNextMinor(from: "1.16.2")),
        .package(url: "https://github.com/groue/GRDB.swift.git", .upToNextMinor(from: "7.10.0")),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", .upToNextMinor(from: "2.28.1")),
        .package(
            url: "https://github.com/swift-server/swift-service-lifecycle.git", .upToNextMinor(from: "2.13.0")),
    ],
    targets: [
        .systemLibrary(name: "CZeroMQ", pkgConfig: "libzmq", providers: [.apt(["libzmq3-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

        .target(name: "Model"),
        .target(name: "Contracts", dependencies: ["Model"]),
        .target(
            name: "Storage",
            dependencies: [
                "CSQLite", "Model",
                .product(name: "Collections", package: "swift-collections"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .target(name: "Messaging", dependencies: ["CZeroMQ"]),
        .target(name: "Upstream", dependencies: ["CCurl", "Model", "Storage"]),
        .target(name: "Ticketmaster", dependencies: ["Model", "Upstream"], path: "Sources/Providers/Ticketmaster"),
        .target(name: "Accounts", dependencies: ["Model", "Storage", .product(name: "Crypto", package: "swift-crypto")]),
        .target(
            name: "Concerts", dependencies: ["Model", "Storage"],
            resources: [.embedInCode("CityNames.txt")]),
        .target(
            name: "Jobs",
            dependencies: [
                "Contracts", "Model", "Storage",
                .product(name: "Collections", package: "swift-collections"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "Workers",
            dependencies: [
                "Contracts", "Jobs", "Messaging", "Model", "Storage",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .target(
            name: "Gateway",
            dependencies: [
                "Accounts", "Contracts", "Jobs", "Messaging", "Model", "Storage",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .target(
            name: "Bootstrap",
            dependencies: [
                "Contracts", "Jobs", "Messaging", "Model", "Storage", "Workers",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]),
        .target(
            name: "Commands",
            dependencies: [
                "Accounts", "Bootstrap", "Contracts", "Model", "Storage",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .target(name: "UpstreamSimulator", dependencies: [.product(name: "Hummingbird", package: "hummingbird")]),
        .target(name: "TestSupport", dependencies: ["Model", "Storage"]),

        .executableTarget(
            name: "api-gateway", dependencies: ["Bootstrap", "Gateway"], path: "Services/api-gateway"),
        .executableTarget(
            name: "concert-worker", dependencies: ["Bootstrap", "Workers"], path: "Services/concert-worker"),
        .executableTarget(name: "sync-worker", dependencies: ["Bootstrap", "Workers"], path: "Services/sync-worker"),
        .executableTarget(name: "ai-worker", dependencies: ["Bootstrap", "Workers"], path: "Services/ai-worker"),
        .executableTarget(name: "backline", dependencies: ["Commands"], path: "Services/backline"),
        .executableTarget(
            name: "upstream-sim",
            dependencies: [
                "UpstreamSimulator", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Services/upstream-sim"),

        .testTarget(name: "MessagingTests", dependencies: ["CZeroMQ", "Messaging"]),
    ],
    swiftLanguageModes: [.v6]
)
