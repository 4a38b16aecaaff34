import ListDiff

/// A director's published list of which only those elements are here that somebody looks at, kept up to date by its stream.
///
/// A list of a million rows opens in the time of two small answers. A view shows a placeholder where an element is nil, and
/// says which rows it shows; they arrive as ``Update/loaded(_:_:)``:
///
/// ```swift
/// let live = callboard.director("log").sparseList()
/// for try await update in live {
///     switch update {
///     case .list(.replaced(let list, _)): tableView.show(list.sections)
///     case .list(.changed(let list, let changeset)): tableView.animate(changeset, to: list.sections)
///     case .loaded(let list, let paths): tableView.show(paths, of: list.sections)
///     default: break
///     }
///     live.load(tableView.visiblePaths)
/// }
/// ```
///
/// Each update carries the list that the next one begins at, so a view that takes them in order is never ahead or
/// behind. Ask again for the visible range after each update, as above: loaded rows cost nothing, and the call loads
/// rows that have moved into sight. All iterations of one value share one connection and one list, so it is to be
/// iterated once; the connection is closed when the iterating task is cancelled, and when the value and its iterators
/// are gone.
public struct LiveSparseList: AsyncSequence, Sendable {
    /// What happened to the list.
    public enum Update: Sendable {
        /// The stream's updates, as of a ``LiveList``.
        case list(ListUpdate<SparseList>)
        /// Elements have arrived at these paths; nothing else has changed.
        case loaded(SparseList, [ElementPath])
        /// Elements that were asked for have not come; they are asked for again when ``LiveSparseList/load(_:)`` is.
        case notLoaded(any Error)
    }

    /// How much is loaded and kept.
    public struct Limits: Sendable, Hashable {
        /// The elements that one request asks for; the server gives 10,000 at most.
        public var page = 100
        /// The requests that may be under way at once.
        public var requests = 4
        /// The pages that may wait for one of these; the ones that were asked for first are left out beyond it.
        public var waiting = 16
        /// The elements that are kept; beyond it those go that were asked for longest ago.
        public var elements = 5000

        /// Makes limits; the defaults suit a phone.
        public init() {}
    }

    /// What the sequence brings.
    public typealias Element = Update
    /// What it throws.
    public typealias Failure = any Error

    let reader: SparseListReader

    /// Asks for the rows of a part of a section, as far as they are not here or on their way. Callable from any thread;
    /// returns at once.
    ///
    /// The part is widened to whole pages. It refers to the list after all updates so far: call it after an update, not
    /// before.
    public func load(_ rows: Range<Int>, inSection section: Int) {
        Task { await reader.load(rows, inSection: section) }
    }

    /// Asks for the elements at some paths, such as those of the visible cells.
    public func load(_ paths: some Sequence<ElementPath>) {
        for (section, paths) in Dictionary(grouping: paths, by: \.section) {
            for rows in paths.map(\.element).ranges { load(rows, inSection: section) }
        }
    }

    /// Starts an iteration.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// One run of the list.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let reader: SparseListReader

        /// The next update, or nil once the stream is over for good.
        public func next() async throws -> Update? { try await reader.next() }

        /// The next update, or nil once the stream is over for good.
        public func next(isolation actor: isolated (any Actor)?) async throws -> Update? { try await reader.next() }
    }
}

extension [Int] {
    /// The numbers as ascending ranges without gaps.
    var ranges: [Range<Int>] {
        sorted().reduce(into: []) { ranges, number in
            if let last = ranges.last, number <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<Swift.max(last.upperBound, number + 1)
            } else {
                ranges.append(number..<number + 1)
            }
        }
    }
}

extension RemoteDirector {
    /// The director's published list, of which only those elements are loaded that are asked for.
    ///
    /// It always begins with a snapshot without elements, whatever `options` say of snapshot and resumption.
    public func sparseList(
        _ options: StreamOptions = StreamOptions(), limits: LiveSparseList.Limits = LiveSparseList.Limits()
    ) -> LiveSparseList {
        var options = options
        options.snapshot = .reference
        options.lastEventID = nil
        let reader = SparseListReader(
            events: events(options).makeAsyncIterator(), reconnect: options.reconnect, limits: limits
        ) { section, version, rows in
            try await elements(
                in: .position(section), offset: rows.lowerBound, limit: rows.count,
                state: .published(version: version)
            ).value.items
        }
        return LiveSparseList(reader: reader)
    }
}
