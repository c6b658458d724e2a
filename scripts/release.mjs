// `npm run release -- 0.2.0` (or patch, minor, major): sets the version, dates the changelog, commits and tags.
// Nothing is pushed. Plain JavaScript without packages, so that it works in any checkout.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const git = (...args) => execFileSync("git", args, { encoding: "utf8" }).trim();
const root = git("rev-parse", "--show-toplevel");
const readJson = (name) => JSON.parse(readFileSync(join(root, name), "utf8"));
const writeJson = (name, value) => writeFileSync(join(root, name), `${JSON.stringify(value, null, 2)}\n`);

const manifest = readJson("package.json");
const version = nextVersion(manifest.version, process.argv[2]);
const tag = `v${version}`;

if (git("status", "--porcelain") !== "") fail("The working tree has changes. Commit or stash them first.");
if (git("tag", "--list", tag) !== "") fail(`The tag ${tag} exists. Choose another version.`);

const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
const [, unreleased] = /^## \[Unreleased\]\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changelog) ?? [];
if (unreleased === undefined) fail('CHANGELOG.md has no section "## [Unreleased]". Add one.');
if (unreleased.trim() === "")
  fail("The section Unreleased of CHANGELOG.md is empty. Describe the release first.");

const lock = readJson("package-lock.json");
writeJson("package.json", { ...manifest, version });
writeJson("package-lock.json", {
  ...lock,
  version,
  packages: { ...lock.packages, "": { ...lock.packages[""], version } },
});
const date = new Date().toISOString().slice(0, 10);
writeFileSync(
  join(root, "CHANGELOG.md"),
  changelog.replace("## [Unreleased]\n", () => `## [Unreleased]\n\n## [${version}] - ${date}\n`),
);

git("add", "package.json", "package-lock.json", "CHANGELOG.md");
git("commit", "--quiet", "--message", `release: ${version}`);
git("tag", "--annotate", tag, "--message", `Baton ${version}`);
console.log(`Released ${version}. Publish it with: git push --follow-tags`);

function nextVersion(current, wanted) {
  const numbers = current.split(".").map(Number);
  const part = ["major", "minor", "patch"].indexOf(wanted);
  if (part >= 0) return numbers.map((number, index) => bump(number, index - part)).join(".");
  if (!/^\d+\.\d+\.\d+$/.test(wanted ?? ""))
    fail("Name the version: npm run release -- 0.2.0, or one of patch, minor, major.");
  const later = wanted.split(".").map(Number);
  const first = later.findIndex((number, index) => number !== numbers[index]);
  if (first < 0 || later[first] < numbers[first]) fail(`${wanted} is not later than ${current}.`);
  return wanted;
}

/** Parts before the one that is bumped stay, parts after it become 0. */
function bump(number, distance) {
  if (distance < 0) return number;
  return distance === 0 ? number + 1 : 0;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
