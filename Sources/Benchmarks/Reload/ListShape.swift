/// How many sections a list has, and how many elements each of them.
struct ListShape: Sendable {
    let sections: Int
    let elements: Int

    /// A million elements in one section.
    static let long = ListShape(sections: 1, elements: 1_000_000)
    /// As many in a thousand sections.
    static let wide = ListShape(sections: 1_000, elements: 1_000)
    /// The yardstick: a thousand elements in one section.
    static let small = ListShape(sections: 1, elements: 1_000)

    /// As `long` and `small`, in four sections: the fewest of which two can be swapped that are no neighbours.
    static let longQuarters = ListShape(sections: 4, elements: 250_000)
    static let smallQuarters = ListShape(sections: 4, elements: 250)

    /// Such as `1 x 1,000,000`.
    var name: String {
        "\(sections.grouped) x \(elements.grouped)"
    }
}
