import Foundation
import Storage
import TestProcesses
import TestSupport

/// Compares what people and their devices see with the model.
extension PeopleHistoryRun {
    /// - Parameter isLast: also wakes every offline device, and looks at everything with a new one.
    func check(isLast: Bool) async throws {
        try await settle()
        for read in reads { await read.value }
        reads = []
        let installation = installation
        try await eventually("the end of erasures", within: Self.limit) { @Sendable in
            try await installation.withDatabase { database in
                try await database.read { try $0.row("SELECT 1 FROM erasures") == nil }
            }
        }
        try await tendDevices()
        record.checks += 1
        for person in people.indices where model.isActive(person) {
            try await compareLists(of: person)
            try await compareProfiles(seenBy: person)
            try await compareOpenDevice(of: person)
            if isLast || person % 2 == record.checks % 2 { try await compareOfflineDevice(of: person) }
            if isLast { try await compareNewDevice(of: person) }
        }
        for person in people.indices where !model.isActive(person) { try await compareSignedOut(person) }
    }

    private func note(_ rule: Violation.Rule, _ person: Int, _ what: String) {
        noteViolation(rule, "\(what) (after comparison \(record.checks) began, person \(person))")
    }

    private func number(ofUser id: String) -> Int? { userIDs.firstIndex(of: id) }

    // MARK: The API

    private func compareLists(of own: Int) async throws {
        let lists: [(path: String, expected: Set<Int>)] = [
            ("/v1/me/following", model.following(own)), ("/v1/me/followers", model.followers(own)),
            ("/v1/me/follow-requests", model.askers(own)), ("/v1/me/blocked", model.blocked(own)),
        ]
        for (path, expected) in lists {
            let cards = try await Self.pages(path, people[own]).flatMap(\.items)
            let found = cards.compactMap { number(ofUser: $0.id) }
            if found.count != cards.count || Set(found) != expected || found.count != expected.count {
                note(.peopleLists, own, "\(path) has \(found.sorted()), expected were \(expected.sorted())")
            }
            for (other, card) in zip(found, cards) {
                for difference in differences(card, own, other) {
                    note(.peopleLists, own, "\(path) shows \(other) with \(difference)")
                }
            }
        }
    }

    /// In what a card differs from the model.
    private func differences(_ card: PersonDevice.Card, _ own: Int, _ other: Int) -> [String] {
        let person = model.people[other]
        var differences: [String] = []
        if card.username != person.username { differences.append("the username \(card.username)") }
        if card.displayName != person.displayName { differences.append("the name \(card.displayName ?? "none")") }
        return differences + standingDifferences(card, own, other)
    }

    private func standingDifferences(_ card: PersonDevice.Card, _ own: Int, _ other: Int) -> [String] {
        var differences: [String] = []
        if card.follow != model.followState(own, other) { differences.append("the follow state \(card.follow)") }
        if card.followsMe != model.follow(other, own) { differences.append("followsMe \(card.followsMe)") }
        return differences
    }

    private struct Profile: Decodable {
        struct Counts: Decodable {
            var followers: Int
            var following: Int
        }

        var id: String
        var username: String
        var displayName: String?
        var follow: String
        var followsMe: Bool
        var profileVisibility: String
        var counts: Counts?
    }

    private func compareProfiles(seenBy own: Int) async throws {
        for other in people.indices {
            let person = model.people[other]
            let response = try await people[own].get("/v1/users/\(person.username)")
            let isVisible = own == other || model.sees(own, other)
            guard response.status == (isVisible ? 200 : 404) else {
                note(.peopleLists, own, "the profile of \(other) is answered with \(response.status)")
                continue
            }
            if let former = person.formerUsername {
                let status = try await people[own].get("/v1/users/\(former)").status
                if status != 404 { note(.peopleLists, own, "the former name of \(other) is answered with \(status)") }
            }
            guard isVisible else { continue }
            let profile = try response.decode(Profile.self)
            let card = PersonDevice.Card(
                id: profile.id, username: profile.username, displayName: profile.displayName, follow: profile.follow,
                followsMe: profile.followsMe)
            var differences = own == other ? [] : self.differences(card, own, other)
            if profile.id != userIDs[other] { differences.append("the id \(profile.id)") }
            if profile.profileVisibility != person.audience.rawValue {
                differences.append("the visibility \(profile.profileVisibility)")
            }
            if own == other, let counts = profile.counts {
                let (followers, following) = (
                    model.follows.count { $0.to == own && model.isActive($0.from) },
                    model.follows.count { $0.from == own && model.isActive($0.to) }
                )
                if counts.followers != followers || counts.following != following {
                    differences.append("\(counts), expected were \(followers) and \(following)")
                }
            }
            for difference in differences { note(.peopleLists, own, "the profile of \(other) has \(difference)") }
        }
    }

    /// Who is suspended or erased has no open stream, and their token no longer works.
    private func compareSignedOut(_ person: Int) async throws {
        if let stream = online[person].stream,
            (try? await eventually("the end of a stream", within: .seconds(30)) { @Sendable in stream.hasEnded }) == nil
        {
            note(.devices, person, "the event stream of \(person), who is signed out, is still open")
        }
        guard refusedTokens < 8 else { return }
        refusedTokens += 1
        let status = try await people[person].get("/v1/me/following").status
        if status != 401 { note(.devices, person, "\(person), who is signed out, is answered with \(status)") }
    }

    // MARK: Devices

    /// Waits until the device with the stream knows everything.
    private func compareOpenDevice(of person: Int) async throws {
        do {
            try await eventually("the open device of \(person)", within: .seconds(30)) { @Sendable in
                try await self.isOpenDeviceCurrent(of: person)
            }
        } catch is WaitTimeout {
            for difference in differences(online[person].device, person) { note(.devices, person, difference) }
            if online[person].needsLists { note(.devices, person, "the lists could not be read") }
        }
        noteComplaints(online[person].device)
    }

    private func isOpenDeviceCurrent(of person: Int) async throws -> Bool {
        try await tendDevices()
        return !online[person].needsLists && differences(online[person].device, person).isEmpty
    }

    private func compareOfflineDevice(of person: Int) async throws {
        guard try await wake(person) else {
            return note(.devices, person, "the changes could not be read")
        }
        for difference in differences(offline[person].device, person) { note(.devices, person, difference) }
        noteComplaints(offline[person].device)
    }

    /// Who knows nothing is sent everything.
    private func compareNewDevice(of person: Int) async throws {
        var device = PersonDevice(name: "a new device of \(person)")
        let response = try await people[person].get("/v1/changes")
        guard response.status == 200, try device.read(response.body, since: nil) != nil else {
            return note(.devices, person, "a new device got \(response.status) and \(response.text)")
        }
        for difference in differences(device, person) { note(.devices, person, difference) }
        noteComplaints(device)
    }

    private func noteComplaints(_ device: PersonDevice) {
        for complaint in device.complaints { noteViolation(.changesOnce, complaint) }
    }

    /// In what the people whom a device shows differ from the model.
    ///
    /// What somebody shows is reported to those who follow them. So a follower whom the person does not follow may have
    /// an older name, and may have been suspended meanwhile.
    private func differences(_ device: PersonDevice, _ own: Int) -> [String] {
        people.indices.filter { $0 != own }.flatMap { other -> [String] in
            let card = device.cards[userIDs[other]]
            let isFollowed = model.follow(own, other)
            guard model.following(own).contains(other) || model.followers(own).contains(other) else {
                guard let card else { return [] }
                // Whoever asks to follow is shown with it, also with a private profile.
                if model.askers(own).contains(other) {
                    return standingDifferences(card, own, other).map { "\(device.name) shows \(other) with \($0)" }
                }
                if card.isListed {
                    if !isFollowed, model.people[other].state == .suspended { return [] }
                    return ["\(device.name) still shows \(other)"]
                }
                return model.sees(own, other)
                    ? standingDifferences(card, own, other).map { "\(device.name) shows \(other) with \($0)" } : []
            }
            guard let card else {
                return !isFollowed && suspendedEver.contains(other) ? [] : ["\(device.name) does not show \(other)"]
            }
            let found = isFollowed ? differences(card, own, other) : standingDifferences(card, own, other)
            return found.map { "\(device.name) shows \(other) with \($0)" }
        }
    }
}
