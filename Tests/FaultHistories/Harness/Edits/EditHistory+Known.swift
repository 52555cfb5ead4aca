extension EditHistory {
    private static let list = ListName.given(.spotify, 0)
    private static let (add, remove) = (ServiceCall(.spotify, .add), ServiceCall(.spotify, .remove))
    private static let (new, create) = (ListName.made(.appleMusic, tag: 1), ServiceCall(.appleMusic, .create))

    /// Histories that once lost or duplicated a song, or left the library wrong.
    package static let known = [
        // Others add a song right before ours: the version after our write is not that of the library's list.
        EditHistory(
            seed: 1, setup: Setup(),
            operations: [
                .others(OthersChange(.append(song: 2), of: list, at: .init(add, isAfter: false))),
                .edit(AskedEdit(tag: 1, .add(list, songs: [1]))), .await(tag: 1), .sync,
            ]),
        // The consent is withdrawn after entries were removed and before the remaining ones are put back.
        EditHistory(
            seed: 2, setup: Setup(),
            operations: twice + [
                .hold(call: remove), .edit(AskedEdit(tag: 2, .remove(list, positions: [6]))),
                .whileHeld(service: .spotify, disturbance: .revoke(service: .spotify)), .await(tag: 2),
                .reconnect(service: .spotify, isWithheld: false), .await(tag: 2),
            ]),
        // Others add the same song while a removal waits after its comparison.
        EditHistory(
            seed: 3, setup: Setup(),
            operations: twice + [
                .injectFault(call: remove, fault: "limit429", times: 1, retryAfter: 1),
                .others(OthersChange(.append(song: 3), of: list, at: .init(remove, isAfter: true))),
                .edit(AskedEdit(tag: 2, .remove(list, positions: [6]))), .await(tag: 2),
            ]),
        // Others remove another song right before the removal, and the answer to the song's return is lost.
        EditHistory(
            seed: 4, setup: Setup(),
            operations: twice + [
                .others(OthersChange(.removeEntry(position: 0), of: list, at: .init(remove, isAfter: false))),
                .injectFault(call: add, fault: "loseAnswer", times: 1, retryAfter: nil),
                .edit(AskedEdit(tag: 2, .remove(list, positions: [6]))), .await(tag: 2),
            ]),
        // A playlist is not made, and others make one of the same name.
        EditHistory(
            seed: 5, setup: Setup(),
            operations: [
                .injectFault(call: ServiceCall(.spotify, .create), fault: "drop", times: 1, retryAfter: nil),
                .others(
                    OthersChange(
                        .createTwin, of: .made(.spotify, tag: 1),
                        at: .init(ServiceCall(.spotify, .create), isAfter: true))),
                .edit(AskedEdit(tag: 1, .create(.spotify, songs: [1, 2]))), .await(tag: 1),
            ]),
        // An answer is lost, and the consent is withdrawn before the service can be read.
        EditHistory(
            seed: 6, setup: Setup(),
            operations: [
                .injectFault(call: add, fault: "loseAnswer", times: 1, retryAfter: nil),
                .edit(AskedEdit(tag: 1, .add(list, songs: [1, 2]))), .pause(milliseconds: 200),
                .disturb(.revoke(service: .spotify)), .await(tag: 1),
                .reconnect(service: .spotify, isWithheld: false), .await(tag: 1),
            ]),
        // Others remove a song and add one right before ours: the list is as long as the library expects.
        EditHistory(
            seed: 7, setup: Setup(),
            operations: [
                .others(OthersChange(.removeEntry(position: 0), of: list, at: .init(add, isAfter: false))),
                .others(OthersChange(.append(song: 2), of: list, at: .init(add, isAfter: false))),
                .edit(AskedEdit(tag: 1, .add(list, songs: [1]))), .await(tag: 1), .sync,
            ]),
        // An answer is lost, and Apple Music shows the playlists that others make with the same name, but not the new
        // one yet.
        EditHistory(
            seed: 8, setup: Setup(showsAfterCalls: 6, showsDatesAtOnce: true),
            operations: [
                .others(OthersChange(.createTwin, of: new, at: .init(create, isAfter: false))),
                .hold(call: create), .edit(AskedEdit(tag: 1, .create(.appleMusic, songs: [1, 2, 3]))),
                .whileHeld(service: .appleMusic, disturbance: .killWorkers),
                .others(OthersChange(.createTwin, of: new)),
                .start(role: .first), .start(role: .second), .await(tag: 1),
            ]),
        // The clock jumps ahead during the run whose answer is lost, and is correct afterwards.
        EditHistory(
            seed: 9, setup: Setup(),
            operations: [
                .injectFault(call: add, fault: "slow", times: 1, retryAfter: nil),
                .edit(AskedEdit(tag: 1, .add(list, songs: [1, 2]))), .pause(milliseconds: 200),
                .setClock(offsetSeconds: 3_600), .pause(milliseconds: 800), .setClock(offsetSeconds: 0), .await(tag: 1),
            ]),
    ]

    /// Gives the first playlist a song twice, at positions 6 and 7.
    private static let twice: [EditOperation] = [
        .edit(AskedEdit(tag: 1, .add(list, songs: [3, 3]))), .await(tag: 1), .sync, .pause(milliseconds: 300),
    ]
}
