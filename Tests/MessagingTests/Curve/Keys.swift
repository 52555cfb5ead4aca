import Model

@testable import Messaging

/// A gateway's key pair, and the key pairs of workers, some of which it allows.
struct Keys {
    let gateway: CurveKeyPair
    let gate = KeyGate(KeyRegister())

    init() throws {
        gateway = try .generate()
    }

    var gatewaySecurity: MessagingSecurity { .gateway(gateway, gate) }

    func security(of pair: CurveKeyPair) -> MessagingSecurity { .worker(pair, gatewayKey: gateway.publicKey) }

    static func register(allowing pairs: CurveKeyPair..., revoking revoked: [CurveKeyPair] = []) -> KeyRegister {
        let time = Timestamp(microseconds: 1_000_000)
        func keys(_ pairs: [CurveKeyPair], prefix: String, revokedAt: Timestamp?) -> [WorkerKey] {
            pairs.enumerated().map {
                WorkerKey(name: "\(prefix)\($0)", publicKey: $1.publicKey, createdAt: time, revokedAt: revokedAt)
            }
        }
        return KeyRegister(
            keys(pairs, prefix: "allowed", revokedAt: nil) + keys(revoked, prefix: "revoked", revokedAt: time))
    }

    /// A gateway that answers and allows these keys.
    func router(
        allowing pairs: CurveKeyPair..., at endpoint: String = "tcp://127.0.0.1:*",
        options: MessagingOptions = MessagingOptions()
    ) async throws -> RouterUnderTest {
        let time = Timestamp(microseconds: 1_000_000)
        _ = gate.replace(
            KeyRegister(
                pairs.enumerated().map {
                    WorkerKey(name: "allowed\($0)", publicKey: $1.publicKey, createdAt: time, revokedAt: nil)
                }))
        return try await RouterUnderTest(
            Endpoint(endpoint), options: options, security: gatewaySecurity, answers: true)
    }
}

extension RouterUnderTest {
    /// The refusals so far, by reason; reasons without refusals are left out.
    var refusedCounts: [Refusal.Reason: Int] { router.statistics.refused.filter { $0.value > 0 } }
}

extension DealerUnderTest {
    /// Sends a message, and waits for the answer.
    func expectAnswer(_ byte: UInt8) async {
        dealer.send([byte])
        await arrivals.wait { $0.contains([byte]) }
    }
}
