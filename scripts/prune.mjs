// Removes files of packages that Baton does not use on this machine: half of the size of an installation.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const { platform, arch } = process;
/** Where the program of this platform is. It stays, and so does everything if it is missing: then the sources are needed. */
const onnx = new RegExp(`^bin/napi-v\\d+/${platform}/${arch}/`);
const sqlite = new RegExp(`^prebuilds/${platform}-${arch}/`);

const RULES = [
  // Programs of other platforms, and the sources of this one.
  { name: "onnxruntime-node", files: /^bin\//, own: onnx },
  { name: "@photostructure/sqlite", files: /^(prebuilds|src\/upstream)\//, own: sqlite },
  // Builds for browsers and for other versions of Node.
  { name: "tesseract.js-core", files: /\.wasm\.js$/ },
  { name: "pdfjs-dist", files: /^legacy\// },
  { name: "lucide-react", files: /^dist\/cjs\// },
  // Documentation and sources beside the built files.
  { name: "ai", files: /^(docs|src)\// },
  // Source maps of every package. The bundle of the service has its own.
  { name: "", files: /\.map$/ },
];

export function pruneAll(modules) {
  for (const { name, files, own } of [...RULES, ...canvasRules(modules)]) {
    const folder = join(modules, name);
    const all = filesOf(folder);
    if (own !== undefined && !all.some((file) => own.test(file))) continue;
    for (const file of all) if (files.test(file) && own?.test(file) !== true) rmSync(join(folder, file));
  }
}

/** PDF.js renders pages on this canvas in Node; Baton renders them only in the browser. */
function canvasRules(modules) {
  const scope = join(modules, "@napi-rs");
  if (!existsSync(scope)) return [];
  const names = readdirSync(scope).filter((name) => name.startsWith("canvas-"));
  return names.map((name) => ({ name: join("@napi-rs", name), files: /\.node$/ }));
}

function filesOf(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
    .map((path) => path.replaceAll("\\", "/"));
}
