import Accounts
import Foundation
import Gateway
import HTTPTypes
import Hummingbird
import Jobs
import Storage
import Visibility

/// `/v1/me`: a person's own profile.
struct ProfileRoutes {
    let accounts: Accounts
    let credentials: CredentialCache
    let queue: JobQueue
    let erasure: UserErasure
    let pictures: PicturePaths
    let cookie: SessionCookie
    let recentSignIn: RecentSignIn
    let invitations: InvitationPolicy
    let maximumBodyBytes: Int

    /// How long a response waits until all rows are deleted. Large accounts take minutes, and clients do not wait that
    /// long.
    static let erasureTimeout = Duration.seconds(10)

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("me", use: show)
        group.patch("me", use: change)
        group.delete("me", use: erase)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        return .cacheable(try await own(try context.userID), for: request)
    }

    @Sendable private func change(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: maximumBodyBytes)
        let change = try ProfileChange(body)
        do {
            guard let profile = try await accounts.changeProfile(userID: context.userID, change) else {
                throw Problem.unauthorized
            }
            // The cache holds the user's name.
            credentials.forget(userID: profile.id)
            return .json(.ok, try await own(profile.id))
        } catch let error as ProfileError {
            throw Problem(error)
        } catch let reached as ActLimitReached {
            throw Problem(reached)
        }
    }

    @Sendable private func erase(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let body = try await request.json(limit: maximumBodyBytes)
        let fields = try body.object(["username", "token"])
        guard let field = fields["username"] else {
            throw body.refuse("send your username as username, to confirm that all your data is to be erased.")
        }
        let name = try field.string(limit: .max)
        guard let profile = try await accounts.profile(userID: userID) else { throw Problem.unauthorized }
        guard name == profile.username else {
            throw field.refuse("this is not your username; nothing was erased.")
        }
        try await recentSignIn.require(request, context, token: fields["token"])
        do {
            // A client that disconnects does not stop the erasure.
            _ = try await Task { [erasure, credentials] in
                try await erasure.erase(userID: userID, timeout: Self.erasureTimeout, keepsAdministrator: true) {
                    credentials.forget(userID: userID)
                }
            }.value
        } catch AccountError.lastAdministrator {
            throw Problem.lastAdministrator
        }
        context.visitor.hasErasedUser = true
        var response = Response(status: .noContent)
        response.setCookie(cookie.cleared)
        return response
    }

    /// The profile as its owner sees it.
    private func own(_ userID: String) async throws -> [UInt8] {
        guard let profile = try await OwnProfileResource(ofUser: userID, queue: queue, invitations: invitations) else {
            throw Problem.unauthorized
        }
        return profile.json(pictures)
    }
}

extension ProfileChange {
    /// - Throws: ``Problem`` with the path of the wrong field.
    init(_ body: RequestField) throws {
        self.init()
        let fields = try body.object(
            [
                "username", "displayName", "bio", "homeCity", "timeZone", "profileVisibility", "showListeningStats",
                "formerUsernameLeadsOn", "onboarding",
            ], keepsNull: true)
        func text(_ field: Field) throws -> Value? {
            guard let value = fields[field.rawValue] else { return nil }
            guard !value.isNull else { return .cleared }
            let text = try value.string(limit: .max)
            // Longer than the limit, since the whitespace around the text is cut off.
            let count = text.unicodeScalars.count
            guard count <= field.maximumLength + 100 else {
                throw Problem(ProfileError(field: field, reason: .tooLong(count: count)))
            }
            return .text(text)
        }
        displayName = try text(.displayName)
        bio = try text(.bio)
        homeCity = try text(.homeCity)
        timeZone = try text(.timeZone)
        // These always have a value. The rule of usernames has their length.
        username = try fields["username"]?.string(limit: .max)
        formerUsernameLeadsOn = try fields["formerUsernameLeadsOn"]?.bool()
        showsOnboarding = try fields["onboarding"]?.bool()
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
        func conflict(_ code: ProblemCode, _ title: String) -> Problem {
            Problem(.conflict, code: code, title: title, detail: "\(path): \(error)", field: path)
        }
        self =
            switch error.reason {
            case .usernameTaken: conflict(.usernameTaken, "This username is taken")
            case .changedRecently: conflict(.usernameChangedRecently, "The username was changed recently")
            case .noFormerUsername: conflict(.noFormerUsername, "There is no former username")
            default: .invalidRequest(code: .invalidField, "\(path): \(error)", field: path)
            }
    }
}
