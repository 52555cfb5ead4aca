import Accounts
import Gateway
import HTTPTypes
import Hummingbird
import Model

extension ListenBrainzMiddleware {
    /// Finds the answer to one request.
    struct Answerer {
        static let userLists: Set<String> = ["listens", "listen-count", "playing-now", "following", "followers"]

        private let middleware: ListenBrainzMiddleware
        private let request: Request
        private let context: GatewayContext
        private let parts: [String]
        private let claim: Claim
        private var api: ListenBrainzAPI { middleware.api }

        init(
            _ middleware: ListenBrainzMiddleware, _ request: Request, _ context: GatewayContext, _ parts: [String],
            _ claim: Claim
        ) {
            (self.middleware, self.request, self.context) = (middleware, request, context)
            (self.parts, self.claim) = (parts, claim)
        }

        /// - Parameter count: counts a request of a person, or some listens, against their limit.
        func answer(_ count: (_ user: UserRecord, _ amount: Int) throws -> Void) async throws -> [UInt8] {
            if parts == ["validate-token"] { return try validate(count) }
            let user = try identified()
            try count(user, 1)
            switch (parts[0], request.method) {
            case ("submit-listens", _):
                let wantsMSID = request.parameter("return_msid")?.lowercased() == "true"
                return try await api.submit(try await body(), wantsMSID: wantsMSID, user: user) { listens in
                    // The request counts as its first listen.
                    if listens > 1 { try count(user, listens - 1) }
                }
            case ("delete-listen", _): return try await api.delete(try await body(), user: user)
            case ("playing-now", _): return api.endPlaying(user)
            case ("latest-import", .post): return try await api.recordImport(try await body(), request, user: user)
            case ("latest-import", _):
                let named = try await known(user, as: request.parameter("user_name") ?? user.name)
                return try await api.latestImport(request, of: named)
            case ("feedback", .post) where parts.count == 2:
                return try await api.feedback.setFeedback(try await body(), user: user)
            case ("feedback", _):
                let named = try await known(user, as: ListenFeedbackAPI.userName(in: parts) ?? user.name)
                let sent = request.method == .post ? try await body() : nil
                return try await api.feedback.answer(parts, request, sent, of: named)
            case ("stats", _):
                return try await api.stats.answer(parts[3], request, of: try await known(user, as: parts[2]))
            default: return try await list(of: try await known(user, as: parts[1]))
            }
        }

        /// Bodies of other methods are ignored: one program sends some with its `GET`s. So is the charset, since a
        /// refused listen is lost, and programs write ASCII under many names.
        private func body() async throws -> [UInt8] {
            let bytes = try await request.bodyBytes(limit: ListenSubmission.maximumBytes, ignoresCharset: true)
            do throws(JSONSyntaxError) {
                return try JSONParser.document(of: bytes)
            } catch {
                throw ListenBrainzError.notJSON(error)
            }
        }

        private func list(of user: UserRecord) async throws -> [UInt8] {
            switch parts[2] {
            case "listens": try await api.listens(request, of: user)
            case "listen-count": try await api.listenCount(of: user)
            case "playing-now": api.playingNow(of: user)
            case "following":
                JSONWriter.object { json in
                    json.member("following", raw: "[]")
                    json.member("user", user.name)
                }
            default:
                JSONWriter.object { json in
                    json.member("followers", raw: "[]")
                    json.member("user", user.name)
                }
            }
        }

        /// The person under the name by which a program knows them: their username, or a former one with which the
        /// program was set up. The answer repeats it, so that the program recognizes its person. Other people do not
        /// exist here.
        private func known(_ user: UserRecord, as name: String) async throws -> UserRecord {
            if name == user.name || name.lowercased() == user.name.lowercased() { return user }
            guard try await api.knows(user, by: name) else { throw ListenBrainzError.unknownUser(name) }
            var user = user
            user.name = name
            return user
        }

        // MARK: Tokens

        private func validate(_ count: (_ user: UserRecord, _ amount: Int) throws -> Void) throws -> [UInt8] {
            guard case .token = claim else {
                throw ListenBrainzError("You need to provide an Authorization token.")
            }
            let user = try holder()
            if let user { try count(user, 1) }
            return JSONWriter.object { json in
                json.member("code", 200)
                json.member("message", user == nil ? "Token invalid." : "Token valid.")
                json.member("valid", user != nil)
                if let user { json.member("user_name", user.name) }
            }
        }

        private func identified() throws -> UserRecord {
            switch claim {
            case .missing: throw ListenBrainzError.noHeader
            case .malformed: throw ListenBrainzError.wrongHeader
            case .ofOtherScheme, .token: break
            }
            guard let user = try holder() else { throw ListenBrainzError.wrongToken }
            return user
        }

        private func holder() throws -> UserRecord? {
            guard let holder = context.identity?.holder else {
                try middleware.throttle.countWrong(request, context)
                return nil
            }
            // A token of another scope does not open this API.
            guard holder.scope == nil || holder.scope == .listening else { return nil }
            context.visitor.user = holder.user
            return holder.user
        }
    }
}
