import Accounts
import Connections
import Gateway
import Jobs
import Model
import Storage
import Visibility

/// A profile as its owner sees it.
struct OwnProfileResource: Sendable {
    private let profile: ProfileRecord
    private let formerName: FormerNameRecord?
    private let nameChangeableAt: Timestamp?
    private let spotify: ConnectionRecord?
    private let isSpotifyLinked: Bool
    private let isGeminiKeyConfigured: Bool
    private let hasOthers: Bool
    private let mayInvite: Bool
    private let use: QuotaUse

    /// - Parameter invitations: who may invite others.
    /// - Returns: `nil` when there is no such person.
    init?(
        ofUser userID: String, queue: JobQueue, invitations: InvitationPolicy, now: Timestamp = .now()
    ) async throws {
        let read = try await queue.database.read { reader in
            (
                profile: try reader.accounts.profile(userID: userID),
                formerName: try reader.accounts.formerName(ofUser: userID, now: now),
                spotify: try reader.connections.record(userID: userID, provider: Provider.spotify.rawValue),
                gemini: try reader.connections.record(userID: userID, provider: Provider.gemini.rawValue),
                hasOthers: try reader.visibility.hasPeople(atLeast: 2)
            )
        }
        guard let profile = read.profile else { return nil }
        self.profile = profile
        formerName = read.formerName
        nameChangeableAt = profile.usernameChangeableAt(now: now)
        spotify = read.spotify
        isSpotifyLinked = Self.isUsable(read.spotify, at: now)
        isGeminiKeyConfigured = Self.isUsable(read.gemini, at: now)
        hasOthers = read.hasOthers
        mayInvite = invitations.allows(isAdmin: profile.isAdmin)
        use = try await QuotaUse(ofUser: userID, queue: queue)
    }

    /// A state that a later version wrote is not usable here.
    private static func isUsable(_ connection: ConnectionRecord?, at now: Timestamp) -> Bool {
        (try? connection?.connectionState(at: now, clientID: nil).isUsable) ?? false
    }

    func json(_ pictures: PicturePaths) -> [UInt8] {
        JSONWriter.object { json in
            json.member("id", profile.id)
            json.member("username", profile.username)
            json.member("mustChooseUsername", profile.mustChooseUsername)
            json.member("usernameChangeableAt", nameChangeableAt)
            json.member("formerUsername") { json in
                guard let formerName else { return json.raw("null") }
                json.object { json in
                    json.member("username", formerName.name)
                    json.member("heldUntil", formerName.heldUntil)
                    json.member("leadsOn", formerName.leadsOn)
                }
            }
            json.member("displayName", profile.displayName)
            json.member("bio", profile.bio)
            json.member("picture", pictures.path(of: profile.picture))
            json.member("homeCity", profile.homeCity)
            json.member("timeZone", profile.timeZone)
            json.member("email", profile.email)
            json.member("createdAt", profile.createdAt)
            json.member("updatedAt", profile.updatedAt)
            json.member("profileVisibility", profile.visibility.rawValue)
            json.member("showListeningStats", profile.showsListeningStats)
            json.member("spotifyId", spotify?.accountUserID ?? spotify?.accountID)
            json.member("spotifyLinked", isSpotifyLinked)
            json.member("geminiKeyConfigured", isGeminiKeyConfigured)
            json.member("onboarding", profile.showsOnboarding)
            json.member("isAdmin", profile.isAdmin)
            json.member("hasOthers", hasOthers)
            json.member("mayInvite", mayInvite)
            json.member("quotas") { use.write(to: &$0) }
        }
    }
}
