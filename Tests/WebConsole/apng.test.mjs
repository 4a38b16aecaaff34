/** The moving picture of several, without a browser: `node --test Tests/WebConsole/apng.test.mjs`. */
import assert from "node:assert/strict";
import test from "node:test";
import { deflateSync, inflateSync } from "node:zlib";
import { chunksOf, decode, encode } from "./apng.mjs";

const [width, height] = [4, 3];
const picture = (delay, changes = {}) => {
  const pixels = new Uint32Array(width * height).fill(0xffffff);
  for (const [at, colour] of Object.entries(changes)) pixels[at] = colour;
  return { width, height, pixels, delay };
};

/** What a viewer shows of a moving picture: `{delay, pixels}` of each frame, drawn over the one before. */
function shown(png) {
  const chunks = chunksOf(png), palette = chunks.find(([type]) => type === "PLTE")[1], canvas = new Uint32Array(width * height), frames = [];
  let control;
  for (const [type, data] of chunks) {
    if (type === "fcTL") control = data;
    if (type !== "IDAT" && type !== "fdAT") continue;
    const [across, down, left, top] = [4, 8, 12, 16].map(at => control.readUInt32BE(at)), raw = inflateSync(type === "IDAT" ? data : data.subarray(4));
    for (let n = 0; n < across * down; n++) {
      const index = raw[Math.floor(n / across) * (across + 1) + 1 + n % across];
      if (index) canvas[(top + Math.floor(n / across)) * width + left + n % across] = palette.readUIntBE(index * 3, 3);
    }
    frames.push({ delay: control.readUInt16BE(20), pixels: canvas.slice(), across, down });
  }
  return frames;
}

test("each frame has what differs from the one before, and pictures that are the same are one", () => {
  const pictures = [picture(100), picture(50, { 5: 0xff0000 }), picture(70, { 5: 0xff0000 }), picture(2000, { 5: 0xff0000, 7: 0x0000ff, 11: 0x00ff00 })];
  const frames = shown(encode(pictures));
  assert.deepEqual(frames.map(({ delay }) => delay), [100, 120, 2000]);
  assert.deepEqual(frames.map(({ pixels }) => pixels), [0, 1, 3].map(n => pictures[n].pixels));
  assert.deepEqual([frames[1].across, frames[1].down], [1, 1]);
});

test("more colours than there is room for become the nearest of the most frequent ones", () => {
  const many = { width: 30, height: 10, delay: 10, pixels: Uint32Array.from({ length: 300 }, (_, n) => n < 45 ? 0x808080 : n) };
  assert.equal(chunksOf(encode([many])).find(([type]) => type === "PLTE")[1].length, 768);
});

/** A picture of lines, each of which begins with its filter. */
function made(across, lines) {
  const chunk = (type, data) => Buffer.concat([Buffer.from([0, 0, 0, data.length]), Buffer.from(type, "latin1"), data, Buffer.alloc(4)]);
  return Buffer.concat([Buffer.alloc(8), chunk("IHDR", Buffer.from([0, 0, 0, across, 0, 0, 0, lines.length, 8, 2, 0, 0, 0])),
    chunk("IDAT", deflateSync(Buffer.from(lines.flat())))]);
}

test("screenshots are read with every filter of a PNG", () => {
  // Made by hand: five lines of two pixels, a filter each.
  const lines = [[0, 10, 20, 30, 40, 50, 60], [1, 10, 20, 30, 30, 30, 30], [2, 0, 0, 0, 0, 0, 1], [3, 5, 10, 15, 15, 15, 15], [4, 0, 0, 0, 1, 0, 0]];
  assert.deepEqual([...decode(made(2, lines)).pixels].map(each => each.toString(16).padStart(6, "0")),
    ["0a141e", "28323c", "0a141e", "28323c", "0a141e", "28323d", "0a141e", "28323c", "0a141e", "29323c"]);
});
