import { fileURLToPath } from "node:url";
import { loadBundle } from "./code-cache.ts";
import { endStart, saveMemoryAtStart } from "./start-flags.ts";

interface Service {
  started: Promise<void>;
}

saveMemoryAtStart();
if (import.meta.url.endsWith(".ts")) {
  const { started } = (await import(new URL("./service.ts", import.meta.url).href)) as Service;
  await started;
} else {
  const bundle = loadBundle(fileURLToPath(new URL("./service.cjs", import.meta.url)));
  await (bundle.exports as Service).started;
  // Before the flags change: V8 accepts a code cache only with the flags it was made with.
  bundle.storeCodeCache();
}
endStart();
