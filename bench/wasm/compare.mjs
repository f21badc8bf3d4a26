// `node compare.mjs MODULE NATIVE`: asks the WebAssembly module for the numbers of every game and compares them with
// those that the native program has written to the file NATIVE.

import { readFileSync } from "node:fs";

const [modulePath, nativePath] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), {});
const { n_games, random_games, decision } = instance.exports;
const hex = (sum) => BigInt.asUintN(64, sum).toString(16).padStart(16, "0");

const native = readFileSync(nativePath, "utf8").trim().split("\n");
if (native.length !== n_games()) {
  throw new Error(`${n_games()} games in the module, ${native.length} natively`);
}
let differing = 0;
native.forEach((line, i) => {
  const [id, games, decided] = line.split(" ");
  const found = { "random games": [games, hex(random_games(i))], decision: [decided, hex(decision(i))] };
  for (const [what, [wanted, here]] of Object.entries(found)) {
    if (wanted !== here) {
      console.error(`${id}: ${what} differ: ${here} in WebAssembly, ${wanted} natively`);
      differing += 1;
    }
  }
});
if (differing > 0) process.exit(1);
process.stdout.write(`WebAssembly: ${native.length} games are played as natively.\n`);
