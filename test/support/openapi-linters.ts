import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral, { type RulesetDefinition } from "@stoplight/spectral-core";
import parsers from "@stoplight/spectral-parsers";
import rulesets from "@stoplight/spectral-rulesets";

/** The problems that Redocly finds with its recommended rules, errors and warnings alike. */
export async function lintWithRedocly(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source, absoluteRef: "/openapi.json", config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
}

/** The problems that Spectral finds with its recommended rules, without those of `off`. */
export async function lintWithSpectral(source: string, off: readonly string[] = []): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset({
    // The type of the shipped rules is narrower than what the linter reads.
    extends: [[rulesets.oas as RulesetDefinition, "recommended"]],
    rules: Object.fromEntries(off.map((rule) => [rule, "off"])),
  });
  const problems = await linter.run(new spectral.Document(source, parsers.Json, "/openapi.json"));
  return problems.map(({ code, message, path }) => `${code}: ${message} (${path.join("/")})`);
}
