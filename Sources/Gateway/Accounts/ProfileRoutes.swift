import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import Jobs
import Storage

/// `/v1/me` and `/v1/users`: profiles.
struct ProfileRoutes {
    let accounts: Accounts
    let credentials: CredentialCache
    let queue: JobQueue
    let erasure: UserErasure
    let pictures: PicturePaths
    let cookie: SessionCookie
    let maximumBodyBytes: Int

    /// How long a response waits until all rows are deleted. Large accounts take minutes, and clients do not wait that
    /// long.
    private static let erasureTimeout = Duration.seconds(10)

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("me", use: show)
        group.patch("me", use: change)
        group.delete("me", use: erase)
        group.get("users/:username", use: showOther)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        guard let profile = try await accounts.profile(userID: context.userID) else { throw Problem.unauthorized }
        return .cacheable(try await own(profile), for: request)
    }

    @Sendable private func change(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: maximumBodyBytes)
        let change = try ProfileChange(body)
        do {
            let changed = try await accounts.changeProfile(userID: context.userID, change) { former, new, transaction in
                guard new.homeCity != former.homeCity else { return }
                try SetupService.recordHomeCityChange(ofUser: new.id, in: transaction)
            }
            guard let profile = changed else { throw Problem.unauthorized }
            // The cache holds the user's name.
            credentials.forget(userID: profile.id)
            return .json(.ok, try await own(profile))
        } catch let error as ProfileError {
            throw Problem(error)
        }
    }

    @Sendable private func erase(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let body = try await request.json(limit: maximumBodyBytes)
        guard let field = try body.object(["username"])["username"] else {
            throw body.refuse("send your username as username, to confirm that all your data is to be erased.")
        }
        let name = try field.string(limit: ProfileChange.Field.username.maximumLength)
        guard let profile = try await accounts.profile(userID: userID) else { throw Problem.unauthorized }
        guard name == profile.username else {
            throw field.refuse("this is not your username; nothing was erased.")
        }
        // A client that disconnects does not stop the erasure.
        _ = try await Task { [erasure, credentials] in
            try await erasure.erase(userID: userID, timeout: Self.erasureTimeout) {
                credentials.forget(userID: userID)
            }
        }.value
        context.visitor.hasErasedUser = true
        var response = Response(status: .noContent)
        response.setCookie(cookie.cleared)
        return response
    }

    @Sendable private func showOther(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let name = try context.text("username", of: "profile")
        guard let profile = try await accounts.profile(named: name, readerID: context.userID) else {
            throw Problem.unknownUser
        }
        return .cacheable(shown(profile), for: request)
    }

    /// The profile as its owner sees it.
    private func own(_ profile: ProfileRecord) async throws -> [UInt8] {
        let use = try await QuotaUse(ofUser: profile.id, queue: queue)
        return JSONWriter.object { json in
            json.member("id", profile.id)
            json.member("username", profile.username)
            json.member("displayName", profile.displayName)
            json.member("bio", profile.bio)
            json.member("pictureURL", profile.pictureURL)
            json.member("picture", pictures.path(of: profile.pictureURL))
            json.member("homeCity", profile.homeCity)
            json.member("timeZone", profile.timeZone)
            json.member("email", profile.email)
            json.member("createdAt", profile.createdAt)
            json.member("updatedAt", profile.updatedAt)
            json.member("profileVisibility", profile.visibility.rawValue)
            json.member("showListeningStats", profile.showsListeningStats)
            json.member("hasPushToken", profile.pushToken != nil)
            json.member("isAdmin", profile.isAdmin)
            json.member("quotas") { use.write(to: &$0) }
        }
    }

    /// The profile as others see it, without city and address.
    private func shown(_ profile: ProfileRecord) -> [UInt8] {
        JSONWriter.object { json in
            json.member("username", profile.username)
            json.member("displayName", profile.displayName)
            json.member("bio", profile.bio)
            json.member("pictureURL", profile.pictureURL)
            json.member("picture", pictures.path(of: profile.pictureURL))
            json.member("createdAt", profile.createdAt)
        }
    }
}

extension ProfileChange {
    /// - Throws: ``Problem`` with the path of the wrong field.
    init(_ body: RequestField) throws {
        self.init()
        let fields = try body.object(
            [
                "username", "displayName", "bio", "pictureURL", "homeCity", "timeZone", "profileVisibility",
                "showListeningStats", "pushToken",
            ], keepsNull: true)
        func text(_ field: Field) throws -> Value? {
            guard let value = fields[field.rawValue] else { return nil }
            // Longer than the limit, since the whitespace around the text is cut off.
            return value.isNull ? .cleared : .text(try value.string(limit: field.maximumLength + 100))
        }
        displayName = try text(.displayName)
        bio = try text(.bio)
        pictureURL = try text(.pictureURL)
        homeCity = try text(.homeCity)
        timeZone = try text(.timeZone)
        pushToken = try text(.pushToken)
        // These always have a value.
        username = try fields["username"]?.string(limit: Field.username.maximumLength + 100)
        showsListeningStats = try fields["showListeningStats"]?.bool()
        visibility = try fields["profileVisibility"].map { field in
            guard let visibility = ProfileVisibility(rawValue: try field.string(limit: 40)) else {
                let known = ProfileVisibility.allCases.map(\.rawValue).joined(separator: ", ")
                throw field.refuse("there is no such visibility; expected one of \(known).")
            }
            return visibility
        }
    }
}

extension Problem {
    init(_ error: ProfileError) {
        let path = "$.\(error.field.rawValue)"
        self =
            if error.reason == .usernameTaken {
                Problem(
                    .conflict, code: .usernameTaken, title: "This username is taken",
                    detail: "\(path): \(error) Choose another one.", field: path)
            } else {
                .invalidRequest(code: .invalidField, "\(path): \(error)", field: path)
            }
    }

    /// The answer for a private profile is the same, so that nobody learns that it exists.
    static let unknownUser = Problem(
        .notFound, code: .notFound, title: "Not found",
        detail: "There is no profile with that name, or you may not see it.")
}
