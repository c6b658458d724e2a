// `npm run new:app -- my-service`: creates apps/my-service.ts and test/apps/my-service.ts, and adds both to their lists.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export function newApp(root, id) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id ?? ""))
    throw new Error("Give the id in kebab-case: npm run new:app -- my-service");
  if (existsSync(join(root, "apps", `${id}.ts`))) throw new Error(`apps/${id}.ts exists.`);
  const name = id.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
  const title = id
    .split("-")
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join(" ");
  write(root, `apps/${id}.ts`, appText(id, name, title));
  write(root, `test/apps/${id}.ts`, examplesText(id, name));
  addToList(root, "apps/all.ts", id, name);
  addToList(root, "test/apps/all.ts", id, `${name}Examples`);
  return [`apps/${id}.ts`, `test/apps/${id}.ts`];
}

const write = (root, path, text) => writeFileSync(join(root, path), text);

/** Both lists are in alphabetical order of the file names. */
function addToList(root, path, id, name) {
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  const imports = lines.filter((line) => /^import \{ \w+ \} from "\.\/[a-z0-9-]+\.ts";$/.test(line));
  const added = [...imports, `import { ${name} } from "./${id}.ts";`].sort((a, b) =>
    a.split('"')[1] < b.split('"')[1] ? -1 : 1,
  );
  const names = added.map((line) => line.split(" ")[2]);
  const text = lines.filter((line) => !imports.includes(line)).join("\n");
  const list = text.replace(
    /(export const \w+: readonly \w+\[\] = )\[[^\]]*\];/,
    (_, start) => `${start}[\n  ${names.join(",\n  ")},\n];`,
  );
  write(root, path, `${added.join("\n")}\n${list}`);
}

const appText = (id, name, title) => `import { defineApp } from "./define-app.ts";

export const ${name} = defineApp({
  id: "${id}",
  title: "${title}",
  description: "What ${title} is for, in one sentence.",
  category: "other",
  icon: { letters: "${title.slice(0, 2)}", color: "#334155" },
  documentation: "https://example.com/docs",
  baseUrl: "https://api.example.com",
  hosts: ["api.example.com"],
  auth: [{ kind: "bearer", help: "Where to find the token." }],
  test: { request: { path: "/me" }, account: "{{body.name}}" },
  errors: { message: "{{body.message}}" },
  actions: {
    get_item: {
      title: "Get an item",
      description: "Reads one item.",
      input: { id: { type: "string", title: "Item", required: true } },
      request: { path: "/items/{{input.id}}" },
      output: { id: "{{body.id}}", name: "{{body.name}}" },
      sample: { id: "1", name: "Tea" },
    },
  },
});
`;

const examplesText = (id, name) => `import { ${name} } from "../../apps/${id}.ts";
import type { AppExamples } from "./support/app-examples.ts";

export const ${name}Examples: AppExamples = {
  app: ${name},
  source: "https://example.com/docs",
  fixture: null,
  test: { body: { name: "Ada" }, account: "Ada" },
  actions: {
    get_item: {
      input: { id: "1" },
      answer: { body: { id: "1", name: "Tea" } },
      request: { method: "GET", path: "/items/1" },
    },
  },
  errors: [{ status: 404, body: { message: "No such item" }, says: \`\${${name}.title}: No such item\` }],
};
`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    const files = newApp(process.cwd(), process.argv[2]);
    console.log(`Created ${files.join(" and ")}.\nNext: docs/extend/apps.md, then npx vitest run test/apps`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
