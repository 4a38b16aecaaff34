// What is wrong with how a page stands in its window, whatever it shows: the body of a function that returns sentences.
const faults = new Set();
const named = node => `${node.tagName.toLowerCase()}.${node.className} ${JSON.stringify((node.ariaLabel || node.textContent).slice(0, 30))}`;
const isShown = node => node.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });
const shown = [...document.querySelectorAll("body *")].filter(node => isShown(node) && !node.closest(".unseen, .skip, svg"));
/** Whether a text is one word of usual length that stands in two lines. */
function isBroken(child) {
  if (child.nodeType !== Node.TEXT_NODE || !/^\S{1,14}$/.test(child.data.trim())) return false;
  const range = document.createRange();
  range.selectNodeContents(child);
  return range.getClientRects().length > 1;
}

if (document.documentElement.scrollWidth > innerWidth) faults.add("the page is wider than the window");
for (const node of shown) {
  const { left, right, width, height } = node.getBoundingClientRect(), style = getComputedStyle(node);
  if (node.matches(".title") && node.textContent && width < 20) faults.add(`a title has no room: ${named(node)}`);
  if (width <= 1 || height <= 1) continue;
  const isControl = node.matches("button, input, select, textarea, summary, a");
  if (isControl && (left < -1 || right > innerWidth + 1) && !node.closest("pre, .stages")) faults.add(`cut: ${named(node)}`);
  if (["auto", "scroll"].includes(style.overflowX) && node.scrollWidth > node.clientWidth + 1 && !node.matches("pre, textarea, .stages")) {
    faults.add(`scrolls sideways: ${named(node)}`);
  }
  // Text that ends at an edge, with nothing that says so.
  const hasText = [...node.childNodes].some(child => child.nodeType === Node.TEXT_NODE && child.data.trim());
  if (hasText && ["hidden", "clip"].includes(style.overflowX) && node.scrollWidth > node.clientWidth + 1 && style.textOverflow !== "ellipsis") {
    faults.add(`cut without a cue: ${named(node)}`);
  }
  if (node.matches("td, th") && width < 44 && node.innerText.length > 12) faults.add(`a column of single letters: ${named(node)}`);
  if (node.closest("td, th") && [...node.childNodes].some(isBroken)) faults.add(`a word is broken: ${named(node)}`);
  // What a finger has to meet, after WCAG 2.2, 2.5.8; links in sentences are left out there, too.
  if (matchMedia("(pointer: coarse)").matches && node.matches("button, select, summary, input:not([type=file]), nav a") && Math.min(width, height) < 24
    && !(node.matches("input") && node.closest("label"))) faults.add(`too small for a finger: ${named(node)} ${Math.round(width)} × ${Math.round(height)}`);
}
if (document.querySelector("main:not([hidden]) > .problem:not([hidden])") && shown.some(node => node.matches(".skeleton"))) faults.add("an error stands above what is still to come");
for (const buttons of document.querySelectorAll("dialog[open] .actions")) {
  const last = buttons.querySelector(":scope > button:last-of-type");
  if (!last?.matches(".primary, :only-of-type")) faults.add("the last button of a dialog is not what it is for");
}
return [...faults];
