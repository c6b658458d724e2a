// Runs `npm ci` and ends it when the process that asked for it ends. Without this, npm would go on after a killed
// `npm start`, and the npm of the next start would fail on files that appear in folders it removes.
import { runProgram } from "./run-program.mjs";
import { stopWithParent } from "../bin/stop-with-parent.mjs";

stopWithParent();
const options = ["--no-audit", "--no-fund", "--loglevel=error", ...process.argv.slice(2)];
const { status } = await runProgram("npm", ["ci", ...options], {
  stdio: "inherit",
  shell: process.platform === "win32",
});
// npm exits with 256 minus the error number, which the caller would take for a signal.
process.exit(status === 0 ? 0 : 1);
