import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(({ name }) => /\.(ts|tsx|mjs)$/.test(name) && !name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((path) => !path.includes("/testing/"));
}

test("the service and its page import nothing that only tests use", () => {
  const importing = ["server", "contract", "web"]
    .flatMap(sources)
    .filter((file) => /from "(\.\/|(\.\.\/)+)([^"]*\/)?(testing|test)\//.test(readFileSync(file, "utf8")));
  expect(importing).toEqual([]);
});

/** Constructs that evaluate text as code. */
const EVALUATION = [
  /\beval\s*\(/,
  /\bnew\s+Function\b/,
  /(?<![.\w$])Function\s*\(/,
  /["'](node:)?vm2?["']/,
  /["']isolated-vm["']/,
  /runIn(New|This)?Context/,
  /set(Timeout|Interval)\s*\(\s*["'`]/,
];

test("[S2] neither the service nor the page evaluates text as code", () => {
  const files = ["server", "contract", "web"].flatMap(sources);
  // It runs the bundle of the service itself, for main.ts alone, from the folder of main.ts.
  const codeCache = join(root, "server/code-cache.ts");
  const users = files.filter((file) => readFileSync(file, "utf8").includes("/code-cache.ts"));
  expect(users.map((file) => file.slice(root.length))).toEqual(["server/main.ts"]);
  expect(readFileSync(users[0]!, "utf8")).toContain(
    'loadBundle(fileURLToPath(new URL("./service.cjs", import.meta.url)))',
  );
  const found = files.flatMap((file) => {
    if (file === codeCache) return [];
    const text = readFileSync(file, "utf8");
    return EVALUATION.filter((pattern) => pattern.test(text)).map((pattern) => `${file}: ${pattern}`);
  });
  expect(found).toEqual([]);
  // The patterns match the constructs they are meant for.
  for (const sample of ["eval(x)", "new Function(x)", 'import vm from "node:vm"', 'setTimeout("x")'])
    expect([sample, EVALUATION.some((pattern) => pattern.test(sample))]).toEqual([sample, true]);
});

test("[S12] child processes run expressions, SQLite queries and the MCP servers of the operator: no user input names a command", () => {
  const starters = sources("server")
    .filter((file) => /^(?!import type).*["'](node:)?child_process["']/m.test(readFileSync(file, "utf8")))
    .map((file) => file.slice(root.length));
  expect(starters.sort()).toEqual([
    "server/databases/sql/sqlite.ts",
    "server/mcp-client/stdio-transport.ts",
    "server/steps/expression-process.ts",
  ]);
  // Node itself, with the file of the worker.
  expect(readFileSync(join(root, "server/databases/sql/sqlite.ts"), "utf8")).toContain(
    "spawn(process.execPath,",
  );
  // Commands come from MCP_STDIO_SERVERS, which only the operator sets; a user names an entry.
  expect(readFileSync(join(root, "server/environment.ts"), "utf8")).toContain("MCP_STDIO_SERVERS");
});

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
}

test("[S34] every package is pinned, locked by its hash, and installed without its scripts", () => {
  const wanted = ["package.json", "web/package.json"].flatMap((file) => {
    const manifest = JSON.parse(readFileSync(join(root, file), "utf8")) as Manifest;
    return Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  });
  expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { version?: string; integrity?: string; resolved?: string; link?: boolean }>;
  };
  // The project and its workspace are folders of this repository.
  const locked = Object.entries(lock.packages).filter(
    ([path, { link }]) => path.includes("node_modules/") && link !== true,
  );
  expect(locked.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"))).toEqual([]);
  // A lock file with download URLs could point to another registry.
  expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  for (const [name, version] of wanted)
    expect([name, lock.packages[`node_modules/${name}`]?.version]).toEqual([name, version]);
  expect(readFileSync(join(root, ".npmrc"), "utf8")).toMatch(/^ignore-scripts=true$/m);
});
