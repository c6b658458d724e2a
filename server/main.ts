import { saveMemoryAtStart } from "./start-flags.ts";

saveMemoryAtStart();
const name = import.meta.url.endsWith(".ts") ? "./service.ts" : "./service.js";
await import(new URL(name, import.meta.url).href);
