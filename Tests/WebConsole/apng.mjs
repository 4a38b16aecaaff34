/**
 * Makes one moving PNG of pictures of the same size: of each only what differs from the one before, in at most 256 colours.
 *
 *     node Tests/WebConsole/apng.mjs FOLDER TO
 *
 * FOLDER has the pictures as screenshots are (eight bits, RGB or RGBA, not interlaced), and frames.json, which lists
 * `[name, milliseconds]`. The moving picture begins anew after the last one.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { crc32, deflateSync, inflateSync } from "node:zlib";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The chunks of a PNG: `[type, data]`. */
export function chunksOf(png) {
  const chunks = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push([png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + length)]);
    at += length + 12;
  }
  return chunks;
}

/** A picture as `{width, height, pixels}`, each pixel a number 0xRRGGBB. */
export function decode(png) {
  const chunks = chunksOf(png), header = chunks[0][1];
  const [width, height, size] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9] === 6 ? 4 : 3];
  const raw = inflateSync(Buffer.concat(chunks.filter(([type]) => type === "IDAT").map(([, data]) => data)));
  const line = width * size, pixels = new Uint32Array(width * height);
  let before = Buffer.alloc(line);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (line + 1)], now = raw.subarray(y * (line + 1) + 1, (y + 1) * (line + 1));
    for (let x = 0; x < line; x++) {
      const left = x < size ? 0 : now[x - size], corner = x < size ? 0 : before[x - size];
      now[x] += [0, left, before[x], (left + before[x]) >> 1, filter === 4 ? paeth(left, before[x], corner) : 0][filter];
    }
    for (let x = 0; x < width; x++) pixels[y * width + x] = now[x * size] << 16 | now[x * size + 1] << 8 | now[x * size + 2];
    before = now;
  }
  return { width, height, pixels };
}

function paeth(left, above, corner) {
  const guess = left + above - corner, [a, b, c] = [left, above, corner].map(each => Math.abs(guess - each));
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

/** The most frequent colours of all pictures, and a function that gives the index of the one that is nearest; 0 is what stays. */
function paletteOf(frames) {
  const seen = new Map();
  for (const { pixels } of frames) for (const colour of pixels) seen.set(colour, (seen.get(colour) ?? 0) + 1);
  const colours = [...seen].sort((a, b) => b[1] - a[1]).slice(0, 255).map(([colour]) => colour);
  const known = new Map(colours.map((colour, n) => [colour, n + 1]));
  const far = (a, b) => [16, 8, 0].reduce((sum, shift) => sum + ((a >> shift & 255) - (b >> shift & 255)) ** 2, 0);
  const indexOf = colour => {
    if (!known.has(colour)) known.set(colour, colours.reduce((best, each, n) => far(each, colour) < far(colours[best], colour) ? n : best, 0) + 1);
    return known.get(colour);
  };
  return { colours, indexOf };
}

/** What differs of a picture from the one before: `{x, y, width, height, indexes}`; undefined where nothing does. */
function differing(now, before, width, height) {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (now[at] === before[at]) continue;
      [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), y];
    }
  }
  if (right < 0) return undefined;
  const box = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
  const indexes = Buffer.alloc(box.width * box.height);
  for (let n = 0; n < indexes.length; n++) {
    const at = (top + Math.floor(n / box.width)) * width + left + n % box.width;
    indexes[n] = now[at] === before[at] ? 0 : now[at];
  }
  return { ...box, indexes };
}

/** The moving picture of frames `{width, height, pixels, delay}`; the delays are milliseconds. */
export function encode(frames) {
  const [{ width, height }] = frames, { colours, indexOf } = paletteOf(frames), shown = [];
  let before;
  for (const { pixels, delay } of frames) {
    const now = Uint8Array.from(pixels, indexOf), part = before ? differing(now, before, width, height) : { x: 0, y: 0, width, height, indexes: now };
    if (part) shown.push({ ...part, delay });
    else shown.at(-1).delay += delay;
    before = now;
  }
  let sequence = 0;
  const frame = ({ x, y, delay, indexes, ...size }, n) => {
    const lines = Buffer.alloc(size.height * (size.width + 1));
    for (let row = 0; row < size.height; row++) lines.set(indexes.subarray(row * size.width, (row + 1) * size.width), row * (size.width + 1) + 1);
    const data = deflateSync(lines, { level: 9, memLevel: 9 });
    // What a frame leaves alone is transparent in it; it is drawn over the one before.
    const control = Buffer.concat([u32(sequence++, size.width, size.height, x, y), Buffer.from([delay >> 8, delay & 255, 1000 >> 8, 1000 & 255, 0, n ? 1 : 0])]);
    return [chunk("fcTL", control), n ? chunk("fdAT", Buffer.concat([u32(sequence++), data])) : chunk("IDAT", data)];
  };
  return Buffer.concat([signature, chunk("IHDR", Buffer.concat([u32(width, height), Buffer.from([8, 3, 0, 0, 0])])), chunk("acTL", u32(shown.length, 0)),
    chunk("PLTE", Buffer.from([0, 0, 0, ...colours.flatMap(each => [each >> 16, each >> 8 & 255, each & 255])])), chunk("tRNS", Buffer.from([0])),
    ...shown.flatMap(frame), chunk("IEND", Buffer.alloc(0))]);
}

function u32(...values) {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, n) => bytes.writeUInt32BE(value, n * 4));
  return bytes;
}

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([u32(data.length), named, u32(crc32(named))]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [folder, to] = process.argv.slice(2);
  const listed = JSON.parse(readFileSync(path.join(folder, "frames.json"), "utf8"));
  writeFileSync(to, encode(listed.map(([name, delay]) => ({ ...decode(readFileSync(path.join(folder, name))), delay }))));
}
