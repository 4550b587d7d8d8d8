#!/usr/bin/env node
// Becomes the executable of this platform, which npm has installed beside this package. Agents call the executable
// itself, without this script: `steadfast install` writes its path.
"use strict";

const { spawnSync } = require("node:child_process");
const { constants } = require("node:os");

const name = `steadfast-hooks-${process.platform}-${process.arch}`;

function executable() {
  try {
    return require.resolve(`${name}/bin/steadfast`);
  } catch {
    console.error(
      `steadfast: the package ${name} is missing. Either this platform has no build (Linux and macOS on x64 and arm64 ` +
        "have one; on Windows use WSL), or npm was told to leave out optional dependencies: install again without " +
        "--omit=optional.",
    );
    process.exit(1);
  }
}

const ended = spawnSync(executable(), process.argv.slice(2), { stdio: "inherit" });
if (ended.error) {
  console.error(`steadfast: ${ended.error.message}`);
}
process.exit(ended.status ?? 128 + (constants.signals[ended.signal] ?? 0));
