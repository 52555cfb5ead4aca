import Foundation
import TestProcesses
import Testing

@testable import FaultHistories

@Suite("Devices of histories of people")
struct PersonDeviceTests {
    private func card(_ id: String, _ name: String = "ada", follow: String = "following") -> PersonDevice.Card {
        PersonDevice.Card(id: id, username: name, displayName: nil, follow: follow, followsMe: false)
    }

    private func item(_ number: Int, _ card: PersonDevice.Card) -> PersonDevice.Change {
        PersonDevice.Change(number: number, kind: "person", id: card.id, card: card)
    }

    private func gone(_ number: Int, _ id: String, kind: String = "itemsOf") -> PersonDevice.Change {
        PersonDevice.Change(number: number, kind: kind, id: id, card: nil)
    }

    @Test("A list that arrives after newer changes brings nobody back, and removes nobody who is new")
    func lateLists() {
        var device = PersonDevice(name: "the device")
        device.apply(item(5, card("one")))
        device.apply(gone(7, "one"))
        device.apply(item(8, card("two")))
        device.apply([.init(items: [card("one"), card("three")], nextCursor: nil, seq: 6)], resets: 0)
        #expect(Set(device.cards.keys) == ["two", "three"])
        // A later list without them.
        device.apply([.init(items: [card("two")], nextCursor: nil, seq: 9)], resets: 0)
        #expect(Set(device.cards.keys) == ["two"])
        // Changes that the list already has change nothing.
        device.apply(item(9, card("two", "grace")))
        device.apply([.init(items: [card("two", "hedy")], nextCursor: nil, seq: 12)], resets: 0)
        device.apply(item(11, card("two", "old")))
        #expect(device.cards["two"]?.username == "hedy" && device.complaints.isEmpty)
        // Lists from before a reset are dropped.
        device.reset()
        device.apply([.init(items: [card("two")], nextCursor: nil, seq: 20)], resets: 0)
        #expect(device.cards.isEmpty)
    }

    @Test("Changes that arrive twice, out of order or after the end are noticed")
    func complaints() throws {
        var twice = PersonDevice(name: "the device")
        twice.apply(item(5, card("one")))
        twice.apply(item(5, card("one")))
        #expect(twice.complaints == ["the device got change 5 (person one) twice"])
        var fallen = PersonDevice(name: "the device")
        fallen.apply(item(5, card("one")))
        fallen.apply(gone(4, "two"))
        #expect(fallen.complaints == ["the device got change 4 after change 5"])
        var late = PersonDevice(name: "the device")
        let lines = #"{"kind":"person","id":"one","seq":9,"gone":true}"# + "\n" + #"{"end":8,"since":"8"}"# + "\n"
        _ = try late.read(Data(lines.utf8), since: "3")
        #expect(late.complaints.count == 1)
    }

    @Test("A stream that is opened again within a change may repeat what has come of it, and nothing else")
    func resumption() {
        var device = PersonDevice(name: "the device")
        device.apply(item(4, card("two")))
        device.apply(gone(5, "one"))
        device.resume(within: 5)
        device.apply(gone(5, "one"))
        device.apply(gone(5, "one", kind: "person"))
        #expect(device.complaints.isEmpty)
        device.apply(gone(5, "one"))
        #expect(device.complaints == ["the device got change 5 (itemsOf one) twice"])
    }

    @Test("An answer without its last line is not applied, and one with reset asks for the lists")
    func cutAnswers() throws {
        var device = PersonDevice(name: "the device")
        let item = #"{"id":"one","username":"ada","follow":"none","followsMe":true}"#
        let line = #"{"kind":"person","id":"one","seq":9,"item":\#(item)}"# + "\n"
        let cut = try device.read(Data(line.utf8), since: "3")
        #expect(cut == nil && device.cards.isEmpty)
        let whole = try device.read(Data((line + #"{"end":9,"since":"x-9"}"#).utf8), since: "3")
        #expect(whole?.since == "x-9" && whole?.mustReset == false)
        #expect(device.cards["one"]?.isListed == true)
        let lines = #"{"reset":["person"]}"# + "\n" + #"{"end":9,"since":"y-9"}"#
        let reset = try device.read(Data(lines.utf8), since: "1")
        #expect(reset?.mustReset == true && device.complaints.isEmpty)
    }

    @Test("An act is answered as the model says, except for a repetition of what ended the acquaintance")
    func model() {
        var model = PeopleModel(usernames: ["one", "two", "three"])
        #expect(model.perform(.show(1, to: .followers)) == .done)
        #expect(model.perform(.follow(0, 1)) == .done)
        #expect(model.followState(0, 1) == "requested" && model.askers(1) == [0])
        #expect(model.perform(.accept(1, 0)) == .done)
        #expect(model.following(0) == [1] && model.followers(1) == [0] && model.askers(1) == [])
        #expect(model.perform(.show(0, to: .private)) == .done)
        #expect(model.perform(.unfollow(1, 0)) == .unknown)
        #expect(model.perform(.removeFollower(1, 0)) == .done)
        #expect(model.perform(.removeFollower(1, 0)) == .unknown && PeopleAct.removeFollower(1, 0).endsAcquaintance)
        #expect(model.perform(.block(0, 1)) == .done)
        #expect(!model.sees(0, 1) && !model.sees(1, 0) && model.blocked(0) == [1] && model.blocked(1) == [])
        #expect(model.perform(.erase(1)) == .done)
        #expect(model.blocked(0) == [] && model.perform(.follow(1, 2)) == .signedOut)
    }
}
