"""Every event of the contract: what kind it is, where it is fired, what may be answered and what UIKit does without.

Written from the contract, FlowKit's closures and UIKit's documentation, apart from the server's own table on purpose:
a name, a type or a default that the two do not share is a fault of one of them.
"""

from dataclasses import dataclass, field
from typing import Any

# The names as the contract lists them. The entries below have to be exactly these.
CONTRACT = {
    "table cell": """
        dequeue willDisplay rowHeight rowHeightEstimated canEditRow commitEdit editActions canMoveRow moveRow
        indentLevel prefetch cancelPrefetch shouldSpringLoad tapOnAccessory willSelect didSelect willDeselect
        didDeselect willBeginEdit didEndEdit editStyle deleteConfirmTitle editShouldIndent moveAdjustDestination
        endDisplay shouldShowMenu canPerformMenuAction performMenuAction shouldHighlight didHighlight didUnhighlight
        canFocus leadingSwipeActions trailingSwipeActions contextMenu willDisplayContextMenu performContextAction
        shouldBeginMultipleSelection didBeginMultipleSelection performPrimaryAction prepareItemForDrag
        addItemToDragSession""",
    "collection cell": """
        dequeue shouldSelect shouldDeselect didSelect didDeselect didHighlight didUnhighlight shouldHighlight
        willDisplay endDisplay shouldShowEditMenu canPerformEditAction performEditAction canFocus itemSize prefetch
        cancelPrefetch shouldSpringLoad contextMenu willDisplayContextMenu performContextAction
        shouldBeginMultipleSelection didBeginMultipleSelection performPrimaryAction shouldExpand willExpand
        shouldCollapse willCollapse prepareItemForDrag addItemToDragSession""",
    "table header/footer": """
        dequeue headerHeight footerHeight estHeaderHeight estFooterHeight endDisplay willDisplay""",
    "collection header/footer": """
        dequeue referenceSize didDisplay endDisplay willDisplay""",
    "table director": """
        sectionForSectionIndex willDisplayHeader willDisplayFooter endDisplayHeader endDisplayFooter
        willBeginDragSession didEndDragSession dragSessionRestrictedToApp dragSessionAllowsMoveOperation
        acceptDropSession performDrop dropSessionDidUpdate dropSessionDidEnter dropSessionDidExit
        dropSessionDidEnd""",
    "collection director": """
        layoutDidChange targetOffset moveItemPath shouldUpdateFocus didUpdateFocus willDisplayHeader willDisplayFooter
        endDisplayHeader endDisplayFooter willBeginDragSession didEndDragSession dragSessionRestrictedToApp
        dragSessionAllowsMoveOperation acceptDropSession performDrop dropSessionDidUpdate dropSessionDidEnter
        dropSessionDidExit dropSessionDidEnd""",
    "stack cell": """
        dequeue willDisplay endDisplay rowHeight onTap shouldHighlight didHighlight didUnhighlight""",
    "stack header/footer": """
        dequeue willDisplay endDisplay""",
    "stack director": """
        didUpdateLayout contentSizeDidChange""",
    "scroll": """
        didScroll endScrollingAnimation shouldScrollToTop didScrollToTop willBeginDragging willEndDragging endDragging
        willBeginDecelerating endDecelerating viewForZooming willBeginZooming endZooming didZoom
        didChangeAdjustedContentInset""",
}

# Which sources a director of each kind has.
SOURCES = {
    "table": ["table cell", "table header/footer", "table director", "scroll"],
    "collection": ["collection cell", "collection header/footer", "collection director", "scroll"],
    "flow": ["collection cell", "collection header/footer", "collection director", "scroll"],
    "stack": ["stack cell", "stack header/footer", "stack director", "scroll"],
}

# Where a hook of each source is registered, below its director.
TARGETS = {
    "table cell": "adapters/Person/events",
    "collection cell": "adapters/Person/events",
    "stack cell": "adapters/Person/events",
    "stack header/footer": "header-footer-adapters/Banner/events",
    "stack director": "events",
    "table header/footer": "header-footer-adapters/Banner/events",
    "collection header/footer": "header-footer-adapters/Banner/events",
    "table director": "events",
    "collection director": "events",
    "scroll": "scroll-events",
}

# The element that events are fired for, and one beside it.
PATH, OTHER = [0, 1], [0, 2]


@dataclass(frozen=True)
class Answers:
    """What a question may be answered: two values that are not UIKit's, and some that do not fit."""

    value: Any
    default: Any
    bad: list


@dataclass(frozen=True)
class Event:
    """One event; without `answers` it is a notification.

    `where` are the members of a report that say for what it is fired, besides its parameters.
    """

    name: str
    where: dict[str, Any] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)
    answers: Answers | None = None
    uikit: Any = None


YES = Answers(True, True, [1, "true", None, {}])
NO = Answers(False, False, [0, "false", None, []])
HEIGHT = Answers(61.5, 20, [-5, "60", True, None, {"height": 4}])
SIZE = Answers(
    {"width": 120.5, "height": 80}, {"width": 1, "height": 0}, [120, {"width": 10}, {"width": -1, "height": 4}, None])
NUMBER = Answers(3, 1, [1.5, "2", None, True, -1])
SECTION = Answers(0, 0, [1.5, "0", None, True, -1, 2])
POINT = Answers({"x": 10, "y": -4.5}, {"x": 1, "y": 2}, [4, {"x": 1}, {"x": "1", "y": 2}, [1, 2], None])
PLACE = Answers([0, 2], [1, 0], [None, [0], [0, -1], "0,1", [0, 1, 2], [0.5, 1], [0, 4], [2, 0]])
PLACE_OR_NONE = Answers(None, [0, 2], [[0], [0, -1], "0,1", False, {"section": 0}, [0, 3], [2, 0]])
TEXT_OR_NONE = Answers("Remove", "Away", [4, True, ["Remove"]])
STYLE = Answers("insert", "none", ["remove", 1, None])
ACTIONS = Answers(
    [{"title": "Delete", "style": "destructive"}, {"title": "Flag"}], [],
    ["Delete", [4], [{"style": "normal"}], {"title": "x"}])

DRAGGED = Answers(
    [{"text": "Ada Lovelace", "type": "public.utf8-plain-text", "localObject": {"id": 7}}], [{"localObject": 1}],
    [None, "Ada", [{}], [{"type": "public.url"}], [{"text": 4}], [{"text": "x", "sourceIndexPath": [0]}]])
PROPOSAL = Answers(
    {"operation": "move", "intent": "insertAtDestinationIndexPath"}, {"operation": "forbidden"},
    ["move", None, {}, {"intent": "automatic"}, {"operation": "link"}])
SCREEN = {"width": 390, "height": 844}


def cell(name: str, answers: Answers | None = None, uikit: Any = None, **parameters) -> Event:
    return Event(name, {"indexPath": PATH}, parameters, answers, uikit)


def cells(name: str) -> Event:
    return Event(name, {"indexPaths": [PATH, OTHER]})


def header(name: str, answers: Answers | None = None, uikit: Any = None) -> Event:
    return Event(name, {"header": 0}, {}, answers, uikit)


def footer(name: str, answers: Answers | None = None, uikit: Any = None) -> Event:
    return Event(name, {"footer": 0}, {}, answers, uikit)


def director(name: str, answers: Answers | None = None, uikit: Any = None, **parameters) -> Event:
    return Event(name, {}, parameters, answers, uikit)


def drag_and_drop() -> list[Event]:
    """The events of a list that is dragged from or dropped on, the same of tables and collections."""
    items = [{"text": "Ada", "sourceIndexPath": PATH}]
    return [
        director("willBeginDragSession", items=items),
        director("didEndDragSession"),
        director("dragSessionRestrictedToApp", YES, False, items=items),
        director("dragSessionAllowsMoveOperation", NO, True),
        director("acceptDropSession", NO, True, items=items),
        director("performDrop", items=items, destination=OTHER, proposal=PROPOSAL.value),
        director("dropSessionDidUpdate", PROPOSAL, {"operation": "cancel"}, destination=None, items=items),
        director("dropSessionDidEnter", items=items),
        director("dropSessionDidExit"),
        director("dropSessionDidEnd"),
    ]


def menus_and_selection() -> list[Event]:
    """The events of a cell that UIKit has got since FlowKit, the same of tables and collections."""
    return [
        cell("contextMenu", ACTIONS, None, point={"x": 4, "y": 60}),
        cell("willDisplayContextMenu"),
        cell("performContextAction", action="flag"),
        cell("shouldBeginMultipleSelection", YES, False),
        cell("didBeginMultipleSelection"),
        cell("performPrimaryAction"),
    ]


def dragged() -> list[Event]:
    return [
        cell("prepareItemForDrag", DRAGGED, []),
        cell("addItemToDragSession", DRAGGED, [], point={"x": 4, "y": 60}, items=[{"text": "Ada"}]),
    ]


EVENTS = {
    "table cell": [
        cell("dequeue"),
        cell("willDisplay"),
        cell("rowHeight", HEIGHT, -1, size=SCREEN),
        cell("rowHeightEstimated", HEIGHT, -1),
        cell("canEditRow", NO, True),
        cell("commitEdit", style="delete"),
        cell("editActions", ACTIONS, None),
        cell("canMoveRow", YES, False),
        cell("moveRow", to=OTHER),
        cell("indentLevel", NUMBER, 0),
        cells("prefetch"),
        cells("cancelPrefetch"),
        cell("shouldSpringLoad", NO, True),
        cell("tapOnAccessory"),
        cell("willSelect", PLACE_OR_NONE, PATH),
        cell("didSelect"),
        cell("willDeselect", PLACE_OR_NONE, PATH),
        cell("didDeselect"),
        cell("willBeginEdit"),
        cell("didEndEdit"),
        cell("editStyle", STYLE, "delete"),
        cell("deleteConfirmTitle", TEXT_OR_NONE, None),
        cell("editShouldIndent", NO, True),
        cell("moveAdjustDestination", PLACE, [0, 0], proposed=[0, 0]),
        cell("endDisplay"),
        cell("shouldShowMenu", YES, False),
        cell("canPerformMenuAction", YES, False, action="copy:"),
        cell("performMenuAction", action="copy:"),
        cell("shouldHighlight", NO, True),
        cell("didHighlight"),
        cell("didUnhighlight"),
        cell("canFocus", NO, True),
        cell("leadingSwipeActions", ACTIONS, None),
        cell("trailingSwipeActions", ACTIONS, None),
        *menus_and_selection(),
        *dragged(),
    ],
    "collection cell": [
        cell("dequeue"),
        cell("shouldSelect", NO, True),
        cell("shouldDeselect", NO, True),
        cell("didSelect"),
        cell("didDeselect"),
        cell("didHighlight"),
        cell("didUnhighlight"),
        cell("shouldHighlight", NO, True),
        cell("willDisplay"),
        cell("endDisplay"),
        cell("shouldShowEditMenu", YES, False),
        cell("canPerformEditAction", YES, False, action="copy:"),
        cell("performEditAction", action="copy:"),
        cell("canFocus", NO, True),
        cell("itemSize", SIZE, {"width": 50, "height": 50}, size=SCREEN),
        cells("prefetch"),
        cells("cancelPrefetch"),
        cell("shouldSpringLoad", NO, True),
        *menus_and_selection(),
        cell("shouldExpand", NO, True),
        cell("willExpand"),
        cell("shouldCollapse", NO, True),
        cell("willCollapse"),
        *dragged(),
    ],
    "table header/footer": [
        header("dequeue"),
        header("headerHeight", HEIGHT, -1),
        footer("footerHeight", HEIGHT, -1),
        header("estHeaderHeight", HEIGHT, -1),
        footer("estFooterHeight", HEIGHT, -1),
        footer("endDisplay"),
        header("willDisplay"),
    ],
    "collection header/footer": [
        footer("dequeue"),
        header("referenceSize", SIZE, {"width": 0, "height": 0}),
        header("didDisplay"),
        header("endDisplay"),
        footer("willDisplay"),
    ],
    "table director": [
        director("sectionForSectionIndex", SECTION, 1, title="P", index=0),
        header("willDisplayHeader"),
        footer("willDisplayFooter"),
        header("endDisplayHeader"),
        footer("endDisplayFooter"),
        *drag_and_drop(),
    ],
    "collection director": [
        director("layoutDidChange", TEXT_OR_NONE, None, old="grid", new="list"),
        director("targetOffset", POINT, {"x": 3, "y": 4}, proposed={"x": 3, "y": 4}),
        cell("moveItemPath", PLACE, [0, 0], proposed=[0, 0]),
        director("shouldUpdateFocus", NO, True, previous=PATH, next=OTHER),
        director("didUpdateFocus", previous=None, next=OTHER, heading="down"),
        header("willDisplayHeader"),
        footer("willDisplayFooter"),
        header("endDisplayHeader"),
        footer("endDisplayFooter"),
        *drag_and_drop(),
    ],
    "stack cell": [
        cell("dequeue"),
        cells("willDisplay"),
        cell("endDisplay"),
        cell("rowHeight", HEIGHT, -1, size=SCREEN),
        cell("onTap"),
        cell("shouldHighlight", NO, True),
        cell("didHighlight"),
        cell("didUnhighlight"),
    ],
    "stack header/footer": [
        header("dequeue"),
        footer("willDisplay"),
        header("endDisplay"),
    ],
    "stack director": [
        director("didUpdateLayout"),
        director("contentSizeDidChange", old={"width": 320, "height": 900}, new=SCREEN),
    ],
    "scroll": [
        director("didScroll", contentOffset={"x": 0, "y": 120.5}),
        director("endScrollingAnimation"),
        director("shouldScrollToTop", NO, True),
        director("didScrollToTop"),
        director("willBeginDragging"),
        director("willEndDragging", velocity={"x": 0, "y": 1.25}, targetOffset={"x": 0, "y": 900}),
        director("endDragging", willDecelerate=True),
        director("willBeginDecelerating"),
        director("endDecelerating"),
        director("viewForZooming", TEXT_OR_NONE, None),
        director("willBeginZooming", view="photo"),
        director("endZooming", view="photo", scale=2.5),
        director("didZoom", scale=2),
        director("didChangeAdjustedContentInset", inset={"top": 88, "left": 0, "bottom": 34, "right": 0}),
    ],
}

# What cannot be asked or told without.
REQUIRED = {
    "commitEdit": ["style"], "moveRow": ["to"], "moveAdjustDestination": ["proposed"], "moveItemPath": ["proposed"],
    "targetOffset": ["proposed"], "sectionForSectionIndex": ["title", "index"], "canPerformMenuAction": ["action"],
    "performMenuAction": ["action"], "canPerformEditAction": ["action"], "performEditAction": ["action"], "performContextAction": ["action"],
}

# Every event in every kind of director that has it.
CASES = [(kind, source, event) for kind, sources in SOURCES.items() for source in sources for event in EVENTS[source]]
