import Foundation
import Model

extension GoogleSimulator {
    /// A refusal; 400 unless another status is given.
    private struct Refusal: Error {
        var error: String
        var description: String
        var status = 400

        static func grant(_ description: String) -> Refusal {
            Refusal(error: "invalid_grant", description: description)
        }

        static func client(_ description: String) -> Refusal {
            Refusal(error: "invalid_client", description: description, status: 401)
        }

        static func request(_ description: String) -> Refusal {
            Refusal(error: "invalid_request", description: description)
        }

        var answer: Answer {
            Answer(
                status: status, contentType: "application/json; charset=utf-8",
                document: OAuthErrorDocument(error, description))
        }
    }

    /// Exchanges a code of a web client, which has a secret as well as a verifier.
    func token(_ call: Call) -> Answer {
        do {
            let form = call.form ?? RequestTarget("")
            let (code, accessToken) = try redeem(form, basic: call.headers[.authorization])
            let keys = try keys()
            let idToken = IDToken(
                code.person, client: code.client, nonce: code.nonce, scopes: Set(code.scopes), at: Date())
            let text = try idToken.text(key: keys.current, id: keys.current.id, publicKey: "")
            let tokens = GoogleTokensDocument(
                accessToken: accessToken, scope: code.scopes.joined(separator: " "), idToken: text)
            return Answer(
                contentType: "application/json; charset=utf-8", document: tokens,
                headers: [("Cache-Control", "no-cache, no-store, max-age=0, must-revalidate")])
        } catch let refusal as Refusal {
            return refusal.answer
        } catch {
            return Answer(status: 500, contentType: "text/plain", body: "upstream-sim cannot sign: \(error)")
        }
    }

    private func redeem(_ form: RequestTarget, basic: String?) throws(Refusal) -> (Code, String) {
        let grant = form["grant_type"] ?? ""
        guard grant == "authorization_code" else {
            throw Refusal(error: "unsupported_grant_type", description: "Invalid grant_type: \(grant)")
        }
        let client = try client(form, basic: basic)
        guard let text = form["code"], !text.isEmpty else { throw .request("Missing required parameter: code") }
        // A code works once, even when the exchange fails.
        guard let code = state.withLock({ $0.codes.removeValue(forKey: text) }), code.client == client.id,
            code.endsAt > Timestamp.now()
        else { throw .grant("Malformed auth code.") }
        guard form["redirect_uri"] == code.redirectURI else {
            throw Refusal(error: "redirect_uri_mismatch", description: "Bad Request")
        }
        if let challenge = code.challenge {
            guard let verifier = form["code_verifier"], !verifier.isEmpty else {
                throw .grant("Missing code verifier.")
            }
            guard PKCE.isVerifier(verifier), PKCE.challenge(of: verifier) == challenge else {
                throw .grant("Invalid code verifier.")
            }
        }
        return (code, OpaqueToken.make("ya29.a0", length: 160))
    }

    /// The client that the form or a Basic header authenticates.
    private func client(_ form: RequestTarget, basic: String?) throws(Refusal) -> GoogleSettings.Client {
        var id = form["client_id"]
        var secret = form["client_secret"]
        if let basic, basic.hasPrefix("Basic "), let data = Data(base64Encoded: String(basic.dropFirst(6))) {
            let pair = String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1).map(String.init)
            if pair.count == 2 { (id, secret) = (pair[0], pair[1]) }
        }
        guard let id, !id.isEmpty else { throw .request("Could not determine client ID from request.") }
        let clients = state.withLock { $0.settings.clients } ?? []
        guard let client = clients.first(where: { $0.id == id }) else {
            throw .client("The OAuth client was not found.")
        }
        guard let secret, !secret.isEmpty else { throw .request("client_secret is missing.") }
        guard secret == client.secret else { throw .client("Unauthorized") }
        return client
    }
}
