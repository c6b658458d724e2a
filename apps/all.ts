import type { App } from "./define-app.ts";
import { github } from "./github.ts";
import { slack } from "./slack.ts";

/** The apps that ship with Baton, in alphabetical order. */
export const apps: readonly App[] = [github, slack];
