/** How much of a table is laid out: everything, all but what is optional, or each row as a card; the first that has room. */
const layouts = ["whole", "fewer", "cards"];

/**
 * Keeps a table within its box: `fit(isOther)` is to be called when rows have changed, with whether there are other rows than
 * before; a box of another width is noticed.
 */
export function fitting(box, grid) {
  let width = 0, at = 0;
  const lay = to => box.dataset.layout = layouts[at = to];
  function fit(isAnew) {
    if (!box.offsetWidth || grid.hidden) return;
    if (isAnew && at > 0) lay(0);
    while (at + 1 < layouts.length && grid.offsetWidth > box.clientWidth) lay(at + 1);
  }
  lay(0);
  new ResizeObserver(() => {
    // The outer width: a scroll bar that comes with a layout does not ask for another one.
    if (box.offsetWidth !== width) width = box.offsetWidth, fit(true);
  }).observe(box, { box: "border-box" });
  return fit;
}
