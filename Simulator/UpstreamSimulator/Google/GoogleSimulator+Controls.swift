import Foundation
import Hummingbird
import Model

extension GoogleSimulator {
    /// The command of `POST /_sim/google/keys`.
    struct KeyCommand: Sendable, Codable {
        /// Makes a new key sign from now on.
        var rotate: Bool?
        /// Whether the key set contains the signing key; `true` by default.
        var publish: Bool?
    }

    struct KeyState: Sendable, Codable {
        var current: String
        var published: [String]
    }

    struct MintedToken: Sendable, Codable {
        var idToken: String
    }

    /// A person on the consent page.
    struct Person: Sendable, Encodable {
        let sub: String
        let name: String
        /// The address; empty if the account shows none.
        let email: String

        init(_ person: GooglePerson) {
            sub = person.subject
            name = person.name
            email = person.email ?? ""
        }
    }

    func addControls(to control: RouterGroup<SimulatorContext>) {
        control.get("people") { _, _ in try ControlJSON.encode(GooglePerson.all.map { Person($0) }) }
        control.get("keys") { [self] _, _ in try ControlJSON.encode(try keyState()) }
        control.post("keys") { [self] request, context in
            let command = try await ControlJSON.decode(KeyCommand.self, request, context)
            let new = command.rotate == true ? try GoogleKeys.Key() : nil
            _ = try keys()
            state.withLock { state in
                if let new { state.keys?.rotate(to: new, isPublished: command.publish ?? true) }
                if command.publish == true { state.keys?.publishCurrent() }
            }
            return try ControlJSON.encode(try keyState())
        }
        control.post("mint") { [self] request, context in
            let order = try await ControlJSON.decode(IDToken.Order.self, request, context)
            return try ControlJSON.encode(MintedToken(idToken: try mint(order)))
        }
    }

    private func keyState() throws -> KeyState {
        let keys = try keys()
        return KeyState(current: keys.current.id, published: keys.published.map(\.id))
    }

    /// Makes an id token with any defect that ``IDToken/Order`` names.
    private func mint(_ order: IDToken.Order) throws -> String {
        guard let person = GooglePerson(subject: order.person ?? GooglePerson.all[0].subject) else {
            throw HTTPError(.badRequest, message: "There is no such person; GET /_sim/google/people lists them.")
        }
        let client = order.audience ?? state.withLock { $0.settings.clients?.first?.id } ?? ""
        let now = Date(timeIntervalSinceNow: -Double(order.issuedSecondsAgo ?? 0))
        var token = IDToken(
            person, client: client, nonce: order.nonce, scopes: ["openid", "email", "profile"], at: now)
        token.algorithm = order.algorithm ?? .rs256
        if let life = order.lifeSeconds { token.claims["exp"] = .integer(Int(now.timeIntervalSince1970) + life) }
        for (name, value) in order.claims ?? [:] { token.claims[name] = value == .null ? nil : value }
        let current = try keys().current
        let key = (order.key ?? .current) == .current ? current : try GoogleKeys.Key()
        return try token.text(
            key: key, id: order.key == .unknown ? key.id : current.id,
            publicKey: current.key.publicKey.pemRepresentation)
    }
}
