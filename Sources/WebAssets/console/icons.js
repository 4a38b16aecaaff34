/** Signs of 16 by 16, drawn in lines in the colour of the text. What they stand for is said beside them. */
import { svg } from "./dom.js";

const paths = {
  lists: "M2.5 4h11M2.5 8h11M2.5 12h11",
  hooks: "M10.5 2v8.5a3.25 3.25 0 0 1-6.5 0V8.5L6 10.5M10.5 2h-2",
  deliveries: "M2 3.5h12v9H2zM2 4l6 5 6-5",
  streams: "M2 5.5q3-3 6 0t6 0M2 10.5q3-3 6 0t6 0",
  server: "M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h1M5 11h1",
  access: "M2.5 8a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M7.5 8H14v2.5M11 8v2",
  search: "M3 7a4 4 0 1 0 8 0a4 4 0 1 0-8 0M10 10l3.5 3.5",
  fold: "M2 3h12v10H2zM6 3v10",
  menu: "M2 4h12M2 8h12M2 12h12",
  leave: "M9 3H3v10h6M7 8h7M11.5 5.5L14 8l-2.5 2.5",
};

export const icon = name => svg("svg", { class: "icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
  svg("path", { d: paths[name] }));
