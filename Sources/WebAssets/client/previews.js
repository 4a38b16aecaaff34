/**
 * What of an element's value a row shows: by the preview of its adapter, else by a guess.
 *
 * A preview has templates over the value, `{name}` or `{/a/b}` in braces. A part of which something is not there is left out.
 */
import { titles } from "./titles.js";

/** @typedef {import("./types.js").RowParts} Parts */

/**
 * The parts of a row.
 * @param {import("./types.js").Element} element
 * @param {Partial<Parts> | undefined} preview The templates, where somebody has set them.
 * @param {(value: any) => string} write Writes JSON.
 * @returns {Parts}
 */
export function partsOf(element, preview, write) {
  const parts = guess(element, write);
  if (preview) {
    for (const name of /** @type {(keyof Parts)[]} */ (Object.keys(parts))) {
      parts[name] = filled(preview[name] ?? "", element.value) || (name === "title" ? parts.title : "");
    }
  }
  return parts;
}

/**
 * A template with the value's members in it; empty where one is not there or is no text, number or truth value.
 * @param {string} template
 * @param {any} value
 */
export function filled(template, value) {
  let isWhole = true;
  const text = template.replace(/\{([^{}]+)\}/g, (_, name) => {
    // A JSON pointer (RFC 6901), or a member's name.
    const names = name[0] === "/" ? name.slice(1).split("/").map(unescaped) : [name], found = memberOf(value, names);
    isWhole &&= isScalar(found);
    return `${found}`;
  });
  return isWhole ? text : "";
}

/**
 * Whether an image is the address of a picture of the page's own origin, or one in the value itself: other hosts are asked
 * for nothing. Else it is a sign that stands for itself.
 * @param {string} image
 */
export const isPicture = image => /^(data:image\/|\/(?!\/))/.test(image);

/**
 * One line of JSON that shows a value: a text as it is, members in their order.
 * @param {any} value
 * @param {(value: any) => string} write
 * @param {number} [most]
 */
export function line(value, write, most = Infinity) {
  const written = typeof value === "string" ? value : write(value) ?? "";
  return written.length > most ? `${written.slice(0, most)}…` : written;
}

/**
 * What names lead to in a value, one in the other; undefined where one is not there.
 * @param {any} value
 * @param {string[]} names
 */
export const memberOf = (value, names) => names.reduce((found, name) => Object.hasOwn(Object(found), name) ? found[name] : undefined, value);

/** @param {string} token */
const unescaped = token => token.replaceAll("~1", "/").replaceAll("~0", "~");

/**
 * Whether a value is a text, a number or a truth value.
 * @param {any} value
 */
const isScalar = value => value != null && (Object(value) !== value || value instanceof Number);

/**
 * @param {import("./types.js").Element} element
 * @param {(value: any) => string} write
 * @returns {Parts}
 */
function guess({ id, value, row, cell, config }, write) {
  const shown = Object.entries(config ?? {}).map(([name, each]) => `${name}: ${line(each, write, 80)}`);
  let title = line(value ?? cell ?? row ?? id, write, 400);
  if (value && !isScalar(value) && !Array.isArray(value)) {
    const member = titles.find(name => isScalar(value[name]) && typeof value[name] !== "boolean" && `${value[name]}` !== "")
      ?? Object.keys(value).find(name => typeof value[name] === "string");
    if (member !== undefined) {
      title = `${value[member]}`;
      // A text says by itself what it is, mostly; the identifier is no news.
      shown.unshift(...Object.entries(value).filter(([name, each]) => name !== member && `${each}` !== id)
        .map(([name, each]) => `${typeof each === "string" && each ? "" : `${name} `}${line(each, write, 80)}`));
    }
  }
  return { title, subtitle: shown.join(" · "), image: "", badge: "", trailing: "" };
}
