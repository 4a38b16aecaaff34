import Directors
import HTTPTypes
import ListDiff

// Answers that may be as long as a list: where they are, they are made elsewhere than on a loop.

extension Reply {
    /// A section, as a read answers it.
    static func section(
        _ section: Section, _ query: Query, status: HTTPResponse.Status = .ok, location: String? = nil
    ) -> Reply {
        content(status: status, work: Coding.work(section, query), location: location) { Coding.encode(section, query) }
    }

    /// Sections that were added.
    static func added(_ sections: Slice<SectionList>, _ query: Query) -> Reply {
        content(status: .created, work: Coding.work(sections, query)) { Coding.list(sections, query) }
    }

    /// The page of sections that a query asks for.
    static func page(_ sections: SectionList, _ query: Query) -> Reply {
        let window = sections.window(query.page.offset, query.page.limit)
        return content(work: Coding.work(window, query)) { Coding.page(sections, query) }
    }

    /// The page of elements that a query asks for.
    static func page(_ elements: PersistentList<Element>, _ query: Query) -> Reply {
        let window = elements.window(query.page.offset, query.page.limit)
        return content(work: Coding.work(window)) { Coding.page(elements, query) }
    }
}
