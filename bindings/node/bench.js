"use strict";
// Millions of digests a second of 20-byte values, next to node:crypto. Contestants take turns; each figure is the best of 7.
const crypto = require("node:crypto");
const hashlanes = require("./index.js");

const N = 200_000;
const values = Buffer.alloc(20 * N).map((_, i) => i * 31);
const offsets = Int32Array.from({ length: N + 1 }, (_, i) => 20 * i);
const messages = Array.from({ length: N }, (_, i) => values.subarray(20 * i, 20 * i + 20));
const each = (f) => () => messages.forEach((message) => f(message));

const contestants = {
  "hashlanes rows": () => hashlanes.rows("sha256", values, offsets),
  "hashlanes sha256Many": () => hashlanes.sha256Many(messages),
  "hashlanes hash": each((message) => hashlanes.hash("sha256", message)),
  "crypto.hash": crypto.hash && each((message) => crypto.hash("sha256", message)),
  "crypto.createHash": each((message) => crypto.createHash("sha256").update(message).digest("hex")),
};
const best = {};
for (let turn = 0; turn < 7; turn++) {
  for (const [name, run] of Object.entries(contestants)) {
    if (!run) continue;
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    best[name] = Math.min(best[name] ?? Infinity, user + system);
  }
}
for (const [name, microseconds] of Object.entries(best)) {
  console.log(`${name.padEnd(24)} ${(N / microseconds).toFixed(2).padStart(7)} million a second`);
}
