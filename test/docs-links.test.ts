import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const filesOf = (folder: string, recursive: boolean): string[] =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive, encoding: "utf8" }).map((path) => join(folder, path))
    : [];
const pages = [
  ...filesOf(".", false),
  ...[".github", "bench", "deploy", "docs", "eval", "test"].flatMap((folder) => filesOf(folder, true)),
].filter((path) => path.endsWith(".md") && !path.includes("node_modules"));

/** The anchors that a Markdown viewer makes from the headings of a page. */
function anchorsOf(page: string): string[] {
  const text = readFileSync(join(root, page), "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-"),
  );
}

test("every relative link of a page points to an existing file and heading", () => {
  expect(pages.length).toBeGreaterThan(20);
  const broken = pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = ""]) => link)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path = "", anchor] = link.split("#");
        const target = path === "" ? page : relative(root, join(root, dirname(page), path));
        if (!existsSync(join(root, target))) return true;
        return anchor !== undefined && target.endsWith(".md") && !anchorsOf(target).includes(anchor);
      })
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test("the index of docs links to every page of docs", () => {
  const index = readFileSync(join(root, "docs/README.md"), "utf8");
  const unlisted = pages
    .filter((page) => page.startsWith("docs/") && page !== "docs/README.md")
    .filter((page) => !index.includes(`(${page.slice("docs/".length)})`));
  expect(unlisted).toEqual([]);
});

test("every source path that a page names exists", () => {
  const missing = pages
    .filter((page) => page !== "CHANGELOG.md")
    .flatMap((page) =>
      [
        ...readFileSync(join(root, page), "utf8").matchAll(
          /`((?:server|contract|web|test|scripts|bench|eval|deploy)\/[\w./-]+\.\w+)`/g,
        ),
      ]
        .map(([, path = ""]) => path)
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${page}: ${path}`),
    );
  expect(missing).toEqual([]);
});
