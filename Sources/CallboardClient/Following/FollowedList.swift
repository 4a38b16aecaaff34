import Foundation
import ListDiff
import Observation

/// A director's published list as an app shows it: kept up to date, with the app's own changes on top, also without a network.
///
/// ```swift
/// let list = callboard.follow("contacts")
/// ForEach(list.sections, id: \.id) { section in … }
/// ```
///
/// SwiftUI observes it, and draws a view anew that has read what changes. A `RemoteTableDirector` shows it in a table. The list
/// follows the server from its making until nobody holds it.
@MainActor @Observable
public final class FollowedList {
    /// The director.
    public let director: RemoteDirector
    /// The part of the list that is followed.
    public let selection: ListSelection
    /// The sections to show: the published ones, with changes that are shown ahead of the server.
    public internal(set) var sections: [RemoteSection] = []
    /// The published state; nil before there is one.
    public internal(set) var published: RemoteList?
    /// Whether the list is what the server has.
    public internal(set) var status: ListStatus = .connecting
    /// The elements that could not be shown, by the newest fault of each; emptied when the list is replaced.
    public internal(set) var faults: [ElementFault] = []
    /// Why the list could not be kept for the next start, the last time; nil where it could.
    public internal(set) var storeFault: ListStoreError?
    /// Why the last report could not be kept; nil where it could.
    public internal(set) var reportFault: ReportQueueError?
    /// The queue that takes the list's reports.
    @ObservationIgnored public let reports: ReportQueue

    @ObservationIgnored var overlays = ListOverlays()
    @ObservationIgnored var listeners: [Int: (ListTransition) -> Void] = [:]
    @ObservationIgnored private var nextListener = 0
    @ObservationIgnored let store: ListStore?
    @ObservationIgnored private var following: TaskHolder?
    /// Reports on their way to the queue, in their order.
    @ObservationIgnored private let outgoing: Outbox
    @ObservationIgnored var saving: TaskHolder?

    /// How many elements both sides of a difference may have that is made on the device, where the server's does not fit;
    /// a longer list is shown anew as a whole.
    static let differenceLimit = 20_000
    /// How many faults are kept.
    static let faultLimit = 100

    init(
        _ director: RemoteDirector, _ selection: ListSelection, _ options: StreamOptions, _ store: ListStore?,
        _ reports: ReportQueue
    ) {
        (self.director, self.selection, self.store, self.reports) = (director, selection, store, reports)
        let outgoing = Outbox()
        self.outgoing = outgoing
        Task { [weak self, events = outgoing.events] in
            // What was reported goes on, also where nobody holds the list any more.
            for await event in events {
                do throws(ReportQueueError) {
                    try await reports.add(event, to: director.name, selecting: selection)
                    if self?.reportFault != nil { self?.reportFault = nil }
                } catch {
                    self?.reportFault = error
                }
            }
        }
        let stored = store?.list(of: director, selection)
        if let stored { show(stored) }
        let live = director.list(options, selecting: selection, startingWith: stored)
        following = TaskHolder(
            Task { [weak self] in
                do {
                    for try await update in live { self?.take(update) }
                    self?.end(.over)
                } catch let error as ClientError {
                    self?.end(.failed(error))
                } catch {
                    // The task was cancelled: nobody holds the list.
                }
            })
    }

    /// The director's properties, adapters and hooks; nil before there is a published state.
    public var definition: ListDefinition? { published?.definition }

    /// The totals of a view, by name; nil before there is a published state, and empty for a director without any.
    public var totals: JSONObject? { published?.totals }

    /// Whether there may be a later version than the one that is shown.
    public var isStale: Bool { status != .live }

    /// Calls a function after each change, until what is returned is let go of.
    public func onTransition(_ body: @escaping @MainActor (ListTransition) -> Void) -> ListListening {
        let id = nextListener
        nextListener += 1
        listeners[id] = body
        return ListListening { [weak self] in
            Task { @MainActor in self?.listeners[id] = nil }
        }
    }

    /// Reports a notification, such as `didSelect`. The queue keeps it, and sends it until it has arrived.
    ///
    /// Reports arrive in the order of the calls.
    public func report(_ event: ListEvent) { outgoing.add(event) }

    /// Asks a question of the list's hooks, and waits for the answers, one for each element.
    ///
    /// - Throws: As ``RemoteDirector/ask(_:selecting:)`` does.
    public func ask(_ event: ListEvent) async throws -> [EventAnswer] {
        try await director.ask(event, selecting: selection)
    }

    /// Notes that an element could not be shown.
    public func note(_ fault: ElementFault) {
        guard !faults.contains(fault) else { return }
        faults.removeAll {
            $0.section.isVerbatim(fault.section) && $0.element.isVerbatim(fault.element) && $0.model == fault.model
        }
        if faults.count == FollowedList.faultLimit { faults.removeFirst() }
        faults.append(fault)
    }
}
