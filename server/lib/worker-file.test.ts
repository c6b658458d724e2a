import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { startWorker } from "./worker-file.ts";

const worker = `import { parentPort } from "node:worker_threads"; const hello: string = "hello"; parentPort?.postMessage(hello);`;

test("a TypeScript worker starts from source and from the build", async () => {
  const folder = await mkdtemp(join(import.meta.dirname, "worker-file-"));
  try {
    await writeFile(join(folder, "deep.worker.ts"), worker);
    const source = startWorker(pathToFileURL(join(folder, "deep.worker.ts")));
    expect(await once(source, "message")).toEqual(["hello"]);

    const main = `import { startWorker } from ${JSON.stringify(join(import.meta.dirname, "worker-file.ts"))};
      export const start = () => startWorker(new URL("./somewhere/deep.worker.ts", import.meta.url));`;
    await writeFile(join(folder, "main.ts"), main);
    await build({
      entryPoints: [join(folder, "main.ts"), join(folder, "deep.worker.ts")],
      outdir: join(folder, "dist"),
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      outExtension: { ".js": ".js" },
      entryNames: "[name]",
    });
    await writeFile(join(folder, "dist", "package.json"), '{"type":"module"}');
    const { start } = (await import(pathToFileURL(join(folder, "dist", "main.js")).href)) as {
      start: () => ReturnType<typeof startWorker>;
    };
    expect(await once(start(), "message")).toEqual(["hello"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
