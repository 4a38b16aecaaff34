/**
 * A front server for development and tests of the console: serves the console's sources and the client, and passes
 * everything else on to a running server, streams included.
 *
 *     node Tests/WebConsole/front.mjs --server http://127.0.0.1:8080 [--port 8090]
 */
import { createReadStream, statSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({ options: {
  server: { type: "string", default: "http://127.0.0.1:8080" },
  port: { type: "string", default: "0" },
} });
const target = new URL(options.server);
const assets = fileURLToPath(new URL("../../Sources/WebAssets/", import.meta.url));
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const policy = {
  "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
};

/** The file that is served at a path, if there is one. */
function fileOf(pathname) {
  if (pathname === "/client.js") return path.join(assets, "served/client.js");
  // The console's modules import some of the client's.
  const [, name] = /^\/(console|client)\//.exec(pathname) ?? [];
  if (!name) return undefined;
  const folder = path.join(assets, name);
  const file = path.join(folder, pathname === "/console/" ? "index.html" : decodeURIComponent(pathname.slice(name.length + 2)));
  if (!file.startsWith(folder + path.sep)) return undefined;
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

function serve(file, answer) {
  const type = types[path.extname(file)] ?? "application/octet-stream";
  answer.writeHead(200, { ...policy, "Content-Type": type.startsWith("image") ? type : `${type}; charset=utf-8` });
  createReadStream(file).pipe(answer);
}

/** Passes a request on as it came, with its Host, and the answer as it comes. */
function pass(request, answer) {
  const onward = http.request({
    host: target.hostname, port: target.port, method: request.method, path: request.url, headers: request.headers,
    setHost: false,
  }, response => {
    answer.writeHead(response.statusCode, response.rawHeaders);
    answer.flushHeaders();
    response.on("data", piece => answer.write(piece));
    response.on("end", () => answer.end());
    // A stream that breaks off must break off here, too.
    response.on("error", () => answer.destroy());
    response.on("close", () => response.complete || answer.destroy());
  });
  onward.on("error", () => answer.headersSent ? answer.destroy() : answer.writeHead(502).end());
  answer.on("close", () => onward.destroy());
  request.pipe(onward);
}

const server = http.createServer((request, answer) => {
  const { pathname } = new URL(request.url, "http://front");
  if (pathname === "/console") return void answer.writeHead(308, { Location: "/console/" }).end();
  const file = fileOf(pathname);
  if (file) serve(file, answer);
  else if (pathname.startsWith("/console/")) answer.writeHead(404, policy).end();
  else pass(request, answer);
});
server.listen(Number(options.port), "127.0.0.1", () => {
  console.log(`listening on http://localhost:${server.address().port}/console/`);
});
