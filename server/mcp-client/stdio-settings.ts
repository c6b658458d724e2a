import * as z from "zod";
import { parseJson } from "../lib/lenient-parse.ts";

const schema = z.record(
  z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/),
  z.strictObject({
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    /** Names of variables of this process that the server gets. */
    env: z.array(z.string().regex(/^[A-Za-z_]\w*$/)).default([]),
  }),
);

export type StdioAllowlist = z.infer<typeof schema>;

/** One server with the values of the variables that it gets. */
export interface StdioCommand {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** Parses MCP_STDIO_SERVERS. Errors name the path and never the value, which may contain a key. */
export function readStdioAllowlist(text: string, context: z.RefinementCtx): StdioAllowlist {
  if (text === "") return {};
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.join(".") ?? "";
  context.addIssue({
    code: "custom",
    message: `must be JSON like {"files": {"command": "npx", "args": ["…"], "env": ["TOKEN"]}}${path && `; wrong at ${path}`}`,
  });
  return z.NEVER;
}

/** Only what a program needs to start, and the variables that the operator names: never keys of this service. */
export function scrubbedEnvironment(
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const allowed = ["PATH", "LANG", "TZ", "SYSTEMROOT", ...names];
  return Object.fromEntries(
    allowed.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
