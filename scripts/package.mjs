// `npm run package`: builds and writes baton-<version>.tgz, the package for `npx` and for the npm registry.
// `-- <folder>` writes it to another folder. A plain `npm pack` would pack an old build or none.
import { prepare, root, run } from "./prepare.mjs";

await prepare();
const [folder = root] = process.argv.slice(2);
run("npm", ["pack", "--loglevel=error", "--pack-destination", folder]);
