/// What the beginning of a JSON file tells of it.
enum JSONHead {
    /// The names of an object's own members, as far as the beginning goes. Names in other values do not count.
    static func names(_ text: ArraySlice<UInt8>) -> Set<String> {
        var (names, depth) = (Set<String>(), 0)
        var (current, isText, isEscaped) = ([UInt8](), false, false)
        // NUL is every other byte of UTF-16.
        for byte in text where byte != 0 {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isText = false
                    continue
                }
                current.append(byte)
                continue
            }
            switch byte {
            case 0x22: (isText, current) = (true, [])
            case 0x7B, 0x5B: depth += 1
            case 0x7D, 0x5D: depth -= 1
            case 0x3A where depth == 1: names.insert(String(decoding: current, as: UTF8.self))
            default: break
            }
        }
        return names
    }
}
