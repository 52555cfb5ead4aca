import Contracts
import DomainEvents
import JobStorage
import NotificationSources
import Settings
import Storage

/// What a domain declares about its rows and jobs, for the parts of Backline that serve all domains alike.
///
/// Each domain's core declares its own value (`Domain+Listening.swift`), and whoever serves all of them takes a list.
package struct Domain: Sendable {
    /// As the database records it with the domain's migrations.
    package let name: String
    /// In the order of their numbers.
    package let migrations: [Migration]
    /// The tables with rows of people, in the order of the export.
    package let personalTables: [PersonalTable]
    /// Whether a person's rows are erased before those of all other domains, and exported after them: for a domain
    /// whose erasure writes rows of others.
    package let isErasedFirst: Bool
    package let jobKinds: [JobKind]
    /// The rows that the domain writes when its jobs end.
    package let completionHooks: [CompletionHook]
    /// The kinds of notifications of what happens in it.
    package let notifications: [NotificationSource]
    /// Its tables with private texts.
    package let sealedTexts: [SealedTextTable]
    /// What a restore of the database changes in the domain's tables.
    package let restoreMarks: [RestoreMark]
    /// What it removes outside of the database, such as files, when a person has been erased.
    package let erasureHandlers: @Sendable (SettingsSections) -> [PersonErasedHandler]
    /// Its sections of the configuration.
    package let settings: [any SettingsSection.Type]

    package init(
        _ name: String, migrations: [Migration] = [], personalTables: [PersonalTable] = [],
        isErasedFirst: Bool = false, jobKinds: [JobKind] = [], completionHooks: [CompletionHook] = [],
        notifications: [NotificationSource] = [], sealedTexts: [SealedTextTable] = [],
        restoreMarks: [RestoreMark] = [],
        erasureHandlers: @escaping @Sendable (SettingsSections) -> [PersonErasedHandler] = { _ in [] },
        settings: [any SettingsSection.Type] = []
    ) {
        precondition(migrations.allSatisfy { $0.domain == name }, "\(name) has a migration of another domain")
        self.name = name
        self.migrations = migrations
        self.personalTables = personalTables
        self.isErasedFirst = isErasedFirst
        self.jobKinds = jobKinds
        self.completionHooks = completionHooks
        self.notifications = notifications
        self.sealedTexts = sealedTexts
        self.restoreMarks = restoreMarks
        self.erasureHandlers = erasureHandlers
        self.settings = settings
    }
}

extension Schema {
    /// The schema of a program with these domains, whose migrations run in the order of the list.
    package init(of domains: [Domain]) {
        self.init(domains.flatMap(\.migrations))
    }
}

extension PersonalTables {
    /// The tables of these domains that have rows of people.
    package init(of domains: [Domain]) {
        self.init((domains.filter { !$0.isErasedFirst } + domains.filter(\.isErasedFirst)).flatMap(\.personalTables))
    }
}

extension JobKinds {
    /// The kinds of jobs of these domains.
    package init(of domains: [Domain]) {
        self.init(domains.flatMap(\.jobKinds))
    }
}

extension [Domain] {
    package var completionHooks: [CompletionHook] { flatMap(\.completionHooks) }

    package var notifications: [NotificationSource] { flatMap(\.notifications) }

    package var sealedTexts: [SealedTextTable] { flatMap(\.sealedTexts) }

    package var restoreMarks: [RestoreMark] { flatMap(\.restoreMarks) }

    package var settings: [any SettingsSection.Type] { flatMap(\.settings) }

    package func erasureHandlers(_ settings: SettingsSections) -> [PersonErasedHandler] {
        flatMap { $0.erasureHandlers(settings) }
    }
}
