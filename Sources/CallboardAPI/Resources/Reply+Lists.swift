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

extension Reply {
    /// A row, as it is read by itself.
    static func row(
        _ row: Row, in section: String, at position: Int, _ query: Query, status: HTTPResponse.Status = .ok,
        location: String? = nil
    ) -> Reply {
        content(status: status, work: Coding.work([row], query), location: location) {
            Coding.encode(row, in: section, at: position, query)
        }
    }

    /// Rows that were added.
    static func added(_ rows: Slice<PersistentList<Row>>, _ query: Query) -> Reply {
        content(status: .created, work: Coding.work(rows, query)) {
            list(rows, query, offset: 0, limit: rows.count, total: rows.count)
        }
    }

    /// The page of rows that a query asks for.
    static func page(_ rows: PersistentList<Row>, _ query: Query) -> Reply {
        let (offset, limit) = query.page
        let window = rows.window(offset, limit)
        return content(work: Coding.work(window, query)) {
            list(window, query, offset: offset, limit: limit, total: rows.count)
        }
    }

    private static func list(
        _ rows: Slice<PersistentList<Row>>, _ query: Query, offset: Int, limit: Int, total: Int
    ) -> [UInt8] {
        let withElements = query.flag("elements", otherwise: true)
        return ListForm.rows.page(rows, offset: offset, limit: limit, total: total) {
            Coding.write($0, withElements: withElements, to: &$1)
        }
    }
}
