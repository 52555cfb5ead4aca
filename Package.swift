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
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let jwtKit: Target.Dependency = .product(name: "JWTKit", package: "jwt-kit")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let serviceLifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

/// C libraries, from Debian's -dev packages, and what Linux has beyond its C library.
let systemLibraries: [Target] = [
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
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
    .target(
        name: "Settings",
        dependencies: [
            "Model", "Platform",
            .product(name: "Configuration", package: "swift-configuration"),
            .product(name: "Yams", package: "Yams"),
        ]),
    .target(
        name: "LibraryFiles", dependencies: ["CXML2", "CZip", "Model", "Platform", crypto],
        path: "Sources/Domains/Library/Files"),
    .target(name: "Push", dependencies: ["Model", "Platform", "Settings", crypto]),
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
    .target(
        name: "Domains",
        dependencies: [
            "Contracts", "DomainEvents", "JobStorage", "NotificationSources", "PermitStorage", "Settings", "Storage",
        ],
        path: "Sources/Domains/Definition"),
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
        name: "PushServices", dependencies: ["Model", "Push", "Upstream"], path: "Sources/Providers/PushServices"),
    .target(
        name: "AppleMusic", dependencies: ["Model", "Platform", "Upstream", jwtKit],
        path: "Sources/Providers/AppleMusic"),
    .target(
        name: "Vault", dependencies: ["Domains", "Model", "Platform", "PrivateFiles", "Settings", "Storage", crypto]),
    .target(name: "Visibility", dependencies: ["DomainEvents", "Domains", "Model", "Storage"]),
    .target(name: "Timeline", dependencies: ["Domains", "Model", "Storage", "Visibility", collections]),
    .target(
        name: "Jobs",
        dependencies: [
            "Contracts", "JobStorage", "Model", "Platform", "Storage", "Telemetry", collections, crypto, logging,
        ]),
    .target(name: "DomainEvents", dependencies: ["Jobs", "Model", "Storage"]),
    .target(name: "NotificationSources", dependencies: ["DomainEvents", "Model", "Storage"]),
    .target(
        name: "Accounts",
        dependencies: [
            "Contracts", "DomainEvents", "Domains", "JobStorage", "Model", "Platform", "PrivateFiles", "Settings",
            "Storage", "Vault", "Visibility", crypto,
        ],
        path: "Sources/Domains/Accounts/Core"),
    .target(
        name: "People",
        dependencies: [
            "DomainEvents", "Domains", "Model", "NotificationSources", "Storage", "Timeline", "Vault", "Visibility",
        ],
        path: "Sources/Domains/People/Core"),
    .target(
        name: "Feed", dependencies: ["DomainEvents", "Domains", "Model", "Storage", "Timeline", "Visibility"],
        path: "Sources/Domains/Feed/Core"),
    .target(
        name: "Notifications",
        dependencies: [
            "Contracts", "DomainEvents", "Domains", "JobStorage", "Model", "NotificationSources", "Push", "Settings",
            "Storage", "Timeline", "Vault", "Visibility",
        ],
        path: "Sources/Domains/Notifications/Core"),
    .target(
        name: "Messages",
        dependencies: [
            "DomainEvents", "Domains", "Model", "NotificationSources", "Platform", "Storage", "Timeline", "Vault",
            "Visibility", crypto,
        ],
        path: "Sources/Domains/Messages/Core"),
    .target(
        name: "Concerts",
        dependencies: [
            "Contracts", "DomainEvents", "Domains", "JobStorage", "Model", "NotificationSources", "Platform",
            "Settings",
            "Storage", "Timeline", "Visibility", crypto,
        ],
        path: "Sources/Domains/Concerts/Core", resources: [.embedInCode("CityNames.txt")]),
    .target(
        name: "Releases",
        dependencies: [
            "Contracts", "DomainEvents", "Domains", "Identity", "JobStorage", "Model", "NotificationSources",
            "Settings", "Storage",
            "Timeline",
        ],
        path: "Sources/Domains/Releases/Core"),
    .target(
        name: "Pictures", dependencies: ["Contracts", "Domains", "Model", "Platform", "Settings", crypto],
        path: "Sources/Domains/Pictures/Core"),
    .target(
        name: "Catalog", dependencies: ["Contracts", "DomainEvents", "Domains", "Model", "Storage"],
        path: "Sources/Domains/Catalog/Core"),
    .target(
        name: "Connections",
        dependencies: [
            "Contracts", "DomainEvents", "Domains", "JobStorage", "Model", "NotificationSources", "Platform", "Storage",
            "Vault",
        ],
        path: "Sources/Domains/Connections/Core"),
    .target(
        name: "Library", dependencies: ["CLinux", "Identity", "LibraryFiles", "Model", "Settings", "Storage"],
        path: "Sources/Domains/Library/Core"),
    .target(
        name: "LibraryWriting", dependencies: ["Identity", "Library", "Model", "Storage"],
        path: "Sources/Domains/Library/Writing"),
    .target(
        name: "LibrarySync",
        dependencies: ["Contracts", "JobStorage", "Library", "LibraryWriting", "Model", "Platform", "Storage"],
        path: "Sources/Domains/Library/Sync"),
    .target(
        name: "LibraryEdits",
        dependencies: [
            "Contracts", "Identity", "JobStorage", "Library", "LibraryWriting", "Model", "Platform", "Storage",
        ],
        path: "Sources/Domains/Library/Edits"),
    .target(
        name: "LibraryImports",
        dependencies: [
            "Contracts", "DomainEvents", "JobStorage", "Library", "LibraryFiles", "LibraryWriting", "Model", "Settings",
            "Storage",
        ],
        path: "Sources/Domains/Library/Imports"),
    .target(
        name: "LibraryDomain",
        dependencies: [
            "Contracts", "DomainEvents", "Domains", "JobStorage", "Jobs", "Library", "LibraryEdits", "LibraryImports",
            "LibrarySync", "LibraryWriting", "Model", "Storage",
        ],
        path: "Sources/Domains/Library/Domain"),
    .target(
        name: "Listening",
        dependencies: [
            "Contracts", "DomainEvents", "Domains", "Identity", "JobStorage", "Model", "Platform", "Settings",
            "Storage", crypto,
        ],
        path: "Sources/Domains/Listening/Core"),
    .target(
        name: "Curation",
        dependencies: [
            "Contracts", "DomainEvents", "Domains", "Identity", "JobStorage", "Model", "NotificationSources",
            "Platform",
            "Settings", "Storage", "Timeline", "Visibility", crypto,
        ],
        path: "Sources/Domains/Curation/Core"),
    .target(
        name: "Shares",
        dependencies: [
            "Contracts", "DomainEvents", "Domains", "Identity", "Model", "NotificationSources", "Platform", "Storage",
            "Timeline", "Visibility", crypto,
        ],
        path: "Sources/Domains/Shares/Core"),
    .target(
        name: "Previews",
        dependencies: ["Contracts", "Domains", "Identity", "Model", "Platform", "Settings", "Storage", crypto],
        path: "Sources/Domains/Previews/Core"),
    .target(
        name: "Bootstrap",
        dependencies: [
            "CLinux", "Contracts", "Domains", "JobStorage", "Jobs", "Messaging", "Model", "Platform", "Settings",
            "Storage", "Telemetry", "Vault", logging, serviceLifecycle,
            .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        ]),
    .target(
        name: "Workers",
        dependencies: [
            "AppleMusic", "Bootstrap", "ChatCompletions", "Connections", "Contracts", "Curation", "Domains", "Gemini",
            "Google", "ITunes", "Jobs", "Messaging", "Model", "Pictures", "Platform", "Push", "PushServices",
            "Settings",
            "Spotify", "Storage", "Telemetry", "Ticketmaster", "Upstream", "Vault", logging, serviceLifecycle,
        ]),
    .target(
        name: "AccountsWorker", dependencies: ["Accounts", "Contracts", "Google", "Jobs", "Model", "Workers"],
        path: "Sources/Domains/Accounts/Worker"),
    .target(
        name: "CatalogWorker",
        dependencies: [
            "AppleMusic", "Catalog", "Connections", "Contracts", "Jobs", "Model", "Spotify", "Storage", "Workers",
        ], path: "Sources/Domains/Catalog/Worker"),
    .target(
        name: "ConcertsWorker",
        dependencies: [
            "Bootstrap", "Concerts", "Connections", "Contracts", "Jobs", "Model", "PermitStorage", "Storage",
            "Telemetry", "Ticketmaster", "Upstream", "Vault", "Workers", logging,
        ], path: "Sources/Domains/Concerts/Worker"),
    .target(
        name: "ConnectionsWorker",
        dependencies: [
            "Accounts", "AppleMusic", "Connections", "Contracts", "DomainEvents", "Jobs", "Model", "Spotify", "Storage",
            "Workers",
        ], path: "Sources/Domains/Connections/Worker"),
    .target(
        name: "CurationWorker",
        dependencies: [
            "Accounts", "Bootstrap", "ChatCompletions", "Connections", "Contracts", "Curation", "Gemini", "Identity",
            "JobStorage", "Jobs", "Library", "Listening", "Model", "Storage", "Telemetry", "Upstream", "Workers",
            logging,
        ], path: "Sources/Domains/Curation/Worker"),
    .target(
        name: "LibraryWorker",
        dependencies: [
            "AppleMusic", "Connections", "Contracts", "Identity", "Jobs", "Library", "LibraryEdits", "LibraryImports",
            "LibrarySync", "LibraryWriting", "Model", "Platform", "Spotify", "Storage", "Upstream", "Workers", logging,
        ], path: "Sources/Domains/Library/Worker"),
    .target(
        name: "ListeningWorker",
        dependencies: ["Contracts", "Jobs", "Listening", "Model", "Spotify", "Storage", "Upstream", "Workers"],
        path: "Sources/Domains/Listening/Worker"),
    .target(
        name: "PicturesWorker", dependencies: ["Contracts", "Jobs", "Pictures", "Storage", "Workers"],
        path: "Sources/Domains/Pictures/Worker"),
    .target(
        name: "PreviewsWorker",
        dependencies: ["Contracts", "ITunes", "Identity", "Jobs", "Model", "Previews", "Storage", "Workers"],
        path: "Sources/Domains/Previews/Worker"),
    .target(
        name: "ReleasesWorker",
        dependencies: [
            "Accounts", "AppleMusic", "Concerts", "Contracts", "Jobs", "Model", "People", "Releases", "Spotify",
            "Storage", "Upstream", "Visibility", "Workers",
        ], path: "Sources/Domains/Releases/Worker"),
    .target(
        name: "NotificationsWorker",
        dependencies: [
            "Bootstrap", "Contracts", "JobStorage", "Jobs", "Model", "NotificationSources", "Notifications", "Push",
            "PushServices", "Storage", "Telemetry", "Upstream", "Vault", "Visibility", "Workers", logging,
        ],
        path: "Sources/Domains/Notifications/Worker"),
    .target(
        name: "SharesWorker",
        dependencies: [
            "Contracts", "Identity", "Jobs", "Library", "LibraryEdits", "Model", "Shares", "Storage", "Workers",
        ], path: "Sources/Domains/Shares/Worker"),
    .target(
        name: "Gateway",
        dependencies: [
            "Accounts", "CZlib", "Contracts", "JobStorage", "Jobs", "Messaging", "Model", "PermitStorage", "Platform",
            "PrivateFiles", "Storage", "Telemetry", "Timeline", "Vault", "Visibility", crypto, httpTypes, hummingbird,
            logging, nioCore, serviceLifecycle,
            .product(name: "HummingbirdCore", package: "hummingbird"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
            .product(name: "NIOPosix", package: "swift-nio"),
        ], exclude: ["openapi"]),
    .target(
        name: "AccountsHTTP",
        dependencies: [
            "Accounts", "Concerts", "Connections", "Contracts", "DomainEvents", "Gateway", "JobStorage", "Jobs",
            "Listening", "Messages", "Model", "People", "PermitStorage", "Pictures", "Platform", "Storage", "Telemetry",
            "Vault", "Visibility", httpTypes, hummingbird, nioCore,
        ],
        path: "Sources/Domains/Accounts/HTTP"),
    .target(
        name: "CatalogHTTP",
        dependencies: [
            "Catalog", "Concerts", "Connections", "Contracts", "Gateway", "Jobs", "Library", "Model", "Storage",
            hummingbird,
        ],
        path: "Sources/Domains/Catalog/HTTP"),
    .target(
        name: "ConcertsHTTP",
        dependencies: [
            "Accounts", "Concerts", "Contracts", "Gateway", "Jobs", "Model", "Platform", "Storage", "Visibility",
            httpTypes, hummingbird,
        ],
        path: "Sources/Domains/Concerts/HTTP"),
    .target(
        name: "ConnectionsHTTP",
        dependencies: [
            "Accounts", "Concerts", "Connections", "Contracts", "Gateway", "JobStorage", "Jobs", "Model", "Storage",
            "Vault", httpTypes, hummingbird,
        ],
        path: "Sources/Domains/Connections/HTTP"),
    .target(
        name: "CurationHTTP",
        dependencies: [
            "Accounts", "Connections", "Contracts", "Curation", "Gateway", "Identity", "Jobs", "Library", "Model",
            "Storage", "Timeline", "Visibility", httpTypes, hummingbird,
        ],
        path: "Sources/Domains/Curation/HTTP"),
    .target(
        name: "FeedHTTP",
        dependencies: [
            "DomainEvents", "Feed", "Gateway", "Jobs", "Model", "People", "Storage", "Timeline", "Visibility",
            httpTypes, hummingbird, logging,
        ],
        path: "Sources/Domains/Feed/HTTP"),
    .target(
        name: "LibraryHTTP",
        dependencies: [
            "Connections", "Contracts", "DomainEvents", "Gateway", "Jobs", "Library", "LibraryEdits", "LibraryFiles",
            "LibraryImports", "LibrarySync", "LibraryWriting", "Model", "Platform", "Storage", httpTypes, hummingbird,
            logging, nioCore,
        ],
        path: "Sources/Domains/Library/HTTP"),
    .target(
        name: "ListeningHTTP",
        dependencies: [
            "Accounts", "Connections", "Contracts", "Gateway", "Jobs", "Library", "LibraryFiles", "Listening", "Model",
            "Storage", "Telemetry", "Visibility", httpTypes, hummingbird,
        ],
        path: "Sources/Domains/Listening/HTTP"),
    .target(
        name: "PeopleHTTP",
        dependencies: [
            "Accounts", "Concerts", "DomainEvents", "Gateway", "Listening", "Model", "People", "Storage", "Timeline",
            "Vault", "Visibility", httpTypes, hummingbird, logging,
        ],
        path: "Sources/Domains/People/HTTP"),
    .target(
        name: "PicturesHTTP",
        dependencies: ["Contracts", "Gateway", "Jobs", "Model", "Pictures", httpTypes, hummingbird, logging],
        path: "Sources/Domains/Pictures/HTTP"),
    .target(
        name: "PreviewsHTTP",
        dependencies: [
            "Contracts", "Gateway", "Jobs", "Library", "Model", "Previews", "Storage", httpTypes, hummingbird,
        ],
        path: "Sources/Domains/Previews/HTTP"),
    .target(
        name: "ReleasesHTTP",
        dependencies: [
            "Accounts", "Contracts", "Gateway", "Jobs", "Model", "Releases", "Storage", "Timeline", "Visibility",
            httpTypes,
        ],
        path: "Sources/Domains/Releases/HTTP"),
    .target(
        name: "NotificationsHTTP",
        dependencies: [
            "Accounts", "DomainEvents", "Gateway", "Jobs", "Model", "NotificationSources", "Notifications", "Push",
            "Storage", "Telemetry", "Vault", "Visibility", httpTypes, hummingbird, logging,
        ],
        path: "Sources/Domains/Notifications/HTTP"),
    .target(
        name: "MessagesHTTP",
        dependencies: [
            "Accounts", "Gateway", "Messages", "Model", "People", "Shares", "Storage", "Timeline", "Vault",
            "Visibility", httpTypes, hummingbird, logging,
        ],
        path: "Sources/Domains/Messages/HTTP"),
    .target(
        name: "SharesHTTP",
        dependencies: [
            "Accounts", "Catalog", "Contracts", "Curation", "Gateway", "JobStorage", "Jobs", "Library", "Listening",
            "Model", "People", "Pictures", "Platform", "Shares", "Storage", "Timeline", "Visibility", httpTypes,
            hummingbird, nioCore,
        ],
        path: "Sources/Domains/Shares/HTTP"),
    .target(
        name: "CommandSupport",
        dependencies: [
            "Bootstrap", "Domains", "JobStorage", "Messaging", "Model", "Platform", "Settings", "Storage", "Upstream",
            "Vault", argumentParser,
        ]),
    .target(
        name: "AccountsCommands",
        dependencies: ["Accounts", "Bootstrap", "CommandSupport", "Domains", "Model", "Storage", argumentParser],
        path: "Sources/Domains/Accounts/Commands"),
    .target(
        name: "ConcertsCommands", dependencies: ["CommandSupport", "Model", "Platform", argumentParser],
        path: "Sources/Domains/Concerts/Commands"),
    .target(
        name: "CurationCommands", dependencies: ["CommandSupport", "Model", argumentParser],
        path: "Sources/Domains/Curation/Commands"),
    .target(
        name: "LibraryCommands", dependencies: ["CommandSupport", "Model", "Platform", "Upstream", argumentParser],
        path: "Sources/Domains/Library/Commands"),
    .target(
        name: "Commands",
        dependencies: [
            "Accounts", "Bootstrap", "CommandSupport", "Composition", "Contracts", "Domains", "Identity", "JobStorage",
            "Messaging", "Model", "Notifications", "PermitStorage", "Platform", "Push", "Settings", "Storage",
            "Upstream",
            "Vault", argumentParser,
        ]),
    .target(
        name: "Composition",
        dependencies: [
            "Accounts", "AccountsCommands", "AccountsHTTP", "AccountsWorker", "Bootstrap", "Catalog", "CatalogHTTP",
            "CatalogWorker", "Concerts", "ConcertsCommands", "ConcertsHTTP", "ConcertsWorker", "Connections",
            "ConnectionsHTTP", "ConnectionsWorker", "Contracts", "Curation", "CurationCommands", "CurationHTTP",
            "CurationWorker", "Domains", "Feed", "FeedHTTP", "Gateway", "Jobs", "Library", "LibraryCommands",
            "LibraryDomain", "LibraryEdits", "LibraryHTTP", "LibraryImports", "LibraryWorker", "Listening",
            "ListeningHTTP", "ListeningWorker", "Messages", "MessagesHTTP", "Messaging", "Model", "NotificationSources",
            "Notifications", "NotificationsHTTP", "NotificationsWorker", "People", "PeopleHTTP", "Pictures",
            "PicturesHTTP", "PicturesWorker", "Previews", "PreviewsHTTP", "PreviewsWorker", "Push", "Releases",
            "ReleasesHTTP", "ReleasesWorker", "Settings", "Shares", "SharesHTTP", "SharesWorker", "Storage", "Timeline",
            "Vault", "Visibility", "Workers", argumentParser,
        ]),
]

/// All of Backline's programs (Services/Program.swift).
let executable: Target = .executableTarget(
    name: "backline",
    dependencies: [
        "Bootstrap", "CommandSupport", "Commands", "Composition", "Contracts", "Domains", "Gateway", "Jobs",
        "Messaging", "Pictures", "Previews", "Storage", "Telemetry", "Vault", "Workers", logging,
    ],
    path: "Services", exclude: ["Dockerfile"], resources: [.copy("api-gateway/Web")])

/// Reads the pictures that people upload, in a process of its own that can do nothing else (docs/pictures.md). It is
/// in C and linked without Swift's runtime, whose threads and allocator need more system calls than its filter allows.
let pictureHelper: [Target] = [
    .target(name: "PictureSandbox", cSettings: hardened),
    .executableTarget(
        name: "picture-helper", dependencies: ["CPNG", "CTurboJPEG", "CWebP", "PictureSandbox"],
        path: "Sources/PictureHelper", cSettings: hardened,
        linkerSettings: [.unsafeFlags(["-nostartfiles", "-Xlinker", "-z", "-Xlinker", "now"])]),
]

/// Optimized in debug builds as well, which FORTIFY needs, and which keeps the tests fast.
var hardened: [CSetting] {
    [.define("_FORTIFY_SOURCE", to: "2"), .unsafeFlags(["-O2", "-fstack-protector-strong", "-Wall", "-Wextra"])]
}

/// Simulates the services that Backline calls, for demonstrations, tests and benchmarks. No installation contains it.
let simulator: [Target] = [
    .target(
        name: "UpstreamSimulator",
        dependencies: [
            "Model", "Platform", crypto, httpTypes, hummingbird, logging, nioCore, serviceLifecycle,
            .product(name: "CryptoExtras", package: "swift-crypto"),
            .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
            .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        ],
        path: "Simulator/UpstreamSimulator"),
    .executableTarget(
        name: "upstream-sim", dependencies: ["UpstreamSimulator", argumentParser], path: "Simulator/UpstreamSim"),
]

/// The domain that docs/adding-a-domain.md describes. Only tests contain it.
let exampleDomain: [Target] = [
    .target(
        name: "Notes", dependencies: ["Contracts", "DomainEvents", "Domains", "Model", "Settings", "Storage"],
        path: "Tests/ExampleDomain/Core"),
    .target(
        name: "NotesHTTP", dependencies: ["Gateway", "Model", "Notes", "Storage", httpTypes, hummingbird],
        path: "Tests/ExampleDomain/HTTP"),
    .target(
        name: "NotesWorker", dependencies: ["Contracts", "Jobs", "Notes", "Storage", "Workers"],
        path: "Tests/ExampleDomain/Worker"),
    .target(
        name: "NotesCommands", dependencies: ["CommandSupport", argumentParser],
        path: "Tests/ExampleDomain/Commands"),
]

let tests: [Target] = [
    .executableTarget(
        name: "bare-pipeline", dependencies: ["CSQLite", "Contracts", "Messaging", "Model"],
        path: "Benchmarks/BarePipeline"),
    .target(name: "DiskFault", path: "Tests/DiskFault"),
    .executableTarget(name: "sandbox-probe", dependencies: ["PictureSandbox"], path: "Tests/SandboxProbe"),
    .target(
        name: "FaultHistories",
        dependencies: [
            "Accounts", "Model", "Storage", "TestProcesses", "TestSupport",
            .product(name: "NIOHTTP1", package: "swift-nio"),
        ],
        path: "Tests/FaultHistories/Harness"),
    .executableTarget(
        name: "fault-histories", dependencies: ["FaultHistories", argumentParser],
        path: "Tests/FaultHistories/Command"),
    .target(
        name: "HostileInputs",
        dependencies: [
            "Accounts", "AccountsHTTP", "AppleMusic", "ChatCompletions", "Composition", "Concerts", "ConcertsHTTP",
            "Contracts", "Curation", "CurationHTTP", "Domains", "FeedHTTP", "Gateway", "Gemini", "Google", "ITunes",
            "Library", "LibraryEdits", "LibraryFiles", "LibraryHTTP", "LibrarySync", "ListeningHTTP", "MessagesHTTP",
            "Model", "Pictures", "Platform", "Push", "Shares", "SharesHTTP", "Spotify", "Storage", "Telemetry",
            "TestSupport", "Ticketmaster", "Timeline", "Upstream", httpTypes, hummingbird, nioCore,
        ],
        path: "Tests/HostileInputs/Inputs"),
    .target(
        name: "TestProcesses",
        dependencies: [
            "Composition", "Domains", "Model", "Storage", "TestSupport", asyncHTTPClient, nioCore,
            .product(name: "NIOHTTP1", package: "swift-nio"),
        ],
        path: "Tests/TestProcesses"),
    .target(
        name: "TestSupport",
        dependencies: ["CSQLite", "CZeroMQ", "Domains", "Model", "Storage", "Upstream", logging, serviceLifecycle],
        path: "Tests/TestSupport", resources: [.copy("Releases/0.2.0.sql")]),
    .executableTarget(
        name: "permit-probe", dependencies: ["Domains", "Model", "Storage", "Upstream"], path: "Tests/PermitProbe"),
    .executableTarget(name: "push-probe", dependencies: ["Model", "Push"], path: "Tests/PushProbe"),
    .executableTarget(
        name: "secret-opening", dependencies: ["Contracts", "Model", "Push", "Vault"],
        path: "Benchmarks/SecretOpening"),
    .executableTarget(
        name: "storage-probe", dependencies: ["Composition", "Domains", "Storage"], path: "Tests/StorageProbe"),
    .testTarget(
        name: "AccountsTests",
        dependencies: [
            "Accounts", "Bootstrap", "Composition", "Concerts", "Contracts", "Domains", "JobStorage", "Model",
            "Storage", "TestSupport", "Vault", "Visibility", "backline",
        ]),
    .testTarget(name: "AppleMusicTests", dependencies: ["AppleMusic", "Model", "TestSupport", "Upstream", jwtKit]),
    .testTarget(
        name: "BootstrapTests",
        dependencies: [
            "Bootstrap", "Composition", "Concerts", "Curation", "Domains", "JobStorage", "LibraryImports", "Listening",
            "Messaging", "Model", "Notes", "PermitStorage", "Pictures", "Platform", "Releases", "Settings",
            "Storage", "TestSupport", "Vault", logging, serviceLifecycle,
        ]),
    .testTarget(
        name: "CommandsTests",
        dependencies: [
            "Accounts", "AccountsCommands", "Bootstrap", "CommandSupport", "Commands", "Composition",
            "ConcertsCommands", "Contracts", "Domains", "JobStorage", "LibraryCommands", "Model", "PermitStorage",
            "Platform", "Storage", "TestSupport", "Vault", "backline", argumentParser,
        ]),
    .testTarget(
        name: "ConcertsTests",
        dependencies: [
            "Accounts", "Concerts", "Contracts", "DomainEvents", "Domains", "JobStorage", "Jobs", "Model",
            "NotificationSources", "Storage", "TestSupport", "Timeline", "Visibility",
        ]),
    .testTarget(
        name: "ConnectionsTests",
        dependencies: [
            "Accounts", "Connections", "Contracts", "Domains", "Model", "Platform", "Storage", "TestSupport", "Vault",
            "Visibility",
        ]),
    .testTarget(name: "LibraryFilesTests", dependencies: ["CZip", "LibraryFiles", "Model", "TestSupport"]),
    .testTarget(
        name: "LibraryTests",
        dependencies: [
            "Accounts", "Contracts", "DomainEvents", "Domains", "Identity", "JobStorage", "Library", "LibraryDomain",
            "LibraryEdits", "LibraryFiles", "LibraryImports", "LibrarySync", "LibraryWriting", "Model", "Storage",
            "TestSupport", "Visibility",
        ]),
    .testTarget(
        name: "ContractsTests",
        dependencies: [
            "Composition", "Concerts", "Connections", "Contracts", "Domains", "Model", "Telemetry", "TestSupport",
        ]),
    .testTarget(name: "ChatCompletionsTests", dependencies: ["ChatCompletions", "Model", "TestSupport", "Upstream"]),
    .testTarget(
        name: "CurationTests",
        dependencies: [
            "Accounts", "Curation", "Domains", "Identity", "Model", "Storage", "TestSupport", "Timeline", "Visibility",
        ]),
    .testTarget(
        name: "ExampleDomainTests",
        dependencies: [
            "Accounts", "Bootstrap", "Composition", "Contracts", "DomainEvents", "Domains", "Gateway", "Jobs",
            "Messaging", "Model", "Notes", "NotesCommands", "NotesHTTP", "NotesWorker", "Storage", "Telemetry",
            "TestSupport", "Vault", "Visibility", argumentParser, httpTypes, hummingbird, logging,
            .product(name: "HummingbirdTesting", package: "hummingbird"),
        ]),
    .testTarget(
        name: "FeedTests",
        dependencies: [
            "Accounts", "DomainEvents", "Domains", "Feed", "FeedHTTP", "Gateway", "Model", "People", "Storage",
            "Jobs", "TestSupport", "Timeline", "Visibility",
        ]),
    .testTarget(name: "FaultHistoriesTests", dependencies: ["FaultHistories", "TestProcesses", "TestSupport"]),
    .testTarget(
        name: "GatewayTests",
        dependencies: [
            "Accounts", "AccountsHTTP", "Bootstrap", "Catalog", "CatalogHTTP", "CatalogWorker", "Composition",
            "Concerts", "ConcertsHTTP", "Connections", "ConnectionsHTTP", "ConnectionsWorker", "Contracts", "Curation",
            "DomainEvents", "Domains", "Gateway", "Identity", "JobStorage", "Jobs", "Library", "LibraryHTTP",
            "LibraryImports", "LibrarySync", "LibraryWriting", "Listening", "ListeningHTTP", "Messaging", "Model",
            "People", "PeopleHTTP", "PermitStorage", "Pictures", "PicturesHTTP", "Platform", "Previews", "Settings",
            "Shares", "SharesHTTP", "Storage", "Telemetry", "TestSupport", "Timeline", "Vault", "Visibility", "Workers",
            "picture-helper", "sandbox-probe", httpTypes, hummingbird, logging, nioCore,
            .product(name: "HummingbirdTesting", package: "hummingbird"),
            .product(name: "NIOEmbedded", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "Yams", package: "Yams"),
        ]),
    .testTarget(name: "GeminiTests", dependencies: ["Gemini", "Model", "TestSupport", "Upstream"]),
    .testTarget(
        name: "GoogleTests",
        dependencies: [
            "Google", "Model", jwtKit,
            .product(name: "CryptoExtras", package: "swift-crypto"),
        ]),
    .testTarget(
        name: "HostileInputTests", dependencies: ["HostileInputs", "TestSupport"], resources: [.copy("Corpus")]),
    .testTarget(name: "IdentityTests", dependencies: ["Identity", "Model", "TestSupport"]),
    .testTarget(
        name: "IntegrationTests",
        dependencies: [
            "Accounts", "Composition", "Connections", "Contracts", "Curation", "Domains", "FaultHistories",
            "JobStorage", "Messaging", "Model", "Releases", "Storage", "TestProcesses", "TestSupport", "Vault",
            "backline", "picture-helper", asyncHTTPClient, nioCore,
            .product(name: "NIOHTTP1", package: "swift-nio"),
        ]),
    .testTarget(
        name: "JobStorageTests",
        dependencies: ["Accounts", "Domains", "JobStorage", "Model", "Storage", "TestSupport", "Visibility"]),
    .testTarget(
        name: "JobsTests",
        dependencies: [
            "Accounts", "Concerts", "Connections", "Contracts", "Domains", "JobStorage", "Jobs", "LibrarySync",
            "Model", "Storage", "Telemetry", "TestSupport", "Visibility", logging,
        ]),
    .testTarget(
        name: "ListeningTests",
        dependencies: ["Accounts", "Domains", "Listening", "Model", "Storage", "TestSupport", "Visibility"]),
    .testTarget(
        name: "MessagesTests",
        dependencies: [
            "Accounts", "DomainEvents", "Domains", "Messages", "Model", "NotificationSources", "Platform", "Storage",
            "TestSupport", "Timeline", "Vault", "Visibility",
        ]),
    .testTarget(name: "MessagingTests", dependencies: ["CZeroMQ", "Messaging", "Model", "TestSupport"]),
    .testTarget(name: "ModelTests", dependencies: ["Model", "TestSupport"]),
    .testTarget(
        name: "NotificationsTests",
        dependencies: [
            "Accounts", "DomainEvents", "Domains", "Model", "NotificationSources", "Notifications",
            "NotificationsWorker",
            "PermitStorage", "Platform", "Push", "PushServices", "Storage", "Telemetry", "TestSupport", "Timeline",
            "Upstream", "UpstreamSimulator", "Vault", "Visibility", logging,
        ],
        exclude: ["quiet_hours.py"]),
    .testTarget(name: "PlatformTests", dependencies: ["Platform", "TestSupport"]),
    .testTarget(
        name: "PeopleTests",
        dependencies: ["Accounts", "Domains", "Model", "People", "Storage", "TestSupport", "Vault", "Visibility"]),
    .testTarget(
        name: "PicturesTests",
        dependencies: ["Model", "Pictures", "Platform", "TestSupport", "picture-helper", "sandbox-probe"],
        resources: [.copy("Samples")]),
    .testTarget(
        name: "PreviewsTests",
        dependencies: [
            "Accounts", "Contracts", "Domains", "ITunes", "Identity", "Model", "Previews", "Storage", "TestSupport",
            "Upstream", "Visibility",
        ]),
    .testTarget(name: "PushTests", dependencies: ["Model", "Platform", "Push", "Settings", "TestSupport", crypto]),
    .testTarget(
        name: "PushServicesTests",
        dependencies: [
            "Domains", "Model", "Platform", "Push", "PushServices", "Storage", "TestSupport", "Upstream",
            "UpstreamSimulator", crypto,
        ]),
    .testTarget(
        name: "ReleasesTests",
        dependencies: [
            "Accounts", "Contracts", "DomainEvents", "Domains", "Gateway", "JobStorage", "Jobs", "Model", "Releases",
            "ReleasesHTTP", "Storage", "TestSupport", "Timeline", "Visibility",
        ]),
    .testTarget(
        name: "SharesTests",
        dependencies: [
            "Accounts", "Domains", "Model", "Shares", "Storage", "TestSupport", "Timeline", "Visibility",
        ]),
    .testTarget(name: "SpotifyTests", dependencies: ["Model", "Spotify", "TestSupport", "Upstream"]),
    .testTarget(name: "TelemetryTests", dependencies: ["Telemetry", "TestSupport"]),
    .testTarget(
        name: "StorageTests",
        dependencies: ["CLinux", "Composition", "Domains", "Model", "Storage", "TestSupport", "storage-probe"]),
    .testTarget(name: "TicketmasterTests", dependencies: ["Model", "TestSupport", "Ticketmaster", "Upstream"]),
    .testTarget(
        name: "UpstreamSimulatorTests",
        dependencies: [
            "Model", "Spotify", "TestSupport", "Upstream", "UpstreamSimulator", crypto, jwtKit, nioCore,
            serviceLifecycle,
            .product(name: "NIOPosix", package: "swift-nio"),
        ]),
    .testTarget(
        name: "VaultTests",
        dependencies: [
            "Accounts", "Contracts", "Domains", "Model", "Platform", "Storage", "TestSupport", "Vault", "Visibility",
            crypto,
        ]),
    .testTarget(
        name: "VisibilityTests",
        dependencies: ["Accounts", "DomainEvents", "Domains", "Model", "Storage", "TestSupport", "Visibility"]),
    .testTarget(
        name: "WorkersTests",
        dependencies: [
            "Accounts", "AccountsWorker", "AppleMusic", "Bootstrap", "Catalog", "CatalogWorker", "Composition",
            "Concerts", "ConcertsWorker", "Connections", "ConnectionsWorker", "Contracts", "CurationWorker", "Domains",
            "Gemini", "Google", "JobStorage", "Jobs", "LibraryImports", "LibraryWorker", "LibraryWriting", "Model",
            "People", "PermitStorage", "Pictures", "PicturesWorker", "Previews", "PreviewsWorker", "Releases",
            "ReleasesWorker", "Spotify", "Storage", "TestSupport", "Timeline", "Upstream", "UpstreamSimulator", "Vault",
            "Visibility", "Workers", logging, serviceLifecycle,
        ]),
    .testTarget(
        name: "UpstreamTests",
        dependencies: [
            "Domains", "Model", "PermitStorage", "Platform", "Storage", "Telemetry", "TestSupport", "Upstream",
            "permit-probe",
        ]),
]

/// Its main function is libFuzzer's (scripts/fuzz), so nothing else builds it.
let fuzzer: [Target] =
    Context.environment["BACKLINE_FUZZING"] == nil
    ? []
    : [
        .executableTarget(
            name: "fuzz-parsers", dependencies: ["HostileInputs", "TestSupport"],
            path: "Tests/HostileInputs/FuzzTarget")
    ]

/// Preloaded by processes that tests start; everything else is found through its target.
var products: [Product] = [.library(name: "disk-fault", type: .dynamic, targets: ["DiskFault"])]
var targets = systemLibraries + libraries + [executable] + pictureHelper + simulator + exampleDomain + tests + fuzzer

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
