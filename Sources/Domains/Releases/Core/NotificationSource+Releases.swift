import DomainEvents
import NotificationSources
import Storage

extension NotificationKind {
    /// An artist whom the person ranks or listens to much has a new release. The item is the number of the release.
    package static let release = NotificationKind(rawValue: "release")
}

extension [NotificationSource] {
    /// What people are notified of about releases.
    package static let releases: Self = [
        NotificationSource(
            .release, label: "New releases", channels: [.page], urgency: .low, pushInterval: .seconds(6 * 3_600)
        ) { group, reader in
            let numbers = group.events.compactMap { Int(decimal: $0.itemID, in: 0...Int.max).map(Int64.init) }
            let known = try reader.releases.published(numbers)
            let releases = numbers.compactMap { known[$0] }
            guard let first = releases.first else { return nil }
            let names = releases.prefix(3).map { "\($0.title) by \($0.artists.joined(separator: ", "))" }
            let more = releases.count - names.count
            return NotificationContent(
                title: releases.count == 1
                    ? "New: \(first.title) by \(first.artists.joined(separator: ", "))"
                    : "\(releases.count) new releases",
                body: releases.count == 1
                    ? "" : names.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : ""),
                path: "/feed")
        }
    ]
}
