import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./prepare.mjs";

/** Packages that every start loads. The others stay in node_modules, so that their text is not in memory. */
const BUNDLED = new Set([
  "@fastify/cors",
  "@fastify/multipart",
  "@fastify/static",
  "@fastify/swagger",
  "@fastify/swagger-ui",
  "@fastify/type-provider-zod",
  "@jridgewell/trace-mapping",
  "@orama/stemmers",
  "aws4fetch",
  "croner",
  "csv-parse",
  "csv-stringify",
  "fastify",
  "ipaddr.js",
  "jose",
  "pino",
  "prom-client",
  "re2js",
  "undici",
  "yaml",
  "zod",
]);

/** Packages of Fastify that the service never calls. */
const UNUSED = [
  "@fastify/ajv-compiler",
  "@fastify/fast-json-stringify-compiler",
  "fast-json-stringify",
  "light-my-request",
];

/** Node modules that few starts use, and that take 20 ms to load. */
const LOADED_ON_FIRST_USE =
  /(?<!__toESM\()\brequire\("(?:node:)?(child_process|dns|dns\/promises|http2|https|readline|tls)"\)/g;

/**
 * The router of Fastify compiles a function for each part of a path shorter than this, 3 % of a start. With 2, it compares
 * strings instead, as it does for longer parts.
 */
const COMPILED_LENGTH = "const LONG_PREFIX_MIN_LENGTH = 16";
const routerWithoutCompiler = {
  name: "router-without-compiler",
  setup: (build) =>
    build.onLoad({ filter: /[\\/]find-my-way[\\/]lib[\\/]node\.js$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (!text.includes(COMPILED_LENGTH)) throw new Error(`find-my-way no longer has ${COMPILED_LENGTH}.`);
      return { contents: text.replace(COMPILED_LENGTH, "const LONG_PREFIX_MIN_LENGTH = 2") };
    }),
};

const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const external = [...Object.keys(dependencies).filter((name) => !BUNDLED.has(name)), ...UNUSED];

/**
 * How the service is bundled: as the text of one CommonJS function, which `server/code-cache.ts` runs with a V8 code
 * cache. Without the space between its words it takes 3 MB less memory.
 */
export const serviceBundle = {
  bundle: true,
  external,
  // `@fastify/static` lists folders with it, which the service never does.
  alias: { glob: "./scripts/unused-package.cjs" },
  plugins: [routerWithoutCompiler],
  platform: "node",
  format: "cjs",
  target: "node20",
  outExtension: { ".js": ".cjs" },
  // ES modules where a package has both: only these leave out what is not used.
  mainFields: ["module", "main"],
  define: { "import.meta.url": "bundleUrl" },
  banner: { js: "(function (exports, require, module, bundleUrl, importModule, requireOnFirstUse) {" },
  footer: { js: "})" },
  minifyWhitespace: true,
  minifySyntax: true,
  // Node prints the line of an uncaught error.
  lineLimit: 200,
};

/**
 * Escapes what esbuild does not, the text of regular expressions, so that V8 needs one byte per character. Replaces
 * `import()` of packages, which fails in Node 20 in code from a code cache. Delays the loading of some Node modules. Puts
 * the hash of the text into the last line, which names its code cache.
 */
export function finishService(file) {
  const text = readFileSync(file, "utf8");
  // Escapes would change these.
  if (/\\[^\0-\x7f]|\braw`[^`]*[^\0-\x7f]/.test(text))
    throw new Error(
      "A character outside ASCII follows a backslash or is in String.raw. Write it as \\uXXXX.",
    );
  const finished = text
    .replaceAll(/[^\0-\x7f]/g, (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, "0"))
    .replaceAll(/\bimport\("([\w@.-]+(?:\/[\w.-]+)*)"\)/g, (all, path) =>
      external.some((name) => path === name || path.startsWith(`${name}/`)) ? `importModule("${path}")` : all,
    )
    .replaceAll(LOADED_ON_FIRST_USE, 'requireOnFirstUse("node:$1")');
  const hash = createHash("sha256").update(finished).digest("hex").slice(0, 16);
  writeFileSync(file, `${finished}// ${hash}\n`);
}
