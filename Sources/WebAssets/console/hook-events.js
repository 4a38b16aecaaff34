/** The events of each kind of list, by where a hook for them can be registered. */

/** What cells of tables and of collections have. */
const both = "contextMenu willDisplayContextMenu performContextAction performPrimaryAction shouldBeginMultipleSelection "
  + "didBeginMultipleSelection prepareItemForDrag addItemToDragSession";
const tableCell = "didSelect willSelect didDeselect willDeselect rowHeight rowHeightEstimated willDisplay endDisplay dequeue "
  + "indentLevel prefetch cancelPrefetch tapOnAccessory canEditRow commitEdit editActions editStyle deleteConfirmTitle "
  + "editShouldIndent willBeginEdit didEndEdit canMoveRow moveRow moveAdjustDestination leadingSwipeActions "
  + "trailingSwipeActions shouldHighlight didHighlight didUnhighlight shouldShowMenu canPerformMenuAction "
  + "performMenuAction canFocus shouldSpringLoad " + both;
const collectionCell = "didSelect shouldSelect didDeselect shouldDeselect itemSize willDisplay endDisplay dequeue prefetch "
  + "cancelPrefetch shouldHighlight didHighlight didUnhighlight shouldShowEditMenu canPerformEditAction performEditAction "
  + "canFocus shouldSpringLoad shouldExpand willExpand shouldCollapse willCollapse " + both;
const views = "willDisplayHeader willDisplayFooter endDisplayHeader endDisplayFooter willBeginDragSession didEndDragSession "
  + "dragSessionRestrictedToApp dragSessionAllowsMoveOperation acceptDropSession dropSessionDidEnter dropSessionDidUpdate "
  + "dropSessionDidExit dropSessionDidEnd performDrop";

const events = {
  cell: {
    table: tableCell, other: collectionCell,
    stack: "onTap rowHeight willDisplay endDisplay dequeue shouldHighlight didHighlight didUnhighlight",
  },
  view: {
    table: "willDisplay endDisplay dequeue headerHeight footerHeight estHeaderHeight estFooterHeight",
    other: "willDisplay didDisplay endDisplay dequeue referenceSize",
    stack: "willDisplay endDisplay dequeue",
  },
  list: {
    table: `sectionForSectionIndex ${views}`,
    other: `layoutDidChange targetOffset moveItemPath shouldUpdateFocus didUpdateFocus ${views}`,
    stack: "didUpdateLayout contentSizeDidChange",
  },
};
const scroll = "didScroll endScrollingAnimation shouldScrollToTop didScrollToTop willBeginDragging willEndDragging endDragging "
  + "willBeginDecelerating endDecelerating viewForZooming willBeginZooming endZooming didZoom "
  + "didChangeAdjustedContentInset";

/** What the server asks by itself: the elements of a section or a model row. */
const source = "models";

/** The events that can be registered at a site of a list of that kind. */
export function eventsAt(site, kind) {
  if (site === "section") return [source];
  const group = { adapter: "cell", row: "cell", view: "view", list: "list" }[site];
  const own = (group ? events[group][kind in events.cell ? kind : "other"] : scroll).split(" ");
  return site === "row" ? [...own, source] : own;
}
