import Directors
import ListDiff

/// An entry of a list whose identity is a number of the view's own.
protocol NumberedEntry: AnyObject, Sendable {
    /// The number, unique in the view.
    var serial: Int { get }
}

/// An element that belongs to a view, with all that its expressions give.
final class Member: NumberedEntry {
    let serial: Int
    /// The number of the source's section that it stands in.
    let home: Int
    /// The element as readers get it.
    let shown: Element
    /// The values that decide its place.
    let content: MemberContent

    init(serial: Int, home: Int, shown: Element, content: MemberContent) {
        self.serial = serial
        self.home = home
        self.shown = shown
        self.content = content
    }
}

/// The values of a view's expressions for one element.
struct MemberContent: Sendable {
    /// The key of its section; nil where sections are the source's, or one.
    var section: SectionKey?
    /// The sort keys, in the order of the rules.
    var keys: [SortKey] = []
    /// A number that stands for the first sort key: a member with a lower one stands in front.
    var leading: UInt64 = 0
    /// Its amount in each total; nil for none, and for a total that counts elements.
    var amounts: [SortKey?] = []
}

/// An element that an expression has failed on.
final class FaultyElement: NumberedEntry {
    let serial: Int
    /// The element's identifier.
    let identifier: String
    /// The expression, as a pointer into the definition, and why it has no value.
    let fault: Fault

    init(serial: Int, identifier: String, fault: Fault) {
        self.serial = serial
        self.identifier = identifier
        self.fault = fault
    }
}

/// The key of a grouped view's section.
///
/// Keys whose identifiers are equal are of one section: the number 1 and the text `1`.
final class SectionKey: Sendable {
    /// The identifier of the section.
    let identifier: String
    /// The key's place in the order of sections.
    let order: SortKey

    init(identifier: String, order: SortKey) {
        self.identifier = identifier
        self.order = order
    }
}

/// A hash of a serial number, spread evenly (the finalizer of SplitMix64).
func hash(ofSerial serial: Int) -> Int {
    var mixed = UInt64(bitPattern: Int64(serial)) &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: mixed ^ (mixed >> 31))
}

extension PersistentList {
    /// The position of the element that has a hash and matches, of which there is one at most; nil if it is not here.
    ///
    /// - Complexity: O(log *n*).
    func position(hash: Int, where matches: (Element) -> Bool) -> Int? {
        switch soleMatch(hash: hash, where: matches) {
        case .none: nil
        case .one(let position): position
        case .several: firstPosition(hash: hash, where: matches)
        }
    }
}
