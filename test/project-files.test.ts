import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);
const yaml = createRequire(require.resolve("@fastify/swagger"))("yaml") as { parse(text: string): any };
const parse = (path: string): any => yaml.parse(readFileSync(join(root, path), "utf8"));

test("continuous integration starts the service and runs npm test on Node 20, 22 and 24", () => {
  const { jobs } = parse(".github/workflows/ci.yml");
  expect(jobs.test.strategy.matrix.node).toEqual([20, 22, 24]);
  const commands = jobs.test.steps.map((step: any) => step.run ?? "").join("\n");
  expect(commands).toContain("npm start");
  expect(commands).toMatch(/^npm test$/m);
  const scripts = [...JSON.stringify(jobs).matchAll(/node (scripts\/[\w-]+\.mjs)/g)].map(([, path]) => path!);
  expect(scripts).toEqual(["scripts/check-commits.mjs"]);
  for (const path of scripts) expect(existsSync(join(root, path))).toBe(true);
});

/** `a/{b,c}.ts` is `a/b.ts` and `a/c.ts`. */
function expandBraces(pattern: string): string[] {
  const [, before, names, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  if (names === undefined) return [pattern];
  return names.split(",").flatMap((name) => expandBraces(`${before}${name}${after}`));
}

test("every file of the tests on PostgreSQL exists", () => {
  const config = readFileSync(join(root, "test/postgres/vitest.config.ts"), "utf8");
  const files = [...config.matchAll(/"([^"]+\.test\.ts)"/g)].flatMap(([, pattern]) => expandBraces(pattern!));
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

/** Each `npm run …` of a job, with every value of its matrix. */
function npmRuns({ strategy, steps }: any): string[] {
  const fields = Object.entries<unknown[]>(strategy?.matrix ?? {});
  const filled = (text: string): string[] =>
    fields.reduce<string[]>(
      (texts, [name, values]) =>
        texts.flatMap((it) => values.map((value) => it.replaceAll(`\${{ matrix.${name} }}`, String(value)))),
      [text],
    );
  return steps.flatMap(({ run = "" }: any) =>
    [...run.matchAll(/^npm run .*$/gm)].flatMap(([command]) => [...new Set(filled(command))]),
  );
}

test("every command of the nightly checks exists and knows its options", () => {
  const { jobs } = parse(".github/workflows/nightly.yml");
  const { scripts } = parse("package.json");
  const commands = Object.values(jobs).flatMap(npmRuns);
  for (const command of commands) {
    const [, , name = "", ...given] = command.split(/\s+/);
    expect(Object.keys(scripts), command).toContain(name);
    const source = readFileSync(
      join(
        root,
        scripts[name].split(" ").findLast((word: string) => /\.(?:mjs|ts)$/.test(word)),
      ),
      "utf8",
    );
    for (const option of given.filter((text) => /^--\w/.test(text)))
      expect(source, command).toMatch(
        new RegExp(`\\n\\s+"?${option.slice(2)}"?: \\{ type: "|options: \\{ ${option.slice(2)}: \\{`),
      );
  }
  const run = commands.map((command) => command.split(/\s+/)[2]);
  for (const name of [
    "chaos",
    "fuzz",
    "soak",
    "bench",
    "test:slow",
    "test:mutation",
    "test:package",
    "test:migration",
  ])
    expect(run).toContain(name);
});

test("the import rules of the linter name every feature of the server", () => {
  const shared = "engine lib limits models security telemetry http realtime storage platform operations";
  const features = readdirSync(join(root, "server"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !shared.split(" ").includes(entry.name))
    .map(({ name }) => name);
  const { overrides } = parse(".oxlintrc.json");
  const missingIn = (files: string): string[] => {
    const { rules } = overrides.find((it: any) => it.files[0] === files);
    const [, { patterns }] = rules["no-restricted-imports"];
    const named = patterns[0].regex.split(/[^a-z0-9-]+/);
    return features.filter((name) => !named.includes(name));
  };
  for (const files of [
    "server/{limits,models,security,telemetry}/**/*.ts",
    "server/engine/*.ts",
    "server/engine/*/*.ts",
    "server/engine/*/*/*.ts",
    "server/storage/**/*.ts",
  ])
    expect(missingIn(files), files).toEqual([]);
  expect(missingIn("server/operations/**/*.ts")).toEqual(["administration", "audit", "mail"]);
});

test("every issue form has a name, a description and labelled questions", () => {
  const forms = readdirSync(join(root, ".github/ISSUE_TEMPLATE")).filter((name) => name !== "config.yml");
  expect(forms.length).toBeGreaterThan(1);
  for (const name of forms) {
    const form = parse(`.github/ISSUE_TEMPLATE/${name}`);
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    for (const { type, id, attributes } of form.body)
      if (type !== "markdown") expect([name, id, attributes.label]).toEqual([name, id, expect.any(String)]);
  }
});

test("dependabot watches packages and actions", () => {
  const { version, updates } = parse(".github/dependabot.yml");
  expect(version).toBe(2);
  expect(updates.map((entry: any) => entry["package-ecosystem"])).toEqual(["npm", "github-actions"]);
});
