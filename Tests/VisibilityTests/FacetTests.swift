import Model
import Storage
import TestSupport
import Testing

@testable import Visibility

@Suite("Who may see what")
struct FacetTests {
    /// How a viewer stands to a person.
    enum Standing: String, CaseIterable {
        case stranger, follower, followed, mutual, blocked, blocker, bothBlocked, oneself
    }

    /// The facets that a viewer may see of an active person, written by hand and not computed from the rules.
    ///
    /// The first letters are those of act, existence, profile and stats (of a person who shows them).
    private static let table: [ProfileVisibility: [Standing: String]] = [
        .public: [
            .stranger: "AEPS", .follower: "AEPS", .followed: "AEPS", .mutual: "AEPS", .blocked: "", .blocker: "",
            .bothBlocked: "", .oneself: "AEPS",
        ],
        .followers: [
            .stranger: "AE", .follower: "AEPS", .followed: "AE", .mutual: "AEPS", .blocked: "", .blocker: "",
            .bothBlocked: "", .oneself: "AEPS",
        ],
        .private: [
            .stranger: "A", .follower: "A", .followed: "A", .mutual: "A", .blocked: "", .blocker: "",
            .bothBlocked: "", .oneself: "AEPS",
        ],
    ]

    private static func letter(_ facet: Facet) -> Character {
        switch facet {
        case .act: "A"
        case .existence: "E"
        case .profile: "P"
        case .stats: "S"
        }
    }

    @Test("Each facet is visible to those of the table, by every way of asking", arguments: ProfileVisibility.allCases)
    func table(visibility: ProfileVisibility) async throws {
        for standing in Standing.allCases {
            for showsStats in [true, false] {
                for state in [Person.State.active, .suspended, .gone] {
                    let expected = state == .active ? Self.table[visibility]?[standing] ?? "" : ""
                    let letters = Set(expected).subtracting(showsStats || standing == .oneself ? [] : ["S"])
                    let facets = Set(Facet.allCases.filter { letters.contains(Self.letter($0)) })
                    try await check(facets, visibility, standing, showsStats: showsStats, state)
                }
            }
        }
    }

    private func check(
        _ facets: Set<Facet>, _ visibility: ProfileVisibility, _ standing: Standing, showsStats: Bool,
        _ state: Person.State
    ) async throws {
        let comment: Comment = "\(visibility), \(standing), shows stats: \(showsStats), \(state)"
        try await withDatabase { database in
            try await database.write { transaction in
                let store = transaction.visibility
                let person = try store.add(userID: "subject", visibility: visibility, showsStats: showsStats)
                let isSelf = standing == .oneself
                let viewer =
                    isSelf
                    ? Viewer(key: person, userID: "subject")
                    : Viewer(key: try store.add(userID: "viewer"), userID: "viewer")
                if [.follower, .mutual].contains(standing) {
                    try store.follow(person, by: viewer.key, now: .now())
                }
                if [.followed, .mutual].contains(standing) {
                    try store.follow(viewer.key, by: person, now: .now())
                }
                if [.blocker, .bothBlocked].contains(standing) {
                    try store.block(person, by: viewer.key, now: .now())
                }
                if [.blocked, .bothBlocked].contains(standing) {
                    try store.block(viewer.key, by: person, now: .now())
                }
                switch state {
                case .active: break
                case .suspended: try store.suspend(userID: "subject")
                case .gone: try store.close(userID: "subject")
                }
                let relation = try #require(try store.relation(of: viewer, to: "subject"))
                for facet in Facet.allCases {
                    let isVisible = facets.contains(facet)
                    #expect(relation.canSee(facet) == isVisible, comment)
                    #expect(
                        try store.canSee(facet, of: "subject", as: viewer.userID) == isVisible, comment)
                    #expect(
                        try store.visible(facet, among: ["subject"], as: viewer) == (isVisible ? ["subject"] : []),
                        comment)
                }
                #expect(relation.isSelf == isSelf)
                #expect(relation.isFollowing == [.follower, .mutual].contains(standing), comment)
                #expect(relation.followsViewer == [.followed, .mutual].contains(standing), comment)
                #expect(relation.hasBlocked == [.blocker, .bothBlocked].contains(standing), comment)
            }
        }
    }

    @Test("Oneself shows oneself all, without showing the stats to others")
    func oneself() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                try transaction.visibility.add(userID: "ada", visibility: .private, showsStats: false)
                for facet in Facet.allCases {
                    #expect(try transaction.visibility.canSee(facet, of: "ada", as: "ada"))
                }
            }
        }
    }

    @Test("Somebody who is suspended, gone or unknown sees nobody")
    func inactiveViewers() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                let store = transaction.visibility
                for name in ["ada", "suspended", "gone"] { try store.add(userID: name) }
                #expect(try store.suspend(userID: "suspended"))
                #expect(try !store.suspend(userID: "suspended"), "it is suspended already")
                try store.close(userID: "gone")
                for name in ["suspended", "gone", "unknown"] {
                    #expect(try store.viewer(userID: name) == nil)
                    #expect(try !store.canSee(.act, of: "ada", as: name))
                }
                #expect(try store.reinstate(userID: "suspended"))
                #expect(try store.canSee(.stats, of: "ada", as: "suspended"))
                #expect(try !store.reinstate(userID: "gone"), "nobody comes back from an erasure")
                #expect(try !store.suspend(userID: "gone"))
                try store.close(userID: "unknown")
            }
        }
    }

    @Test("A person who is unknown has no relation, and the statement is the one for a known person")
    func unknown() async throws {
        try await withDatabase { database in
            let viewer = try await database.write { try $0.addPeople(1)[0] }
            for userID in [nil, "nobody"] {
                let relation = try await database.read { try $0.visibility.relation(of: viewer, to: userID) }
                #expect(relation == nil)
            }
        }
    }

    @Test("An unknown value of a later version counts as private")
    func laterVersion() {
        #expect(ProfileVisibility(number: 9) == .private && ProfileVisibility(number: -1) == .private)
        for visibility in ProfileVisibility.allCases {
            #expect(ProfileVisibility(number: visibility.number) == visibility)
        }
    }
}
