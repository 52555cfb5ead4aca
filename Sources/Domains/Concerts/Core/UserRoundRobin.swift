/// A queue of numbers that serves people in turn, with each person's numbers in order.
struct UserRoundRobin {
    /// People who have numbers; the one to be served next comes first.
    private var people: [String?] = []
    private var numbers: [String?: [Int]] = [:]

    var isEmpty: Bool { people.isEmpty }

    var count: Int { numbers.values.reduce(0) { $0 + $1.count } }

    /// The number to be served next.
    var first: Int? { people.first.flatMap { numbers[$0]?.first } }

    /// Adds a number after the others of its person.
    mutating func append(_ number: Int, of person: String?) {
        if numbers[person] == nil { people.append(person) }
        numbers[person, default: []].append(number)
    }

    /// Adds a number before the others of its person, who is served next if they had none.
    mutating func prepend(_ number: Int, of person: String?) {
        if numbers[person] == nil { people.insert(person, at: 0) }
        numbers[person, default: []].insert(number, at: 0)
    }

    /// Removes ``first``; from now on its person is served after all others.
    mutating func removeFirst() {
        guard let person = people.first else { return }
        people.removeFirst()
        numbers[person]?.removeFirst()
        if numbers[person]?.isEmpty == true {
            numbers[person] = nil
        } else {
            people.append(person)
        }
    }

    /// Removes a number.
    ///
    /// - Returns: whether the queue had it.
    mutating func remove(_ number: Int) -> Bool {
        for (person, own) in numbers {
            guard let index = own.firstIndex(of: number) else { continue }
            numbers[person]?.remove(at: index)
            if own.count == 1 {
                numbers[person] = nil
                people.removeAll { $0 == person }
            }
            return true
        }
        return false
    }
}
