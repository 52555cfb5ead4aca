import Model
import Storage
import TestSupport
import Testing
import Visibility

@testable import Accounts

@Suite("Profiles", .timeLimit(.minutes(5)))
struct ProfileTests {
    @Test("People change their profiles with or without a username, and get one that nobody has")
    func uniqueNamesInAnySpelling() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            for name in ["ada", "bob", "a.nn_e"] {
                _ = try await accounts.addUser(name: name)
                let user = try await accounts.user(named: name)
                var change = ProfileChange()
                change.bio = .text("I am \(name).")
                #expect(try await accounts.changeProfile(userID: user.id, change)?.bio == "I am \(name).")
                #expect(try await accounts.user(named: name) == user)
                #expect(try await accounts.user(named: name.uppercased()) == user)
            }
            let bob = try await accounts.user(named: "bob").id
            var change = ProfileChange()
            for (name, reason) in [
                ("a.da", ProfileError.Reason.usernameTaken), ("ann_e", .usernameTaken), ("ad.min", .reservedUsername),
                ("ADA", .noUsername), ("ada\u{202C}", .noUsername), ("a\u{200B}da", .noUsername),
                ("ada  b", .noUsername),
            ] {
                change.username = name
                await #expect(throws: ProfileError(field: .username, reason: reason)) {
                    _ = try await accounts.changeProfile(userID: bob, change)
                }
            }
            change.username = " lovelace\n"
            #expect(try await accounts.changeProfile(userID: bob, change)?.username == "lovelace")
            #expect(try await accounts.user(named: "lovelace").id == bob)
            await #expect(throws: AccountError.nameTaken("lo.velace")) {
                try await accounts.addUser(name: "lo.velace")
            }
        }
    }

    @Test("A display name loses direction controls, invisible characters and stacks of marks, and keeps its emoji")
    func displayNames() {
        for (text, expected) in [
            ("\u{202E}Ada\u{202C}", "Ada"), ("A\u{2066}d\u{2069}a\u{200F}", "Ada"),
            ("A\u{200B}d\u{FEFF}a\u{AD}", "Ada"),
            ("a\u{301}\u{302}\u{303}\u{304}b\u{301}", "a\u{301}\u{302}b\u{301}"), ("\u{301}\u{20DD}Ada", "Ada"),
            ("देवी", "देवी"), ("Việt", "Việt"), ("👩🏽\u{200D}🚀 ❤️", "👩🏽\u{200D}🚀 ❤️"), ("a\u{200D}b", "ab"),
            ("\u{3164}\u{34F}", ""), ("山田　太郎", "山田　太郎"), ("a\u{FE0F}", "a"),
        ] {
            #expect(DisplayName.cleaned(text) == expected, "\(text.unicodeScalars.map(\.value))")
        }
        let stacked = "Z" + String(repeating: "\u{335}", count: 400)
        #expect(ProfileChange.valid(stacked, as: .displayName) == "Z\u{335}\u{335}")
        #expect(ProfileChange.valid("\u{200B}\u{202E}", as: .displayName) == nil)
    }

    @Test("A text about oneself loses what a name loses, and keeps its lines, joiners and the marks of its script")
    func bios() {
        for (text, expected) in [
            ("\u{202E}Hello\u{202C}\nworld", "Hello\nworld"), ("a\u{2066}b\u{2069}c\u{200F}", "abc"),
            ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("👩🏽\u{200D}🚀", "👩🏽\u{200D}🚀"), ("\u{202D} \u{61C}", nil),
            ("e" + String(repeating: "\u{301}", count: 8) + "f", "e\u{301}\u{301}f"), ("\u{301}\u{20DD}Ada", "Ada"),
            ("a\u{200B}b\u{FEFF}c\u{AD}d\u{2060}\u{34F}", "abcd"), ("a\u{200D}b", "ab"),
            ("م\u{200C}\u{200C}\u{200C}م", "م\u{200C}م"), ("ශ\u{DCA}\u{200D}රී", "ශ\u{DCA}\u{200D}රී"),
            ("देवी ज़ीं ที่นี่ Việt", "देवी ज़ीं ที่นี่ Việt"), ("བསྒྲུབས", "བསྒྲུབས"),
            ("1\u{FE0F}\u{20E3} ❤\u{FE0F}\u{200D}🔥", "1\u{FE0F}\u{20E3} ❤\u{FE0F}\u{200D}🔥"),
            (
                "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}\u{E0061}",
                "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"
            ),
            ("a\u{E0061}b", "ab"), ("葛\u{E0100}", "葛\u{E0100}"),
        ] as [(String, String?)] {
            let valid = ProfileChange.valid(text, as: .bio)
            // By scalars, since equal texts may be composed differently.
            #expect(
                valid.map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) },
                "\(text.unicodeScalars.map(\.value))")
        }
    }

    @Test("A text over its limit is refused with its length and the limit")
    func lengths() throws {
        for (field, limit) in [(ProfileChange.Field.displayName, 100), (.bio, 500), (.homeCity, 100)] {
            var target: String?
            let longest = String(repeating: "a", count: limit)
            try ProfileChange.set(.text(" \(longest) "), field, &target)
            #expect(target == longest)
            let error = #expect(throws: ProfileError.self) {
                try ProfileChange.set(.text(longest + "b"), field, &target)
            }
            #expect(error?.description == "This text has \(limit + 1) characters; at most \(limit) are allowed.")
        }
    }

    @Test("A refusal is whole sentences, which pages show as they are")
    func refusalsAreSentences() {
        let reasons: [ProfileError.Reason] = [
            .noUsername, .usernameTaken, .reservedUsername, .noFormerUsername, .changedRecently(until: .now()),
            .tooLong(count: 501), .controlCharacter, .noPictureURL, .noTimeZone,
        ]
        for reason in reasons {
            let text = ProfileError(field: .bio, reason: reason).description
            #expect(text.first?.isUppercase == true && text.hasSuffix("."), "\(text)")
            #expect(!text.contains("user name"), "\(text)")
        }
        let (whole, cut) = (String(repeating: "a", count: 40), String(repeating: "a", count: 101))
        #expect(AccountError.invalidName(whole).description.hasPrefix("'\(whole)' cannot"))
        #expect(AccountError.invalidName(cut).description.hasPrefix("'\(whole)…' cannot"))
        #expect(
            AccountError.invalidName("").description.hasPrefix("'' cannot be a user's name. A username has 2 to 30 "))
    }

    @Test("Only what others see differently is recorded for them, and only so often within an hour")
    func seenChanges() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            _ = try await accounts.addUser(name: "ada")
            let ada = try await accounts.user(named: "ada")
            let now = ada.createdAt
            func recorded() async throws -> Int64? {
                try await database.read { reader in
                    try reader.row("SELECT change FROM author_log JOIN people ON people.key = author")?["change"]
                }
            }
            func change(
                at moment: Timestamp = now, _ edit: (inout ProfileChange) -> Void
            ) async throws -> Bool {
                var change = ProfileChange()
                edit(&change)
                let before = try await recorded()
                _ = try await accounts.changeProfile(userID: ada.id, change, now: moment)
                return try await recorded() != before
            }
            #expect(try await !change { $0.homeCity = .text("Praha") })
            #expect(try await !change { $0.timeZone = .text("Europe/Prague") })
            #expect(try await !change { $0.showsOnboarding = false })
            #expect(try await change { $0.bio = .text("I am Ada.") })
            #expect(try await !change { $0.bio = .text(" I am Ada. ") })
            #expect(try await change { $0.displayName = .text("Ada") })
            #expect(try await change { $0.showsListeningStats = false })
            for number in 4...30 {
                #expect(try await change { $0.visibility = number.isMultiple(of: 2) ? .private : .public })
            }
            await #expect(throws: ActLimitReached.self) {
                _ = try await change { $0.bio = .text("I am not Ada.") }
            }
            await #expect(throws: ActLimitReached.self) {
                _ = try await accounts.setPicture([1], type: "image/webp", userID: ada.id, now: now)
            }
            // What nobody else sees has no limit, and a refused change leaves nothing.
            #expect(try await !change { $0.homeCity = .text("Brno") })
            let profile = try await accounts.profile(userID: ada.id)
            #expect(profile?.homeCity == "Brno" && profile?.bio == "I am Ada." && profile?.picture.uploaded == nil)
            #expect(try await change(at: now.advanced(by: .seconds(121))) { $0.bio = .cleared })
        }
    }

    @Test("A profile has the time of its last change by anyone, and before that, of its creation")
    func updatedAt() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            _ = try await accounts.addUser(name: "ada")
            let user = try await accounts.user(named: "ada")
            func updatedAt() async throws -> Timestamp? { try await accounts.profile(userID: user.id)?.updatedAt }
            #expect(try await updatedAt() == user.createdAt)
            var change = ProfileChange()
            change.bio = .text("I am Ada.")
            let moments = (1...4).map { user.createdAt.advanced(by: .seconds($0)) }
            let changed = try await accounts.changeProfile(userID: user.id, change, now: moments[0])
            #expect(changed?.updatedAt == moments[0])
            #expect(try await updatedAt() == moments[0])
            for (moment, change) in zip(
                moments.dropFirst(),
                [
                    { try $0.setHomeCity("Praha", userID: user.id, now: $1) },
                    { try $0.setEmail("ada@example.org", userID: user.id, now: $1) },
                    { try $0.setAdmin(true, userID: user.id, now: $1) },
                ] as [@Sendable (AccountStore<WriteTransaction>, Timestamp) throws -> Void])
            {
                try await database.write { try change($0.accounts, moment) }
                #expect(try await updatedAt() == moment)
            }
        }
    }
}
