/** One field to everywhere: pages, lists, elements of the shown list, and what can be done. ⌘K or Ctrl K opens it. */
import { show } from "./action.js";
import { address, fill, h, unique } from "./dom.js";

/** How many choices are shown, and how long after a key they are looked for, in milliseconds. */
const most = 12, rest = 120;

/**
 * Opens the palette.
 *
 * `sources` are functions of what was typed that give choices `{title, kind, does}`, or a promise of them; those of the first
 * come first. `does` is called once the palette is closed.
 */
export function openPalette(sources) {
  const list = h("ul", { id: unique("choices"), role: "listbox", "aria-label": "Choices" });
  const input = h("input", { type: "search", role: "combobox", autofocus: true, autocomplete: "off", "aria-expanded": "true",
    "aria-controls": list.id, "aria-label": "Go to a list, an element or a page, or do something", placeholder: "Go to a list, an element, a page…",
    oninput: () => (clearTimeout(timer), isBehind = true, timer = setTimeout(find, rest)), onkeydown: press });
  const dialog = h("dialog", { class: "palette", "aria-label": "Go to" }, input, list);
  let timer, asked = 0, choices = [], chosen = 0;
  /** Whether the choices are those of what was typed before. */
  let isBehind = true;
  show(dialog, () => clearTimeout(timer));
  find();

  async function find() {
    const number = ++asked, typed = input.value.trim();
    const found = (await Promise.all(sources.map(async source => {
      try {
        return await source(typed);
      } catch {
        // One that cannot be asked has no choices; the others have.
        return [];
      }
    }))).flat();
    if (number !== asked) return;
    isBehind = false;
    choices = found.slice(0, most);
    chosen = 0;
    draw();
  }

  function draw() {
    fill(list, choices.map(({ title, kind }, n) => h("li", { id: `${list.id}-${n}`, role: "option", "aria-selected": `${n === chosen}`, onclick: () => choose(n) },
      h("span", { dir: "auto", class: "line" }, title), h("small", null, kind))),
    !choices.length && h("li", { class: "muted", role: "option", "aria-disabled": "true", "aria-selected": "false" }, "Nothing has that name."));
    if (choices.length) input.setAttribute("aria-activedescendant", `${list.id}-${chosen}`);
    else input.removeAttribute("aria-activedescendant");
    list.children[chosen]?.scrollIntoView({ block: "nearest" });
  }

  async function press(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && choices.length) {
      event.preventDefault();
      chosen = (chosen + step + choices.length) % choices.length;
      draw();
    } else if (event.key === "Enter") {
      event.preventDefault();
      clearTimeout(timer);
      if (isBehind) await find();
      choose(chosen);
    }
  }

  function choose(n) {
    if (!choices[n]) return;
    dialog.close();
    choices[n].does();
  }
}

/** The lists whose names have what was typed; they are asked for once, as long as the palette is open. */
export function listsNamed({ api, go }) {
  let asked;
  return async typed => {
    const { body } = await (asked ??= api.get("/v1/directors", { query: { limit: 10000 } }));
    const wanted = typed.toLowerCase();
    return body.directors.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, most)
      .map(({ name }) => ({ title: name, kind: "List", does: () => go(address`/lists/${name}`) }));
  };
}

/** Those of some choices whose titles have what was typed. */
export function matching(choices) {
  return typed => choices.filter(({ title }) => title.toLowerCase().includes(typed.toLowerCase()));
}
