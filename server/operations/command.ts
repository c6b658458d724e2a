import { existsSync } from "node:fs";
import { AppError } from "../lib/errors.ts";
import { explainSystemError } from "../lib/system-error.ts";

export const log = (line: string): void => console.log(`baton: ${line}`);

/** Runs an operator's command. Errors the operator can fix are printed as one line, without a stack trace. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  try {
    await command();
  } catch (error) {
    const known = isOperatorError(error) ? error.message : explainSystemError(error);
    console.error(known === undefined ? error : `baton: ${known}`);
    process.exitCode = 1;
  }
}

function isOperatorError(error: unknown): error is Error {
  const { code } = error as { code?: unknown };
  return error instanceof AppError || (typeof code === "string" && code.startsWith("ERR_PARSE_ARGS"));
}

const isInstalled = import.meta.url.includes("/node_modules/");

/** How the operator calls a command: in a clone through npm, in an installed package through its own program. */
export function usage(command: string, args: string, reason = ""): AppError {
  const call = isInstalled ? `baton ${command}` : `npm run ${command} --`;
  return new AppError("usage", `${reason}Usage: ${call} ${args}`);
}
