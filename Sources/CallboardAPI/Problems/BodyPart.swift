/// Which part of an operation's JSON form the body of a request is.
///
/// Directors name what is wrong by pointers on operations, as `POST …/operations` takes them. A request's body is often
/// a part of one: the section that is to be added, the patch alone, a bare value. A pointer in an answer has to name a
/// member of the body as it was sent.
enum BodyPart: Sendable {
    /// The body stands at the first pointer, and what stands there in the operation stands at the second one in the body.
    case part(String, at: String)
    /// The body is an array of bare values: each is the `value` of an element in the operation's member `elements`.
    case bareValues
    /// The body is a bare value: the `value` of the element at this pointer.
    case bareValue(String)

    /// The body is what stands at a pointer.
    static func value(at pointer: String) -> BodyPart { .part(pointer, at: "") }

    /// The body is the operation, but for its name and for what the path says.
    static let whole = BodyPart.part("", at: "")

    /// The pointer into the body of what a pointer on the operation names; `nil` where that is not in the body.
    func pointer(fromOperation pointer: String) -> String? {
        switch self {
        case .part(let part, let place):
            return Self.rest(of: pointer, after: part).map { place + $0 }
        case .bareValue(let element):
            return Self.rest(of: pointer, after: element).map { Self.rest(of: $0, after: "/value") ?? "" }
        case .bareValues:
            guard let inList = Self.rest(of: pointer, after: "/elements") else { return nil }
            let index = inList.dropFirst().prefix { $0 != "/" }
            guard !index.isEmpty else { return "" }
            let inElement = String(inList.dropFirst(index.count + 1))
            // The model is the query's: what is wrong with it is told of the value.
            return "/\(index)" + (Self.rest(of: inElement, after: "/value") ?? "")
        }
    }

    /// The rest of a pointer after another pointer that it begins with; nil if it does not begin with that.
    private static func rest(of pointer: String, after part: String) -> String? {
        guard pointer == part || pointer.hasPrefix(part + "/") else { return nil }
        return String(pointer.dropFirst(part.count))
    }
}
