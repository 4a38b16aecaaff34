import CallboardClient

/// A view's totals in words.
enum TotalsText {
    /// The totals of the whole view, such as `open 9, amount 35`; empty without any.
    static func whole(_ totals: JSONObject) -> String {
        text(totals.members.lazy.filter { $0.value.objectValue == nil }.map { ($0.name, $0.value) })
    }

    /// The totals of a section; empty without any.
    static func section(_ id: String, _ totals: JSONObject) -> String {
        text(totals.members.lazy.compactMap { total in total.value.objectValue?[id].map { (total.name, $0) } })
    }

    private static func text(_ totals: some Sequence<(String, JSON)>) -> String {
        totals.map { name, value in
            TextWidth.printable("\(name) \(value == .null ? "none" : value.plainText ?? value.text)")
        }
        .joined(separator: ", ")
    }
}
