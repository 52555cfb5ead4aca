import Contracts
import Foundation
import Model
import Pictures
import Platform

// The readers are the target's own.
@testable import Curation

extension HostileParser {
    /// The readers of what other processes, models and services send.
    static let messages: [HostileParser] = [
        HostileParser("frames", mostMemory: 20, seeds: frameSeeds) { bytes in
            if let message = try? WorkerMessage(decoding: bytes) { _ = message.encoded() }
            if let message = try? GatewayMessage(decoding: bytes) { _ = message.encoded() }
        },
        HostileParser("model-answers", mostMemory: 40, mostBytes: 1 << 20, seeds: answerSeeds) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            _ = ModelAnswer(text)?.bound(to: [CandidateSong]())
            _ = ModelAnswer(planIn: text, genres: ["Rock"], artists: ["Ann"])
        },
        HostileParser("prompts", mostMemory: 10, mostBytes: 65_536, seeds: promptSeeds) { bytes in
            let text = PromptText.cleaned(String(decoding: bytes, as: UTF8.self), limit: CurationRequest.longestWish)
            let analysis = PromptAnalysis(text)
            _ = (
                analysis.wanted, analysis.unwantedNames, analysis.phrases, analysis.agreement(withGenre: "Heavy Metal")
            )
            _ = (analysis.names(text), analysis.rejects("Zoë Käfer"), analysis.rejects(genre: "Heavy Metal"))
        },
        HostileParser("pictures", mostMemory: 10, mostBytes: 1 << 20, seeds: pictureSeeds) {
            _ = try? CheckedPicture($0)
        },
        HostileParser("values", mostMemory: 10, mostBytes: 65_536, seeds: valueSeeds) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            _ = (Timestamp(rfc3339: text)?.description, LocalDate(text)?.dayNumber, LocalTime(text), ReleaseDate(text))
            _ = (MediaAddress(text), AddressRange(text), LibraryID(text), Money(amountText: text, currency: "EUR"))
            _ = (ISRC.normalized(text), UUIDv7.isWellFormed(text), Int(decimal: text, in: .min ... .max))
            _ = (Int(json: text, in: 0...10), Double(decimal: text, in: -1...1), FoldedText.words(of: text))
        },
    ]

    // MARK: Seeds

    private static let frameSeeds: [[UInt8]] = [
        WorkerMessage.hello(
            WorkerIntroduction(
                name: "w", instance: "e", processID: 1, version: "1", capacity: 4,
                kinds: [KindVersion(kind: "a.b", version: 1)])
        ).encoded(),
        WorkerMessage.cleared([JobRun(jobID: UUIDv7.next(), run: 3)]).encoded(),
        WorkerMessage.changed(userIDs: ["a", "b"]).encoded(), WorkerMessage.draining.encoded(),
        GatewayMessage.welcome(heartbeatMilliseconds: 2_000).encoded(),
    ]
    private static let answerSeeds = [
        #"""
        ```json
        {"songs":[1,"2",{"number":3,"why":["genre"]}],"discoveries":[{"title":"A","artist":"B"}]}
        ```
        """#,
        #"""
        <think>{</think>{"genres":["Rock"],"years":{"from":1980,"to":"1989"},"artists":[1],"order":"newest"}
        """#,
    ]
    private static let promptSeeds = [
        "Rainy Sunday, no jazz or blues, anything but Zoë Käfer; nothing I heard this month",
        "from 1995 to 1998, unplayed",
        "the 90s, 80er, 70年代, not too loud metal, but without ballads",
    ]
    private static let pictureSeeds: [[UInt8]] = [
        [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 9, 0, 0, 0, 9,
            8, 6,
        ],
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC0, 0, 11, 8, 0, 9, 0, 9, 1, 1, 0x11, 0],
        Array("GIF89a".utf8) + [9, 0, 9, 0, 0],
        Array("RIFF....WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 8, 0, 0],
        Array("RIFF....WEBPVP8L".utf8) + [5, 0, 0, 0, 0x2F, 8, 0, 2, 0],
    ]
    private static let valueSeeds = [
        "2020-02-29T23:59:58.123456789+01:00", "2020-02-29", "23:59", "1981-12", "https://a.example/x?y=1",
        "10.0.0.0/8", "2001:db8::/32", "12.50", "us-abc-12-34567", "-9223372036854775808", "1.2e1", "Ａé ß",
    ]
}
