/** A folder of the tree: the path joins the names with slashes. */
export interface FolderNode {
  path: string;
  name: string;
  depth: number;
}

export function folderName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The folder above; empty at the top. */
export function parentFolder(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function joinFolder(parent: string, name: string): string {
  return parent === "" ? name : `${parent}/${name}`;
}

/** The folder itself, or one below it. */
export function isInFolder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** All folders with those above them, each followed by its subfolders, by name. */
export function folderTree(paths: Iterable<string>): FolderNode[] {
  const all = new Set<string>();
  for (const path of paths) for (let at = path; at !== ""; at = parentFolder(at)) all.add(at);
  return [...all]
    .map((path) => ({ path, names: path.split("/") }))
    .toSorted((a, b) => compareNames(a.names, b.names))
    .map(({ path, names }) => ({ path, name: names.at(-1)!, depth: names.length - 1 }));
}

function compareNames(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((name, index) => name !== b[index]);
  if (at === -1) return a.length - b.length;
  return at >= b.length ? 1 : a[at]!.localeCompare(b[at]!);
}
