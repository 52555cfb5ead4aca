import Accounts
import AccountsCommands
import AccountsHTTP
import AccountsWorker
import Catalog
import CatalogHTTP
import CatalogWorker
import Concerts
import ConcertsCommands
import ConcertsHTTP
import ConcertsWorker
import Connections
import ConnectionsHTTP
import ConnectionsWorker
import Curation
import CurationCommands
import CurationHTTP
import CurationWorker
import Domains
import Feed
import FeedHTTP
import Gateway
import Library
import LibraryCommands
import LibraryDomain
import LibraryHTTP
import LibraryImports
import LibraryWorker
import Listening
import ListeningHTTP
import ListeningWorker
import Messages
import MessagesHTTP
import Notifications
import NotificationsHTTP
import NotificationsWorker
import People
import PeopleHTTP
import Pictures
import PicturesHTTP
import PicturesWorker
import Previews
import PreviewsHTTP
import PreviewsWorker
import Push
import Releases
import ReleasesHTTP
import ReleasesWorker
import Shares
import SharesHTTP
import SharesWorker
import Timeline
import Vault
import Visibility

extension [DomainParts] {
    /// All domains of Backline, in the order in which their migrations run. A new domain is last.
    static let all: [DomainParts] = [
        DomainParts(.storage, gateway: { [.site, .operations($0.services, messages: $0.settings.messages)] }),
        // Before the accounts, which add people to it.
        DomainParts(.visibility),
        DomainParts(
            .accounts,
            gateway: { parts in
                [
                    .accounts(
                        parts.services, settings: parts[AccountSettings.self], google: parts.settings.google,
                        pictureHelper: PictureHelper(parts[PictureSettings.self]),
                        erasedHandlers: [Domain].all.erasureHandlers(parts.settings.sections),
                        textKeys: parts.textKeys)
                ]
            },
            workers: [.sync: [.accounts]],
            commands: [.use: [OpenCommand.self], .people: [UserCommand.self, TokenCommand.self]],
            problemCodes: ProblemCode.accounts),
        DomainParts(
            .jobs,
            gateway: {
                [.jobs($0.services, retention: $0.settings.jobs.retention, schedules: $0.settings.schedules)]
            }),
        DomainParts(.permits),
        DomainParts(.vault),
        DomainParts(
            .connections,
            gateway: { parts in
                let settings = parts.settings
                return [
                    .setup(
                        parts.services, cityNames: settings.cityNames, spotify: settings.spotify,
                        appleMusic: settings.appleMusic)
                ]
            },
            workers: [
                .sync: [.appleMusicConnections, .spotifyConnections], .concert: [.ticketmasterConnections],
                .ai: [.geminiConnections],
            ],
            subscribers: { _ in .connections }, problemCodes: ProblemCode.connections),
        DomainParts(
            .catalog, gateway: { [.catalog($0.services, $0.catalog, librarySearch: $0.searchLibrary)] },
            workers: [.sync: [.catalog]], subscribers: { _ in .catalog }, problemCodes: ProblemCode.catalog),
        DomainParts(
            .previews, gateway: { [.previews($0.services, hosts: $0.settings.previewHosts)] },
            workers: [.sync: [.previews]]),
        DomainParts(
            .concerts,
            gateway: { parts in
                [
                    .concerts(
                        parts.services, settings: parts[ConcertSettings.self], cityNames: parts.settings.cityNames,
                        retention: parts.settings.jobs.retention,
                        topArtists: { try await parts.catalog.topArtists($0, userID: $1) })
                ]
            },
            workers: [.concert: [.concerts]],
            commands: [.use: [SearchCommand.self, ArtistsCommand.self, CalendarCommand.self]],
            subscribers: {
                .concerts(
                    ConcertWatching(
                        // A file that cannot be read is refused when the process starts.
                        cityNames: (try? $0[ConcertSettings.self].cityNames) ?? .builtIn,
                        homeCity: { try $0.accounts.homeCity(userID: $1) }))
            }, problemCodes: ProblemCode.concerts),
        DomainParts(
            .library,
            gateway: { parts in
                let settings = parts[LibrarySettings.self]
                return [
                    .library(parts.services, settings: settings, edits: parts.edits),
                    .imports(
                        parts.services, settings: parts[ImportSettings.self],
                        historyRetention: settings.historyRetention),
                ]
            },
            workers: [.sync: [.library]], commands: [.use: [LibraryCommand.self, ImportCommand.self]],
            subscribers: { .library(syncInterval: $0[LibrarySettings.self].syncInterval) },
            problemCodes: ProblemCode.library),
        DomainParts(
            .listening, gateway: { [.listening($0.services, settings: $0[ListeningSettings.self])] },
            workers: [.sync: [.listening]],
            subscribers: {
                .listening(
                    spotifyInterval: $0[ListeningSettings.self].spotifyInterval, quota: ListenQuota($0.quotas))
            }),
        DomainParts(
            .curation,
            gateway: { [.curation($0.services, settings: $0[CurationSettings.self], beginEdit: $0.beginEdit)] },
            workers: [.ai: [.curation(SongCatalogs.init(process:))]], commands: [.use: [AICommand.self]],
            subscribers: { _ in .curation }, problemCodes: ProblemCode.curation),
        DomainParts(
            .pictures, gateway: { [.pictures($0.services, settings: $0[PictureSettings.self])] },
            workers: [.sync: [.pictures]], problemCodes: ProblemCode.pictures),
        DomainParts(
            .people,
            gateway: { parts in
                [
                    .people(
                        parts.services, reports: parts.reports,
                        suspend: { _ = try $1.accounts.suspend($0, now: .now()) })
                ]
            },
            subscribers: { _ in .people }, problemCodes: ProblemCode.people),
        DomainParts(.timeline),
        DomainParts(
            .feed, gateway: { [.feed($0.services)] }, subscribers: { _ in .feed }, problemCodes: ProblemCode.feed),
        DomainParts(
            .releases, gateway: { [.releases($0.services, settings: $0[ReleaseSettings.self])] },
            workers: [.sync: [.releases]], subscribers: { .releases(isOn: $0[ReleaseSettings.self].activity != nil) },
            problemCodes: ProblemCode.releases),
        DomainParts(
            .shares,
            gateway: { parts in
                [
                    .shares(
                        parts.services, pictures: PictureFolder(parts[PictureSettings.self]),
                        previewHosts: parts.settings.previewHosts,
                        catalogTrack: { try await parts.catalog.track($0, of: $1, userID: $2) },
                        sentSong: parts.sentSong,
                        market: { try parts.catalog.market(of: $0, userID: $1, in: $2) })
                ]
            },
            workers: [
                .sync: [
                    .shares { process in
                        let libraries = try LibrarySources(process)
                        return { try await libraries.copying($0, userID: $1) }
                    }
                ]
            ],
            subscribers: { _ in .shares }, problemCodes: ProblemCode.shares),
        DomainParts(
            .notifications,
            gateway: { parts in
                [
                    .notifications(
                        parts.services, kinds: .all, accounts: .installation,
                        settings: parts[NotificationSettings.self],
                        push: parts[PushSettings.self], publicURL: parts.settings.publicURL,
                        topicHash: { [database = parts.services.database] topic in
                            // Without a usable file, no topic is recognized.
                            (RecognitionKey.load(besideDatabase: database) ?? RecognitionKey())
                                .hash(of: topic, kind: "ntfy topic")
                        })
                ]
            },
            // The list does not exist yet while it is made.
            workers: [.sync: [.notifications({ .all }, accounts: .installation)]],
            subscribers: { _ in .notifications(.all, accounts: .installation) },
            problemCodes: ProblemCode.notifications),
        DomainParts(
            .messages,
            gateway: { parts in
                let reports = parts.reports
                return [
                    .messages(
                        parts.services, textKeys: parts.textKeys, songs: parts.messageSongs,
                        report: { subjectID, userID, text, message, transaction in
                            try reports.report(subjectID, by: userID, text: text, message: message, in: transaction)
                        })
                ]
            },
            subscribers: { _ in .messages }, problemCodes: ProblemCode.messages),
    ]
}
