/// Numbers that wait: people take turns, and each one's go in the order in which they came.
struct PersonTurns {
    /// Those who have any, whose turn is next first.
    private var people: [String?] = []
    private var numbers: [String?: [Int]] = [:]

    var isEmpty: Bool { people.isEmpty }

    var count: Int { numbers.values.reduce(0) { $0 + $1.count } }

    /// Whose turn it is: their first number.
    var first: Int? { people.first.flatMap { numbers[$0]?.first } }

    /// Puts a number behind those of its person.
    mutating func append(_ number: Int, of person: String?) {
        if numbers[person] == nil { people.append(person) }
        numbers[person, default: []].append(number)
    }

    /// Puts a number before those of its person, who is next if they had none.
    mutating func prepend(_ number: Int, of person: String?) {
        if numbers[person] == nil { people.insert(person, at: 0) }
        numbers[person, default: []].insert(number, at: 0)
    }

    /// Takes ``first``, whose person is behind all others then.
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

    /// Takes a number out, wherever it stands; says whether it was there.
    mutating func remove(_ number: Int) -> Bool {
        for (person, own) in numbers {
            guard let place = own.firstIndex(of: number) else { continue }
            numbers[person]?.remove(at: place)
            if own.count == 1 {
                numbers[person] = nil
                people.removeAll { $0 == person }
            }
            return true
        }
        return false
    }
}
