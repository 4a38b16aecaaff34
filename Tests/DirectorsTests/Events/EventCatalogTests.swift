import JSONValues
import Testing

@testable import Directors

@Suite("The catalogue of events")
struct EventCatalogTests {
    /// The contract's list, by source, word for word.
    static let contract: [(source: EventSource, names: String)] = [
        (
            .tableCell,
            """
            dequeue willDisplay rowHeight rowHeightEstimated canEditRow commitEdit editActions canMoveRow moveRow \
            indentLevel prefetch cancelPrefetch shouldSpringLoad tapOnAccessory willSelect didSelect willDeselect \
            didDeselect willBeginEdit didEndEdit editStyle deleteConfirmTitle editShouldIndent moveAdjustDestination \
            endDisplay shouldShowMenu canPerformMenuAction performMenuAction shouldHighlight didHighlight \
            didUnhighlight canFocus leadingSwipeActions trailingSwipeActions contextMenu willDisplayContextMenu \
            performContextAction shouldBeginMultipleSelection didBeginMultipleSelection performPrimaryAction \
            prepareItemForDrag addItemToDragSession
            """
        ),
        (
            .collectionCell,
            """
            dequeue shouldSelect shouldDeselect didSelect didDeselect didHighlight didUnhighlight shouldHighlight \
            willDisplay endDisplay shouldShowEditMenu canPerformEditAction performEditAction canFocus itemSize \
            prefetch cancelPrefetch shouldSpringLoad contextMenu willDisplayContextMenu performContextAction \
            shouldBeginMultipleSelection didBeginMultipleSelection performPrimaryAction shouldExpand willExpand \
            shouldCollapse willCollapse prepareItemForDrag addItemToDragSession
            """
        ),
        (
            .tableHeaderFooter,
            "dequeue headerHeight footerHeight estHeaderHeight estFooterHeight endDisplay willDisplay"
        ),
        (.collectionHeaderFooter, "dequeue referenceSize didDisplay endDisplay willDisplay"),
        (
            .tableDirector,
            """
            sectionForSectionIndex willDisplayHeader willDisplayFooter endDisplayHeader endDisplayFooter \
            willBeginDragSession didEndDragSession dragSessionRestrictedToApp dragSessionAllowsMoveOperation \
            acceptDropSession performDrop dropSessionDidUpdate dropSessionDidEnter dropSessionDidExit \
            dropSessionDidEnd
            """
        ),
        (
            .collectionDirector,
            """
            layoutDidChange targetOffset moveItemPath shouldUpdateFocus didUpdateFocus willDisplayHeader \
            willDisplayFooter endDisplayHeader endDisplayFooter willBeginDragSession didEndDragSession \
            dragSessionRestrictedToApp dragSessionAllowsMoveOperation acceptDropSession performDrop \
            dropSessionDidUpdate dropSessionDidEnter dropSessionDidExit dropSessionDidEnd
            """
        ),
        (
            .stackCell,
            "dequeue willDisplay endDisplay rowHeight onTap shouldHighlight didHighlight didUnhighlight"
        ),
        (.stackHeaderFooter, "dequeue willDisplay endDisplay"),
        (.stackDirector, "didUpdateLayout contentSizeDidChange"),
        (
            .scroll,
            """
            didScroll endScrollingAnimation shouldScrollToTop didScrollToTop willBeginDragging willEndDragging \
            endDragging willBeginDecelerating endDecelerating viewForZooming willBeginZooming endZooming didZoom \
            didChangeAdjustedContentInset
            """
        ),
        (.section, "models"),
    ]

    @Test("each source has the contract's events, every one and no other", arguments: EventSource.allCases)
    func names(_ source: EventSource) throws {
        let names = try #require(Self.contract.first { $0.source == source }?.names)
        let wanted = names.split(separator: " ").map(String.init)
        let events = EventCatalog.events(of: source)
        #expect(events.map(\.name).sorted() == wanted.sorted())
        #expect(events.allSatisfy { $0.source == source })
        for name in wanted { #expect(EventCatalog.event(name, of: source)?.name == name) }
    }

    @Test("there are 146 events")
    func count() {
        #expect(EventCatalog.all.count == 146)
        #expect(EventCatalog.event("didTap", of: .tableCell) == nil)
        #expect(EventCatalog.event("rowHeight", of: .collectionCell) == nil)
    }

    /// Every question with the type of its answer and UIKit's default, as the table has them in words.
    static let questions: [(source: EventSource, rows: String)] = [
        (
            .tableCell,
            """
            rowHeight height -1; rowHeightEstimated height -1; canEditRow boolean true; editActions actions null
            canMoveRow boolean false; indentLevel integer 0; shouldSpringLoad boolean true
            willSelect optionalIndexPath [0,1]; willDeselect optionalIndexPath [0,1]; editStyle editStyle "delete"
            deleteConfirmTitle optionalString null; editShouldIndent boolean true
            moveAdjustDestination indexPath [1,0]; shouldShowMenu boolean false; canPerformMenuAction boolean false
            shouldHighlight boolean true; canFocus boolean true; leadingSwipeActions swipeActions null
            trailingSwipeActions swipeActions null; contextMenu actions null
            shouldBeginMultipleSelection boolean false; prepareItemForDrag dragItems []
            addItemToDragSession dragItems []
            """
        ),
        (
            .collectionCell,
            """
            shouldSelect boolean true; shouldDeselect boolean true; shouldHighlight boolean true
            shouldShowEditMenu boolean false; canPerformEditAction boolean false; canFocus boolean true
            itemSize size {"width":50,"height":50}; shouldSpringLoad boolean true; contextMenu actions null
            shouldBeginMultipleSelection boolean false; shouldExpand boolean true; shouldCollapse boolean true
            prepareItemForDrag dragItems []; addItemToDragSession dragItems []
            """
        ),
        (
            .tableHeaderFooter,
            """
            headerHeight height -1; footerHeight height -1; estHeaderHeight height -1; estFooterHeight height -1
            """
        ),
        (.collectionHeaderFooter, #"referenceSize size {"width":0,"height":0}"#),
        (
            .tableDirector,
            """
            sectionForSectionIndex integer 1; dragSessionRestrictedToApp boolean false
            dragSessionAllowsMoveOperation boolean true; acceptDropSession boolean true
            dropSessionDidUpdate dropProposal {"operation":"cancel"}
            """
        ),
        (
            .collectionDirector,
            """
            layoutDidChange optionalString null; targetOffset point {"x":1,"y":2}; moveItemPath indexPath [1,0]
            shouldUpdateFocus boolean true; dragSessionRestrictedToApp boolean false
            dragSessionAllowsMoveOperation boolean true; acceptDropSession boolean true
            dropSessionDidUpdate dropProposal {"operation":"cancel"}
            """
        ),
        (.stackCell, "rowHeight height -1; shouldHighlight boolean true"),
        (.scroll, "shouldScrollToTop boolean true; viewForZooming optionalString null"),
    ]

    @Test("every question has the type and the default that UIKit's method has, and nothing else asks")
    func kinds() throws {
        var wanted: Set<String> = []
        for (source, rows) in Self.questions {
            let list = rows.split { $0 == ";" || $0 == "\n" }.map { $0.split(separator: " ").joined(separator: " ") }
            for row in list { wanted.insert("\(source): \(row)") }
        }
        var found: Set<String> = []
        for event in EventCatalog.forUIs {
            let resolved = try #require(try EventSample(event).resolved().first)
            guard let type = event.answerType else {
                #expect(resolved.defaultAnswers.isEmpty)
                continue
            }
            #expect(resolved.defaultAnswers.count == 1)
            let answer = try #require(resolved.defaultAnswers.first)
            #expect(throws: Never.self) { try type.check(answer.document.root) }
            found.insert("\(event.source): \(event.name) \(type) \(answer.text)")
        }
        #expect(found.subtracting(wanted).isEmpty && wanted.subtracting(found).isEmpty)
    }

    @Test("what the contract calls a notification by its beginning is one, and what it calls a question asks")
    func prefixes() {
        for event in EventCatalog.forUIs {
            let isQuestion = event.answerType != nil
            let asks = ["should", "can"].contains { event.name.hasPrefix($0) } && !event.name.hasPrefix("cancel")
            let tells = ["did", "will", "end"].contains { event.name.hasPrefix($0) }
            if asks { #expect(isQuestion, "\(event.name)") }
            if tells, !["willSelect", "willDeselect"].contains(event.name) { #expect(!isQuestion, "\(event.name)") }
        }
        for name in ["tapOnAccessory", "commitEdit", "moveRow", "prefetch", "cancelPrefetch", "dequeue"] {
            #expect(EventCatalog.event(name, of: .tableCell)?.answerType == nil)
        }
    }

    @Test("the questions about sizes take the size of the list, and no other event does")
    func sizes() {
        let sized = EventCatalog.all.filter { $0.parameters.contains { $0.name == "size" } }
        let measured = EventCatalog.forUIs.filter {
            switch $0.answerType {
            case .height, .size: true
            default: false
            }
        }
        #expect(sized.map(\.name) == measured.map(\.name) && sized.count == 9)
        #expect(sized.allSatisfy { $0.parameters.allSatisfy { $0.type == .size && !$0.isRequired } })
    }

    @Test("every event says when it is fired, after which method of UIKit, and what its parameters are")
    func texts() {
        for event in EventCatalog.forUIs {
            #expect(!event.summary.isEmpty && !event.summary.hasSuffix("."), "\(event.name)")
            let handlers = ["SectionSnapshotHandlers.", "ScrollStackRow"]
            let isHandler = handlers.contains { event.delegateMethod.contains($0) }
            #expect(event.delegateMethod.hasSuffix(")") || isHandler, "\(event.name)")
            #expect(Set(event.parameters.map(\.name)).count == event.parameters.count, "\(event.name)")
            if case .parameter(let name)? = event.defaultRule {
                #expect(event.parameters.contains { $0.name == name && $0.isRequired && $0.type == event.answerType })
            }
            if event.isBatchable { #expect(event.place == .element) }
        }
    }

    @Test("a name that is misspelt is answered with the names that there are, the nearest first")
    func nearest() {
        #expect(EventCatalog.names(of: [.tableCell], nearestTo: "didSelct").first == "didSelect")
        #expect(EventCatalog.names(of: [.scroll], nearestTo: "DIDSCROL").first == "didScroll")
        #expect(EventCatalog.names(of: [.tableCell], nearestTo: String(repeating: "x", count: 10_000)).count == 42)
        let both = EventCatalog.names(of: [.tableCell, .tableHeaderFooter], nearestTo: "")
        #expect(both.filter { $0 == "willDisplay" }.count == 1)
        let sentence = EventCatalog.unknown("headerHigh", of: .tableHeaderFooter)
        #expect(
            sentence.hasPrefix(
                #"a table's header/footer adapter has no event "headerHigh"; it has headerHeight, "#))
        for event in EventCatalog.events(of: .tableHeaderFooter) { #expect(sentence.contains(event.name)) }
    }
}
