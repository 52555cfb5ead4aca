// swift-tools-version: 6.2
import PackageDescription

// Versions are pinned to a minor release because Package.resolved is not
// committed: a clone made next year must build what was tested today.
let dependencies: [Package.Dependency] = [
    .package(url: "https://github.com/apple/swift-argument-parser.git", .upToNextMinor(from: "1.8.2")),
    .package(url: "https://github.com/apple/swift-collections.git", .upToNextMinor(from: "1.6.0")),
    .package(url: "https://github.com/apple/swift-configuration.git", .upToNextMinor(from: "1.4.0"), traits: []),
    .package(url: "https://github.com/apple/swift-crypto.git", .upToNextMinor(from: "4.5.2")),
    .package(url: "https://github.com/apple/swift-http-types.git", .upToNextMinor(from: "1.8.0")),
    .package(url: "https://github.com/apple/swift-log.git", .upToNextMinor(from: "1.16.2")),
    .package(url: "https://github.com/apple/swift-nio.git", .upToNextMinor(from: "2.101.2")),
    .package(url: "https://github.com/apple/swift-nio-extras.git", .upToNextMinor(from: "1.35.2")),
    .package(url: "https://github.com/groue/GRDB.swift.git", .upToNextMinor(from: "7.10.0")),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", .upToNextMinor(from: "2.28.1")),
    .package(url: "https://github.com/jpsim/Yams.git", .upToNextMinor(from: "6.2.2")),
    .package(url: "https://github.com/swift-server/async-http-client.git", .upToNextMinor(from: "1.37.0")),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", .upToNextMinor(from: "2.13.0")),
    .package(url: "https://github.com/vapor/jwt-kit.git", .upToNextMinor(from: "5.7.1")),
]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let collections: Target.Dependency = .product(name: "Collections", package: "swift-collections")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let jwtKit: Target.Dependency = .product(name: "JWTKit", package: "jwt-kit")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let serviceLifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

/// C libraries, from Debian's -dev packages, and what Linux has beyond its C library.
let systemLibraries: [Target] = [
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CZeroMQ", pkgConfig: "libzmq", providers: [.apt(["libzmq3-dev"])]),
    .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
]

/// In the order in which they build on each other.
let libraries: [Target] = [
    .target(name: "Platform", dependencies: ["CLinux"]),
    .target(name: "Model", dependencies: ["Platform"]),
    .target(name: "Identity", dependencies: ["Model"]),
    .target(name: "LibraryFiles", dependencies: ["CXML2", "CZip", "Model", "Platform", crypto]),
    .target(name: "Pictures", dependencies: ["Model", "Platform", crypto]),
    .target(name: "Telemetry", dependencies: [crypto]),
    .target(name: "Contracts", dependencies: ["Model", "Platform", "Telemetry"]),
    .target(
        name: "Storage",
        dependencies: [
            "CLinux", "CSQLite", "Model", "Platform", "Telemetry", collections,
            .product(name: "GRDB", package: "GRDB.swift"),
        ]),
    .target(name: "JobStorage", dependencies: ["Model", "Storage"]),
    .target(name: "PermitStorage", dependencies: ["Model", "Platform", "Storage"]),
    .target(name: "PrivateFiles"),
    .target(name: "Messaging", dependencies: ["CZeroMQ", "Model", "Platform", "PrivateFiles", "Telemetry"]),
    .target(
        name: "Upstream",
        dependencies: ["CCurl", "Model", "PermitStorage", "Platform", "Storage", "Telemetry", crypto]),
    .target(name: "Spotify", dependencies: ["Model", "Platform", "Upstream"], path: "Sources/Providers/Spotify"),
    .target(
        name: "Ticketmaster", dependencies: ["Model", "Platform", "Upstream"], path: "Sources/Providers/Ticketmaster"),
    .target(name: "Google", dependencies: ["Model", "Upstream", jwtKit], path: "Sources/Providers/Google"),
    .target(name: "ITunes", dependencies: ["Model", "Upstream"], path: "Sources/Providers/ITunes"),
    .target(name: "Gemini", dependencies: ["Model", "Platform", "Upstream"], path: "Sources/Providers/Gemini"),
    .target(
        name: "ChatCompletions", dependencies: ["Model", "Upstream"], path: "Sources/Providers/ChatCompletions"),
    .target(
        name: "AppleMusic", dependencies: ["Model", "Platform", "Upstream", jwtKit],
        path: "Sources/Providers/AppleMusic"),
    .target(name: "Vault", dependencies: ["Model", "Platform", "PrivateFiles", "Storage", crypto]),
    .target(
        name: "Accounts", dependencies: ["Contracts", "JobStorage", "Model", "Platform", "Storage", "Vault", crypto]),
    .target(
        name: "Concerts", dependencies: ["Contracts", "JobStorage", "Model", "Storage"],
        resources: [.embedInCode("CityNames.txt")]),
    .target(name: "Catalog", dependencies: ["Contracts", "Model", "Storage"]),
    .target(
        name: "LinkedAccounts",
        dependencies: ["Contracts", "JobStorage", "Model", "Platform", "Storage", "Vault"]),
    .target(
        name: "Library",
        dependencies: [
            "CLinux", "Contracts", "Identity", "JobStorage", "LibraryFiles", "Model", "Platform", "Storage",
        ]),
    .target(
        name: "Listening",
        dependencies: ["Contracts", "Identity", "JobStorage", "Model", "Platform", "Storage", crypto]),
    .target(
        name: "Curation",
        dependencies: ["Contracts", "Identity", "JobStorage", "Model", "Platform", "Storage", crypto]),
    .target(name: "Previews", dependencies: ["Contracts", "Identity", "Model", "Platform", "Storage", crypto]),
    .target(
        name: "Jobs",
        dependencies: [
            "Contracts", "JobStorage", "Model", "Platform", "Storage", "Telemetry", collections, crypto, logging,
        ]),
    .target(
        name: "Bootstrap",
        dependencies: [
            "Accounts", "CLinux", "Catalog", "Concerts", "Contracts", "Curation", "JobStorage", "Jobs", "Library",
            "LinkedAccounts", "Listening", "Messaging", "Model", "PermitStorage", "Pictures", "Platform", "Storage",
            "Telemetry", "Vault", logging, serviceLifecycle,
            .product(name: "Configuration", package: "swift-configuration"),
            .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            .product(name: "Yams", package: "Yams"),
        ]),
    .target(
        name: "Workers",
        dependencies: [
            "Accounts", "AppleMusic", "Bootstrap", "Catalog", "ChatCompletions", "Concerts", "Contracts", "Curation",
            "Gemini", "Google", "ITunes", "Identity", "JobStorage", "Jobs", "Library", "LibraryFiles", "LinkedAccounts",
            "Listening", "Messaging", "Model", "PermitStorage", "Pictures", "Platform", "Previews", "Spotify",
            "Storage", "Telemetry", "Ticketmaster", "Upstream", "Vault", logging, serviceLifecycle,
        ]),
    .target(
        name: "Gateway",
        dependencies: [
            "Accounts", "CZlib", "Catalog", "Concerts", "Contracts", "Curation", "Identity", "JobStorage", "Jobs",
            "Library", "LibraryFiles", "LinkedAccounts", "Listening", "Messaging", "Model", "PermitStorage", "Pictures",
            "Platform", "Previews", "PrivateFiles", "Storage", "Telemetry", "Vault", crypto, hummingbird, logging,
            nioCore, serviceLifecycle,
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "HummingbirdCore", package: "hummingbird"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
            .product(name: "NIOPosix", package: "swift-nio"),
        ]),
    .target(
        name: "Commands",
        dependencies: [
            "Accounts", "Bootstrap", "Contracts", "Identity", "JobStorage", "Library", "Messaging", "Model",
            "PermitStorage", "Platform", "Storage", "Upstream", "Vault", argumentParser,
        ]),
]

/// All of Backline's programs (Services/Program.swift).
let executable: Target = .executableTarget(
    name: "backline",
    dependencies: [
        "Bootstrap", "Commands", "Contracts", "Curation", "Gateway", "Jobs", "Library", "LinkedAccounts", "Messaging",
        "Pictures", "Storage", "Telemetry", "Vault", "Workers", argumentParser, logging,
    ],
    path: "Services", exclude: ["Dockerfile"], resources: [.copy("api-gateway/Web")])

/// Simulates the services that Backline calls, for demonstrations, tests and benchmarks. No installation contains it.
let simulator: [Target] = [
    .target(
        name: "UpstreamSimulator",
        dependencies: [
            "Model", "Platform", crypto, hummingbird, logging, nioCore, serviceLifecycle,
            .product(name: "CryptoExtras", package: "swift-crypto"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
            .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        ],
        path: "Simulator/UpstreamSimulator"),
    .executableTarget(
        name: "upstream-sim", dependencies: ["UpstreamSimulator", argumentParser], path: "Simulator/UpstreamSim"),
]

let tests: [Target] = [
    .executableTarget(
        name: "bare-pipeline", dependencies: ["CSQLite", "Contracts", "Messaging", "Model"],
        path: "Benchmarks/BarePipeline"),
    .target(name: "DiskFault", path: "Tests/DiskFault"),
    .target(
        name: "FaultHistories", dependencies: ["Accounts", "Model", "Storage", "TestProcesses", "TestSupport"],
        path: "Tests/FaultHistories/Harness"),
    .executableTarget(
        name: "fault-histories", dependencies: ["FaultHistories", argumentParser],
        path: "Tests/FaultHistories/Command"),
    .target(
        name: "HostileInputs",
        dependencies: [
            "Accounts", "AppleMusic", "ChatCompletions", "Concerts", "Contracts", "Curation", "Gateway", "Gemini",
            "Google", "ITunes", "Library", "LibraryFiles", "Model", "Pictures", "Platform", "Spotify", "Storage",
            "Telemetry", "TestSupport", "Ticketmaster", "Upstream", hummingbird, nioCore,
            .product(name: "HTTPTypes", package: "swift-http-types"),
        ],
        path: "Tests/HostileInputs/Inputs"),
    .target(
        name: "TestProcesses",
        dependencies: [
            "Model", "Storage", "TestSupport", asyncHTTPClient, nioCore,
            .product(name: "NIOHTTP1", package: "swift-nio"),
        ],
        path: "Tests/TestProcesses"),
    .target(
        name: "TestSupport",
        dependencies: ["CSQLite", "CZeroMQ", "Model", "Storage", "Upstream", logging, serviceLifecycle],
        path: "Tests/TestSupport", resources: [.copy("Releases/0.2.0.sql")]),
    .executableTarget(
        name: "permit-probe", dependencies: ["Model", "Storage", "Upstream"], path: "Tests/PermitProbe"),
    .executableTarget(
        name: "secret-opening", dependencies: ["Contracts", "Model", "Vault"], path: "Benchmarks/SecretOpening"),
    .executableTarget(name: "storage-probe", dependencies: ["Storage"], path: "Tests/StorageProbe"),
    .testTarget(
        name: "AccountsTests",
        dependencies: [
            "Accounts", "Bootstrap", "Concerts", "Contracts", "JobStorage", "Model", "Storage", "TestSupport", "Vault",
            "backline",
        ]),
    .testTarget(name: "AppleMusicTests", dependencies: ["AppleMusic", "Model", "TestSupport", "Upstream", jwtKit]),
    .testTarget(
        name: "BootstrapTests",
        dependencies: [
            "Bootstrap", "JobStorage", "Listening", "Messaging", "Model", "PermitStorage", "Platform", "Storage",
            "TestSupport", logging, serviceLifecycle,
        ]),
    .testTarget(
        name: "CommandsTests",
        dependencies: [
            "Accounts", "Bootstrap", "Commands", "Contracts", "JobStorage", "Model", "PermitStorage", "Platform",
            "Storage", "TestSupport", "Vault", "backline", argumentParser,
        ]),
    .testTarget(
        name: "ConcertsTests",
        dependencies: ["Concerts", "Contracts", "JobStorage", "Model", "Storage", "TestSupport"]),
    .testTarget(
        name: "LinkedAccountsTests",
        dependencies: ["Contracts", "LinkedAccounts", "Model", "Platform", "Storage", "TestSupport", "Vault"]),
    .testTarget(name: "LibraryFilesTests", dependencies: ["CZip", "LibraryFiles", "Model", "TestSupport"]),
    .testTarget(
        name: "LibraryTests",
        dependencies: [
            "Contracts", "Identity", "JobStorage", "Library", "LibraryFiles", "Model", "Storage", "TestSupport",
        ]),
    .testTarget(name: "ContractsTests", dependencies: ["Contracts", "Model", "Telemetry", "TestSupport"]),
    .testTarget(name: "ChatCompletionsTests", dependencies: ["ChatCompletions", "Model", "TestSupport", "Upstream"]),
    .testTarget(name: "CurationTests", dependencies: ["Curation", "Identity", "Model", "Storage", "TestSupport"]),
    .testTarget(name: "FaultHistoriesTests", dependencies: ["FaultHistories", "TestProcesses"]),
    .testTarget(
        name: "GatewayTests",
        dependencies: [
            "Accounts", "Bootstrap", "Catalog", "Concerts", "Contracts", "Curation", "Gateway", "Identity",
            "JobStorage", "Jobs", "Library", "LinkedAccounts", "Listening", "Messaging", "Model", "PermitStorage",
            "Pictures", "Platform", "Previews", "Storage", "Telemetry", "TestSupport", "Vault", "Workers", hummingbird,
            logging, nioCore,
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "HummingbirdTesting", package: "hummingbird"),
            .product(name: "NIOEmbedded", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "Yams", package: "Yams"),
        ]),
    .testTarget(name: "GeminiTests", dependencies: ["Gemini", "Model", "TestSupport", "Upstream"]),
    .testTarget(
        name: "GoogleTests",
        dependencies: ["Google", "Model", jwtKit, .product(name: "CryptoExtras", package: "swift-crypto")]),
    .testTarget(
        name: "HostileInputTests", dependencies: ["HostileInputs", "TestSupport"], resources: [.copy("Corpus")]),
    .testTarget(name: "IdentityTests", dependencies: ["Identity", "Model", "TestSupport"]),
    .testTarget(
        name: "IntegrationTests",
        dependencies: [
            "Accounts", "Contracts", "Curation", "FaultHistories", "JobStorage", "LinkedAccounts", "Messaging", "Model",
            "Storage", "TestProcesses", "TestSupport", "Vault", "backline", asyncHTTPClient, nioCore,
            .product(name: "NIOHTTP1", package: "swift-nio"),
        ]),
    .testTarget(name: "JobStorageTests", dependencies: ["JobStorage", "Model", "Storage", "TestSupport"]),
    .testTarget(
        name: "JobsTests",
        dependencies: ["Contracts", "JobStorage", "Jobs", "Model", "Storage", "Telemetry", "TestSupport", logging]),
    .testTarget(name: "ListeningTests", dependencies: ["Listening", "Model", "Storage", "TestSupport"]),
    .testTarget(name: "MessagingTests", dependencies: ["CZeroMQ", "Messaging", "Model", "TestSupport"]),
    .testTarget(name: "ModelTests", dependencies: ["Model", "TestSupport"]),
    .testTarget(name: "PlatformTests", dependencies: ["Platform", "TestSupport"]),
    .testTarget(name: "PicturesTests", dependencies: ["Model", "Pictures", "TestSupport"]),
    .testTarget(
        name: "PreviewsTests",
        dependencies: ["Contracts", "ITunes", "Identity", "Model", "Previews", "Storage", "TestSupport", "Upstream"]),
    .testTarget(name: "SpotifyTests", dependencies: ["Model", "Spotify", "TestSupport", "Upstream"]),
    .testTarget(name: "TelemetryTests", dependencies: ["Telemetry"]),
    .testTarget(name: "StorageTests", dependencies: ["CLinux", "Model", "Storage", "TestSupport", "storage-probe"]),
    .testTarget(name: "TicketmasterTests", dependencies: ["Model", "TestSupport", "Ticketmaster", "Upstream"]),
    .testTarget(
        name: "UpstreamSimulatorTests",
        dependencies: [
            "Model", "Spotify", "TestSupport", "Upstream", "UpstreamSimulator", crypto, jwtKit, nioCore,
            serviceLifecycle,
            .product(name: "NIOPosix", package: "swift-nio"),
        ]),
    .testTarget(
        name: "VaultTests", dependencies: ["Contracts", "Model", "Platform", "Storage", "TestSupport", "Vault"]),
    .testTarget(
        name: "WorkersTests",
        dependencies: [
            "Accounts", "AppleMusic", "Bootstrap", "Catalog", "Concerts", "Contracts", "Gemini", "Google", "JobStorage",
            "Jobs", "Library", "LinkedAccounts", "Model", "PermitStorage", "Pictures", "Previews", "Spotify", "Storage",
            "TestSupport", "Upstream", "UpstreamSimulator", "Vault", "Workers", logging, serviceLifecycle,
        ]),
    .testTarget(
        name: "UpstreamTests",
        dependencies: [
            "Model", "PermitStorage", "Platform", "Storage", "Telemetry", "TestSupport", "Upstream", "permit-probe",
        ]),
]

/// Its main function is libFuzzer's (scripts/fuzz), so nothing else builds it.
let fuzzer: [Target] =
    Context.environment["BACKLINE_FUZZING"] == nil
    ? []
    : [.executableTarget(name: "fuzz-parsers", dependencies: ["HostileInputs"], path: "Tests/HostileInputs/FuzzTarget")]

/// Preloaded by processes that tests start; everything else is found through its target.
var products: [Product] = [.library(name: "disk-fault", type: .dynamic, targets: ["DiskFault"])]
var targets = systemLibraries + libraries + [executable] + simulator + tests + fuzzer

// The executables that scripts/build names, and what they depend on, are then the whole package: `swift build` takes
// one --product at a time, and without one it builds what only tests need, too.
if let names = Context.environment["BACKLINE_BUILD_PRODUCTS"]?.split(separator: " ").map(String.init) {
    products = []
    targets = needed(by: names, among: targets)
}

func needed(by names: [String], among targets: [Target]) -> [Target] {
    let known = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0) })
    if let unknown = names.first(where: { known[$0] == nil }) { fatalError("there is no product \(unknown)") }
    var found: Set<String> = []
    var rest = names
    while let name = rest.popLast() {
        guard let target = known[name], found.insert(name).inserted else { continue }
        for case .byNameItem(let dependency, _) in target.dependencies { rest.append(dependency) }
    }
    return targets.filter { found.contains($0.name) }
}

let package = Package(
    name: "backline",
    platforms: [.macOS(.v15)],
    products: products,
    dependencies: dependencies,
    targets: targets,
    swiftLanguageModes: [.v6]
)
