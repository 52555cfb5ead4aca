/// Which members the beginning of a JSON file has, and at which paths. A file is recognized by these, not by a word,
/// which may occur in any text.
///
/// A path is written as `tracks[].title`: the member `title` of the elements of the list `tracks`. Values that follow
/// one another, as in JSON Lines, have the same paths.
struct JSONOutline {
    /// How many bytes are examined.
    static let mostBytes = 1 << 18
    private static let mostPlaces = 4_096
    /// How many rows of a damaged file are examined.
    private static let mostRows = 50
    /// Members that are nested deeper are ignored.
    private static let deepest = 7
    private static let mostNames = 8

    private struct Frame {
        let path: String
        let isList: Bool
    }

    private(set) var paths: Set<String> = []
    /// The first member names of the file's objects, or of its list's elements, in order of appearance.
    private(set) var names: [String] = []

    init(_ bytes: TextBytes) throws(LibraryFileError) {
        var (frames, hidden) = ([Frame](), 0)
        var (text, isText, isEscaped) = ([UInt8](), false, false)
        var name = ""
        var count = 0
        while count < Self.mostBytes, let byte = try bytes.next() {
            count += 1
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isText = false
                    continue
                }
                // Every name that matters is short and has no escapes.
                if text.count < 100 { text.append(byte) }
                continue
            }
            switch byte {
            case 0x22: (isText, text) = (true, [])
            case 0x7B, 0x5B:
                guard hidden == 0, frames.count < Self.deepest else {
                    hidden += 1
                    continue
                }
                frames.append(Frame(path: Self.path(of: name, in: frames.last), isList: byte == 0x5B))
            case 0x7D, 0x5D:
                if hidden > 0 { hidden -= 1 } else { _ = frames.popLast() }
            case 0x3A where hidden == 0:
                guard let frame = frames.last, !frame.isList else { continue }
                name = String(decoding: text, as: UTF8.self)
                add(Self.path(of: name, in: frame))
                let isOfRow = frame.path.isEmpty || frame.path == "[]"
                if isOfRow, names.count < Self.mostNames, !names.contains(name) { names.append(name) }
            default: break
            }
        }
    }

    /// The members of a file whose beginning is damaged: those of the first rows that can be read.
    ///
    /// - Parameters:
    ///   - bytes: the file from its beginning.
    ///   - member: the member of the file's object whose list has the rows; `nil` for a list, or for values that follow
    ///     one another.
    init(rowsOf bytes: TextBytes, in member: String?) throws(LibraryFileError) {
        let rows = try JSONRows(bytes, in: member, limit: Self.mostBytes)
        let path = member.map { "\($0)[]" } ?? ""
        for _ in 0..<Self.mostRows {
            do throws(LibraryFileError) {
                guard let row = try rows.next() else { return }
                if case .value(let value) = row { add(value, at: path, depth: 0) }
            } catch {
                if error == .cancelled { throw error }
                // What precedes further damage may be enough.
                return
            }
        }
    }

    private mutating func add(_ value: JSONValue, at path: String, depth: Int) {
        guard depth < Self.deepest else { return }
        for element in value.elements ?? [] { add(element, at: path + "[]", depth: depth + 1) }
        for (name, value) in value.members ?? [:] {
            let member = path.isEmpty ? name : "\(path).\(name)"
            add(member)
            add(value, at: member, depth: depth + 1)
        }
    }

    private static func path(of name: String, in frame: Frame?) -> String {
        guard let frame else { return "" }
        if frame.isList { return frame.path + "[]" }
        return frame.path.isEmpty ? name : frame.path + "." + name
    }

    private mutating func add(_ path: String) {
        if paths.count < Self.mostPlaces { paths.insert(path) }
    }

    /// Whether the objects at a path have all of these members.
    ///
    /// - Parameter path: the path: empty for the file's own objects, `[]` for the elements of its list.
    func has(_ members: [String], at path: String) -> Bool {
        members.allSatisfy { paths.contains(path.isEmpty ? $0 : "\(path).\($0)") }
    }

    /// The names of the members of the objects at a path.
    func members(at path: String) -> [String] {
        let beginning = path.isEmpty ? "" : path + "."
        return paths.compactMap { path in
            guard path.hasPrefix(beginning) else { return nil }
            let rest = path.dropFirst(beginning.count)
            return rest.contains { $0 == "." || $0 == "[" } ? nil : String(rest)
        }
    }
}
