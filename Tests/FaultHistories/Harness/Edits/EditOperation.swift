import TestProcesses

/// One step of a history of edits.
///
/// A step does nothing if what it names is missing, since a shrunk history lacks steps.
package enum EditOperation: Codable, Sendable, Equatable {
    /// The person asks Backline for a change.
    case edit(AskedEdit)
    /// Other people change a playlist in the service's own app.
    case others(OthersChange)
    /// The answers to the next requests of a kind are faulty.
    case injectFault(call: ServiceCall, fault: String, times: Int, retryAfter: Int?)
    /// The answer to the next request of a kind is held back.
    case hold(call: ServiceCall)
    /// Waits at most a second and a half for a request whose answer is held back; then does something and releases the
    /// answer.
    case whileHeld(service: Service, disturbance: Disturbance)
    case disturb(Disturbance)
    /// Starts a process that has ended.
    case start(role: Role)
    case resume(role: Role)
    /// Connects a service again, with or without the permission to change playlists.
    case reconnect(service: Service, isWithheld: Bool)
    /// The person syncs the libraries.
    case sync
    /// Sets the wall clock of all processes to the given number of seconds from the correct time.
    case setClock(offsetSeconds: Int)
    /// Copies the database with `backline backup`.
    case backUp
    /// Ends all processes, restores the last copy, and starts them again.
    case restore
    /// Waits at most three seconds for the end of an edit.
    case await(tag: Int)
    case pause(milliseconds: Int)
}

package enum Service: String, Codable, Sendable, CaseIterable, Comparable {
    case spotify, appleMusic

    package static func < (left: Service, right: Service) -> Bool { left.rawValue < right.rawValue }

    var other: Service { self == .spotify ? .appleMusic : .spotify }
}

/// A playlist of a history.
package enum ListName: Codable, Sendable, Hashable {
    /// An initial playlist.
    case given(Service, Int)
    /// A playlist that an edit makes.
    case made(Service, tag: Int)

    package var service: Service {
        switch self {
        case .given(let service, _), .made(let service, _): service
        }
    }
}

/// A change that the person asks Backline for.
package struct AskedEdit: Codable, Sendable, Equatable {
    package enum Kind: Codable, Sendable, Equatable {
        /// Adds songs at the end.
        case add(ListName, songs: [Int])
        /// Removes entries, at positions modulo the length of the list.
        case remove(ListName, positions: [Int])
        case create(Service, songs: [Int])
        case rename(ListName)
        /// Copies a playlist to the other service.
        case copy(ListName)
    }

    /// The edit's number, by which other steps refer to it.
    package var tag: Int
    package var kind: Kind

    package init(tag: Int, _ kind: Kind) { (self.tag, self.kind) = (tag, kind) }
}

/// A change of a playlist that other people make.
package struct OthersChange: Codable, Sendable, Equatable {
    package enum Kind: Codable, Sendable, Equatable {
        case append(song: Int)
        case insert(song: Int, position: Int)
        case removeEntry(position: Int)
        case removeSong(song: Int)
        case move(from: Int, to: Int)
        case delete
        /// Makes another playlist with the same name.
        case createTwin
    }

    /// Backline's request before or after which the change happens.
    package struct Moment: Codable, Sendable, Equatable {
        package var call: ServiceCall
        /// The number of the request, counted from now on.
        package var request: Int
        package var isAfter: Bool

        package init(_ call: ServiceCall, request: Int = 1, isAfter: Bool) {
            (self.call, self.request, self.isAfter) = (call, request, isAfter)
        }
    }

    package var kind: Kind
    package var list: ListName
    /// The request at which the change happens; `nil` for an immediate change.
    package var moment: Moment?

    package init(_ kind: Kind, of list: ListName, at moment: Moment? = nil) {
        (self.kind, self.list, self.moment) = (kind, list, moment)
    }
}

/// A kind of request that Backline sends to a service.
package struct ServiceCall: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// A write that adds songs to a playlist.
        case add
        /// A write that removes songs; only at Spotify.
        case remove
        case create
        /// A request that reads a playlist or its entries.
        case read
        /// A request that reads entries.
        case entries
        /// A page of the list of playlists.
        case lists
    }

    package var service: Service
    package var kind: Kind

    package init(_ service: Service, _ kind: Kind) { (self.service, self.kind) = (service, kind) }

    /// The part of the endpoint's name at the simulator.
    var endpoint: String {
        switch (service, kind) {
        case (.spotify, .add): "POST /spotify/v1/playlists/{id}/items"
        case (.spotify, .remove): "DELETE /spotify/v1/playlists/{id}/items"
        case (.spotify, .create): "POST /spotify/v1/me/playlists"
        case (.spotify, .read): "GET /spotify/v1/playlists/{id}"
        case (.spotify, .entries): "GET /spotify/v1/playlists/{id}/items"
        case (.spotify, .lists): "GET /spotify/v1/me/playlists"
        case (.appleMusic, .add), (.appleMusic, .remove): "POST /apple-music/v1/me/library/playlists/{id}/tracks"
        case (.appleMusic, .create): "POST /apple-music/v1/me/library/playlists"
        case (.appleMusic, .read): "GET /apple-music/v1/me/library/playlists/{id}"
        case (.appleMusic, .entries): "GET /apple-music/v1/me/library/playlists/{id}/tracks"
        case (.appleMusic, .lists): "GET /apple-music/v1/me/library/playlists"
        }
    }
}

/// What happens to the processes or to a connection.
package enum Disturbance: Codable, Sendable, Equatable {
    /// `kill -9`.
    case kill(role: Role)
    /// `kill -9` of both workers.
    case killWorkers
    /// `SIGTERM`.
    case drain(role: Role)
    /// `SIGSTOP`.
    case stop(role: Role)
    /// `SIGSTOP` of both workers, and `SIGCONT` after the given number of milliseconds.
    case stopWorkers(milliseconds: Int)
    /// The person withdraws Backline's access at a service.
    case revoke(service: Service)
    /// The person cancels the job of an edit.
    case cancel(tag: Int)
}
