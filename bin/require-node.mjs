/** Exits with a message on a version of Node that Baton does not support. */
export function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`baton: Node ${process.version} is too old. Install Node 20.19 or newer.`);
  process.exit(1);
}
