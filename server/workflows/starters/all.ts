import type { Starter } from "./starter.ts";

export const starters: readonly Starter[] = [];
