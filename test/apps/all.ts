import { githubExamples } from "./github.ts";
import { slackExamples } from "./slack.ts";
import type { AppExamples } from "./support/app-examples.ts";

/** One for each app of apps/all.ts. */
export const allExamples: readonly AppExamples[] = [githubExamples, slackExamples];
