import { setFlagsFromString } from "node:v8";

// While modules load, most new objects stay. V8 would answer that by growing its young generation to 32 MB, which a
// service at rest then keeps. service.ts lets it grow again once the service is ready.
setFlagsFromString("--semi-space-growth-factor=1");
const name = import.meta.url.endsWith(".ts") ? "./service.ts" : "./service.js";
await import(new URL(name, import.meta.url).href);
