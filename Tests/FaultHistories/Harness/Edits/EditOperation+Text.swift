/// The texts of steps, for people who read a failing history.
extension EditOperation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .edit(let edit): "request: \(edit)"
        case .others(let change): "others \(change)"
        case .injectFault(let call, let fault, let times, let seconds):
            "spoil the next \(times) answers to \(call) with \(fault)"
                + (seconds.map { " and Retry-After: \($0)" } ?? "")
        case .hold(let call): "hold back the answer to the next \(call)"
        case .whileHeld(let service, let disturbance):
            "when \(service)'s answer is kept back: \(disturbance); then let it go"
        case .disturb(let disturbance): "\(disturbance)"
        case .start(let role): "start \(role)"
        case .resume(let role): "SIGCONT \(role)"
        case .reconnect(let service, let isWithheld):
            "connect \(service) again" + (isWithheld ? ", without the permission to change playlists" : "")
        case .sync: "read the libraries"
        case .setClock(let seconds): "set the wall clock to \(seconds) s from the correct time"
        case .backUp: "back up the database"
        case .restore: "end all processes, restore the backup, and start them"
        case .await(let tag): "wait for the end of edit \(tag)"
        case .pause(let milliseconds): "wait \(milliseconds) ms"
        }
    }
}

extension Service: CustomStringConvertible {
    package var description: String { self == .spotify ? "Spotify" : "Apple Music" }
}

extension ListName: CustomStringConvertible {
    package var description: String {
        switch self {
        case .given(let service, let index): "playlist \(index + 1) at \(service)"
        case .made(let service, let tag): "the playlist that edit \(tag) makes at \(service)"
        }
    }
}

extension AskedEdit: CustomStringConvertible {
    package var description: String {
        func text(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }
        let change =
            switch kind {
            case .add(let list, let songs): "add the songs \(text(songs)) to \(list)"
            case .remove(let list, let positions): "remove the entries at \(text(positions)) from \(list)"
            case .create(let service, let songs): "make a playlist of the songs \(text(songs)) at \(service)"
            case .rename(let list): "rename \(list)"
            case .copy(let list): "copy \(list) to \(list.service.other)"
            }
        return "edit \(tag): \(change)"
    }
}

extension OthersChange: CustomStringConvertible {
    package var description: String {
        let change =
            switch kind {
            case .append(let song): "add song \(song) at the end of \(list)"
            case .insert(let song, let position): "add song \(song) at position \(position) of \(list)"
            case .removeEntry(let position): "remove the entry at \(position) from \(list)"
            case .removeSong(let song): "remove an entry of song \(song) from \(list)"
            case .move(let from, let to): "move the entry at \(from) to \(to) in \(list)"
            case .delete: "delete \(list)"
            case .createTwin: "make a playlist with the name of \(list)"
            }
        return change
            + (moment.map {
                " right \($0.isAfter ? "after" : "before") the effect of the next \($0.call)"
                    + ($0.request > 1 ? " (number \($0.request))" : "")
            } ?? "")
    }
}

extension ServiceCall: CustomStringConvertible {
    package var description: String { endpoint }
}

extension Disturbance: CustomStringConvertible {
    package var description: String {
        switch self {
        case .kill(let role): "kill -9 \(role)"
        case .killWorkers: "kill -9 both workers"
        case .drain(let role): "SIGTERM \(role)"
        case .stop(let role): "SIGSTOP \(role)"
        case .stopWorkers(let milliseconds): "SIGSTOP both workers for \(milliseconds) ms"
        case .revoke(let service): "withdraw the consent at \(service)"
        case .cancel(let tag): "cancel the job of edit \(tag)"
        }
    }
}
