import Storage

@testable import Visibility

extension WriteTransaction {
    /// Adds active people with ids of their own, in order.
    func addPeople(_ count: Int, visibility: ProfileVisibility = .public) throws -> [Viewer] {
        try (0..<count).map { number in
            let userID = "person \(number)"
            return Viewer(key: try self.visibility.add(userID: userID, visibility: visibility), userID: userID)
        }
    }
}
