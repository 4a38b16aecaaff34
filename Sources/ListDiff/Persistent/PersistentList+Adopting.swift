extension PersistentList {
    /// A list of some elements that shares as much with this list as can be shared.
    ///
    /// What comes in whole and is mostly what is here already becomes this list with a few changes: an element that is
    /// the same as one of this list is replaced by that one, and where such elements keep their order, the list shares the
    /// memory of this one.
    ///
    /// - Parameters:
    ///   - elements: What the list will hold.
    ///   - isSame: Tells whether an element of this list can stand for one of `elements`; only elements whose hashes are
    ///     equal can.
    @inlinable
    public func adopting(_ elements: [Element], isSame: (_ old: Element, _ new: Element) -> Bool) -> Self {
        var common = self
        if elements.count == count {
            for position in indices where !isSame(self[position], elements[position]) {
                common.replace(at: position, with: elements[position])
            }
            return common
        }
        return Self(elements)
    }
}
