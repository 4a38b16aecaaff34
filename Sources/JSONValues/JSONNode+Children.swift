extension JSONNode {
    /// The members of an object in the order of the text; empty for any other kind.
    package var members: Members {
        Members(tape: tape, range: children(of: .object))
    }

    /// The elements of an array in the order of the text; empty for any other kind.
    package var elements: Elements {
        Elements(tape: tape, range: children(of: .array))
    }

    /// The value of an object's member of this name, compared scalar by scalar without normalisation.
    ///
    /// - Complexity: O(*m*) in the number of members.
    package subscript(name: String) -> JSONNode? {
        for member in members where member.isNamed(name) {
            return member.value
        }
        return nil
    }

    private func children(of kind: JSONKind) -> Range<Int> {
        self.kind == kind ? index + 1..<Int(entry.next) : index..<index
    }

    /// A member of an object.
    package struct Member: Sendable {
        let nameNode: JSONNode

        /// The value.
        package var value: JSONNode {
            JSONNode(tape: nameNode.tape, index: nameNode.index + 1)
        }

        /// The name, its escapes resolved.
        package var name: String {
            nameNode.string ?? ""
        }

        /// Tells whether the member has this name, scalar by scalar, without making a string of its own name.
        package func isNamed(_ name: String) -> Bool {
            nameNode.contentBytes.elementsEqual(name.utf8)
        }
    }

    /// The members of an object.
    package struct Members: Sequence, Sendable {
        let tape: Tape
        let range: Range<Int>

        /// Starts over at the first member.
        package func makeIterator() -> Iterator {
            Iterator(tape: tape, range: range)
        }

        /// Goes from member to member.
        package struct Iterator: IteratorProtocol {
            let tape: Tape
            var range: Range<Int>

            /// The next member.
            package mutating func next() -> Member? {
                guard !range.isEmpty else { return nil }
                let name = JSONNode(tape: tape, index: range.lowerBound)
                range = Int(tape.entries[range.lowerBound + 1].next)..<range.upperBound
                return Member(nameNode: name)
            }
        }
    }

    /// The elements of an array.
    package struct Elements: Sequence, Sendable {
        let tape: Tape
        let range: Range<Int>

        /// Starts over at the first element.
        package func makeIterator() -> Iterator {
            Iterator(tape: tape, range: range)
        }

        /// Goes from element to element.
        package struct Iterator: IteratorProtocol {
            let tape: Tape
            var range: Range<Int>

            /// The next element.
            package mutating func next() -> JSONNode? {
                guard !range.isEmpty else { return nil }
                let node = JSONNode(tape: tape, index: range.lowerBound)
                range = Int(tape.entries[range.lowerBound].next)..<range.upperBound
                return node
            }
        }
    }
}
