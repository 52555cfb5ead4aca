import Accounts
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
        private let bytes: [UInt8]
        private var api: ListenBrainzAPI { middleware.api }

        init(
            _ middleware: ListenBrainzMiddleware, _ request: Request, _ context: GatewayContext, _ parts: [String],
            _ bytes: [UInt8]
        ) {
            (self.middleware, self.request, self.context) = (middleware, request, context)
            (self.parts, self.bytes) = (parts, bytes)
        }

        /// - Parameter count: counts a request of a person, or some listens, against their limit.
        func answer(_ count: (_ user: UserRecord, _ amount: Int) throws -> Void) async throws -> [UInt8] {
            if parts == ["validate-token"] { return try await validate(count) }
            let user = try await identified()
            try count(user, 1)
            switch (parts[0], request.method) {
            case ("submit-listens", _):
                let wantsMSID = request.parameter("return_msid")?.lowercased() == "true"
                return try await api.submit(bytes, wantsMSID: wantsMSID, user: user) { listens in
                    // The request counts as its first listen.
                    if listens > 1 { try count(user, listens - 1) }
                }
            case ("delete-listen", _): return try await api.delete(bytes, user: user)
            case ("playing-now", _): return api.endPlaying(user)
            case ("latest-import", .post): return try await api.noteImport(bytes, request, user: user)
            case ("latest-import", _):
                try checkName(request.parameter("user_name") ?? user.name, of: user)
                return try await api.latestImport(request, of: user)
            case ("stats", _):
                try checkName(parts[2], of: user)
                return try await api.stats.answer(parts[3], request, of: user)
            default:
                try checkName(parts[1], of: user)
                return try await list(of: user)
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

        /// Others do not exist for a person as long as nobody can follow anybody.
        private func checkName(_ name: String, of user: UserRecord) throws(ListenBrainzError) {
            guard name == user.name || name.lowercased() == user.name.lowercased() else {
                throw .unknownUser(name)
            }
        }

        // MARK: Tokens

        private func validate(_ count: (_ user: UserRecord, _ amount: Int) throws -> Void) async throws -> [UInt8] {
            let text = try token(inHeader: request.headers[.authorization]) ?? request.parameter("token")
            guard let text, !text.isEmpty else {
                throw ListenBrainzError("You need to provide an Authorization token.")
            }
            let user = try await holder(of: text)
            if let user { try count(user, 1) }
            return JSONWriter.object { json in
                json.member("code", 200)
                json.member("message", user == nil ? "Token invalid." : "Token valid.")
                json.member("valid", user != nil)
                if let user { json.member("user_name", user.name) }
            }
        }

        private func identified() async throws -> UserRecord {
            guard let text = try token(inHeader: request.headers[.authorization]) else {
                throw ListenBrainzError.noHeader
            }
            guard let user = try await holder(of: text) else { throw ListenBrainzError.wrongToken }
            return user
        }

        /// The second word, after `Token` or `Bearer` in any case.
        private func token(inHeader header: String?) throws(ListenBrainzError) -> String? {
            guard let header, !header.isEmpty else { return nil }
            let words = header.split(separator: " ")
            guard words.count == 2, ["token", "bearer"].contains(words[0].lowercased()), words[1].utf8.count <= 200
            else { throw .wrongHeader }
            return String(words[1])
        }

        private func holder(of text: String) async throws -> UserRecord? {
            let token = APIToken(secret: Secret(text))
            if let known = middleware.credentials.remembered(token.hash) { return known.user }
            let found = try await middleware.throttle.find(request, context) {
                try await middleware.credentials.holder(of: token)
            }
            context.visitor.user = found?.user
            return found?.user
        }
    }
}
