/**
 * A list to try things with: countries that change by themselves. The changes come from this page, so that they end with it,
 * or as soon as somebody says so; the list stays until it is deleted.
 */
import { busy, problemLine } from "./action.js";
import { address, announce, h } from "./dom.js";
import { directorPath } from "./places.js";

/** What the list is called; another one of that name is left alone. */
const listName = "sample-countries";
/** How often something changes, in milliseconds. */
const pace = 1000;

const continents = {
  Africa: [["EG", "Egypt", "Cairo"], ["KE", "Kenya", "Nairobi"], ["MA", "Morocco", "Rabat"], ["NG", "Nigeria", "Abuja"]],
  Americas: [["AR", "Argentina", "Buenos Aires"], ["BR", "Brazil", "Brasília"], ["CA", "Canada", "Ottawa"], ["PE", "Peru", "Lima"]],
  Asia: [["IN", "India", "New Delhi"], ["JP", "Japan", "Tokyo"], ["NP", "Nepal", "Kathmandu"], ["VN", "Vietnam", "Hanoi"]],
  Europe: [["AD", "Andorra", "Andorra la Vella"], ["IS", "Iceland", "Reykjavík"], ["IT", "Italy", "Rome"], ["NO", "Norway", "Oslo"]],
};

/** What changes the list in this page; undefined while nothing does. */
let running;

const valueOf = ([id, name, capital]) => ({ model: "Country", value: { id, name, capital, visitors: 0 } });

/** Makes the list, and has it change. */
async function begin(context) {
  const path = directorPath(listName);
  await context.api.put(path, { kind: "table" }, { headers: { "If-None-Match": "*" } });
  await context.api.post(`${path}/operations`, { reload: true, operations: [
    { op: "setAdapter", model: "Country", value: { cell: "CountryCell", identifier: "{id}",
      preview: { title: "{name}", subtitle: "{capital}", badge: "{id}", trailing: "{visitors}" } } },
    { op: "setSections", sections: Object.entries(continents).map(([id, countries]) =>
      ({ id, headerTitle: id, elements: countries.map(valueOf) })) },
  ] });
  goOn(context.api);
}

/** Changes something every second, until it is stopped or refused. */
function goOn(api) {
  const path = `${directorPath(listName)}/operations`;
  let turn = 0;
  running = setInterval(() => api.post(path, { reload: true, operations: changes(turn++) }).catch(stop), pace);
}

function stop() {
  clearInterval(running);
  running = undefined;
}

/** Another kind of change each time: a value, a move within a section, and a row that leaves and comes back. */
function changes(turn) {
  const names = Object.keys(continents), section = names[turn % names.length], countries = continents[section];
  const [id] = countries[turn % countries.length];
  if (turn % 3 === 0) return [{ op: "moveElement", section, from: 0, to: countries.length - 1 }];
  if (turn % 3 === 1) return [{ op: "patchElement", section, element: id, patch: { visitors: turn } }];
  const leaving = countries[0];
  return [{ op: "removeElement", section, element: leaving[0] }, { op: "addElements", section, elements: [valueOf(leaving)] }];
}

/** A button that makes the sample and shows it. */
export function sampleButton(context) {
  const outcome = problemLine();
  const button = h("button", { type: "button", class: "primary", onclick: () => busy(button, outcome, async () => {
    await begin(context);
    context.go(address`/lists/${listName}`);
  }) }, "Try a sample list");
  return [button, outcome.node];
}

/** On the page of the sample: whether it changes, and a button for that; nothing on others. */
export function sampleLine(context, list) {
  if (list !== listName || !context.session.may("mutate", listName)) return null;
  const says = h("span"), button = h("button", { type: "button", onclick: () => {
    if (running) stop();
    else goOn(context.api);
    draw();
    announce(says.textContent);
  } });
  const draw = () => {
    says.textContent = running ? "This sample changes once a second, as long as the console is open." : "This sample does not change at the moment.";
    button.textContent = running ? "Stop the changes" : "Let it change";
  };
  draw();
  return h("div", { class: "bar sample" }, says, button, h("span", { class: "muted" }, "Open this page in a second window to see it follow."));
}
