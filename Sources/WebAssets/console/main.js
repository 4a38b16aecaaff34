import { pages } from "./pages.js";
import { Shell } from "./shell.js";

new Shell(pages).start();
