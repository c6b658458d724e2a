import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const script = (name: string): string => fileURLToPath(new URL(`../scripts/${name}`, import.meta.url));

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- A new step type.

## [0.1.0] - 2026-01-01

- The first release.
`;

/** A separate git repository with the files that a release changes. */
function createRepository(changelog = CHANGELOG) {
  const folder = mkdtempSync(join(tmpdir(), "baton-release-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: "pipe" }).trim();
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const commit = (subject: string): string => git("commit", "--quiet", "--allow-empty", "--message", subject);
  git("init", "--quiet", "--initial-branch", "main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.com");
  git("config", "commit.gpgsign", "false");
  git("config", "tag.gpgsign", "false");
  const dependencies = { fastify: "5.0.0" };
  const manifest = { name: "baton", version: "0.1.0", dependencies };
  write("package.json", `${JSON.stringify(manifest, null, 2)}\n`);
  const lock = { name: "baton", version: "0.1.0", packages: { "": manifest, "node_modules/fastify": {} } };
  write("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
  write("CHANGELOG.md", changelog);
  git("add", ".");
  commit("feat: start");
  const run = (name: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script(name), ...args], {
      cwd: folder,
      encoding: "utf8",
    });
    return { status, output: stdout + stderr };
  };
  return { git, write, read, commit, run };
}

test("a release sets the version, dates the changelog, commits and tags", () => {
  const { git, read, run } = createRepository();
  expect(run("release.mjs", "0.2.0")).toMatchObject({ status: 0 });
  expect(JSON.parse(read("package.json"))).toMatchObject({
    version: "0.2.0",
    dependencies: { fastify: "5.0.0" },
  });
  expect(JSON.parse(read("package-lock.json"))).toMatchObject({
    version: "0.2.0",
    packages: { "": { version: "0.2.0" }, "node_modules/fastify": {} },
  });
  expect(read("CHANGELOG.md")).toMatch(
    /## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A new step type\.\n\n## \[0\.1\.0\]/,
  );
  expect(git("log", "-1", "--format=%s")).toBe("release: 0.2.0");
  expect(git("rev-parse", "v0.2.0^{commit}")).toBe(git("rev-parse", "HEAD"));
  expect(git("status", "--porcelain")).toBe("");
});

test.each([
  ["patch", "0.1.1"],
  ["minor", "0.2.0"],
  ["major", "1.0.0"],
])("%s makes %s of 0.1.0", (part, version) => {
  const { git, run } = createRepository();
  expect(run("release.mjs", part).status).toBe(0);
  expect(git("tag", "--list")).toBe(`v${version}`);
});

test("a release is refused without a later version, with changes, with an existing tag and without notes", () => {
  const { git, write, run } = createRepository();
  expect(run("release.mjs")).toEqual({ status: 1, output: expect.stringContaining("Name the version") });
  expect(run("release.mjs", "0.1.0").output).toContain("0.1.0 is not later than 0.1.0");
  expect(run("release.mjs", "0.0.9").output).toContain("0.0.9 is not later than 0.1.0");
  git("tag", "v0.3.0");
  expect(run("release.mjs", "0.3.0").output).toContain("The tag v0.3.0 exists");
  write("notes.txt", "not committed");
  expect(run("release.mjs", "0.2.0").output).toContain("The working tree has changes");
  expect(git("log", "--format=%s")).toBe("feat: start");

  const withoutNotes = createRepository(CHANGELOG.replace("### Added\n\n- A new step type.\n\n", ""));
  expect(withoutNotes.run("release.mjs", "0.2.0").output).toContain("is empty");
  const withoutSection = createRepository(CHANGELOG.replace("## [Unreleased]", "## Later"));
  expect(withoutSection.run("release.mjs", "0.2.0").output).toContain("has no section");
});

test("commit subjects are type(scope): text in at most 72 characters", () => {
  const { commit, git, run } = createRepository();
  const start = git("rev-parse", "HEAD");
  commit("fix(engine): release slots after a failed claim");
  commit("docs: sort the pages by task");
  commit(`test(api): ${"x".repeat(61)}`);
  expect(run("check-commits.mjs", `${start}..HEAD`)).toEqual({
    status: 0,
    output: "3 commit subjects are valid.\n",
  });
  commit(`test(api): ${"x".repeat(62)}`);
  commit("Fixed a thing");
  commit("fix(engine): a thing.");
  const { status, output } = run("check-commits.mjs", `${start}..HEAD`);
  expect(status).toBe(1);
  expect(output).toContain("has 73 characters, 72 are allowed");
  expect(output).toContain("Fixed a thing\n  does not start with type(scope):");
  expect(output).toContain("fix(engine): a thing.\n  ends with a period");
  expect(output).not.toContain("sort the pages");
});
