"use strict";
// Compiles the addon with the system's C compiler; pkg-config finds libhashlanes. Node's headers are those next to the
// running node, or in NODE_INCLUDE. The addon goes into the folder build, or NODE_HASHLANES_BUILD.
//
// node build.js               against the shared library
// node build.js --prebuilt    with the library inside, for packages that are installed without a compiler
// node build.js --if-needed   nothing if the package has a prebuilt addon that loads here

const { execFileSync } = require("node:child_process");
const { existsSync, mkdirSync } = require("node:fs");
const path = require("node:path");

const prebuilt = path.join(__dirname, "prebuilt", `${process.platform}-${process.arch}`);
const [mode] = process.argv.slice(2);
if (mode === "--if-needed") {
  try {
    require(path.join(prebuilt, "hashlanes.node"));
    process.exit(0);
  } catch {
    // No package for this system: compile.
  }
}
const include = [
  process.env.NODE_INCLUDE,
  path.join(path.dirname(process.execPath), "..", "include", "node"),
].find((folder) => folder && existsSync(path.join(folder, "node_api.h")));
if (!include) {
  console.error("node_api.h: not found next to node; set NODE_INCLUDE to the folder that holds it");
  process.exit(1);
}
const pkgConfig = (...options) => execFileSync("pkg-config", [...options, "hashlanes"], { encoding: "utf8" }).trim().split(/\s+/);
const [folder] = pkgConfig("--variable=libdir");
// On macOS, the linker finds Node's functions when the addon is loaded.
const ofSystem = process.platform === "darwin" ? ["-undefined", "dynamic_lookup"] : [];
let libraries = [...pkgConfig("--libs"), `-Wl,-rpath,${folder}`];
if (mode === "--prebuilt") {
  const others = pkgConfig("--static", "--libs-only-l").filter((flag) => flag !== "-lhashlanes");
  const hidden = process.platform === "darwin" ? [] : ["-Wl,--exclude-libs,ALL", "-Wl,--gc-sections", "-Wl,-s"];
  libraries = [path.join(folder, "libhashlanes.a"), ...others, ...hidden];
}
const target = mode === "--prebuilt" ? prebuilt : path.resolve(__dirname, process.env.NODE_HASHLANES_BUILD ?? "build");
mkdirSync(target, { recursive: true });
execFileSync(
  process.env.CC ?? "cc",
  ["-shared", "-fPIC", "-O2", "-std=c11", "-Wall", "-Wextra", "-Werror", `-I${include}`, ...pkgConfig("--cflags")]
    .concat([path.join(__dirname, "addon.c"), "-o", path.join(target, "hashlanes.node")])
    .concat(libraries, ofSystem),
  { stdio: "inherit" },
);
