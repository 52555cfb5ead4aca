import Contracts
import Domains
import JobStorage
import Storage

extension Domain {
    /// Lists of songs that models make.
    package static let curation = Domain(
        "curation",
        migrations: [.curationBaseline, .curationPartners, .curationRecommendations, .curationDismissals],
        personalTables: .curation,
        jobKinds: [TypedJobKind.curationMake.kind, TypedJobKind.curationRecommend.kind],
        completionHooks: CompletionHook.curation, notifications: .curation, settings: [CurationSettings.self])
}
