import { existsSync } from "node:fs";
import { createApp } from "./app.ts";
import { type Config, readEnvironment } from "./config.ts";
import { startupText } from "./startup-text.ts";
import { AppError } from "./lib/errors.ts";
import { explainSystemError } from "./lib/system-error.ts";

async function main(): Promise<void> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const config = readEnvironment();
  const app = await createApp(config);
  const setupCode = await app.setupCode();
  const address = await app.listen().catch((error: NodeJS.ErrnoException) => {
    throw explainListen(error, config);
  });
  app.start();
  console.log(startupText(config, config.publicUrl ?? address, setupCode));

  let closing = false;
  const stop = (signal: string): void => {
    // The first signal stops gracefully; the second one exits at once.
    if (closing) process.exit(1);
    closing = true;
    console.log(`${signal}: finishing running work, then stopping. Send the signal again to stop at once.`);
    void app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop).on("SIGINT", stop);
}

function explainListen(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} is already in use. Stop the other program or set PORT to another number.`,
    EACCES: `Permission denied for port ${port}. Set PORT to a number above 1023.`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Set HOST to one of its addresses, or to 0.0.0.0 for all of them.`,
    ENOTFOUND: `The host name ${host} cannot be resolved. Set HOST to an address of this machine.`,
  };
  const reason = reasons[error.code ?? ""];
  return reason === undefined ? error : new AppError("cannot_listen", reason, { cause: error });
}

/** Resolves once the service is ready. */
export const started: Promise<void> = main().catch((error: unknown) => {
  // An error that the operator can fix is printed without a stack.
  console.error(error instanceof AppError ? error.message : (explainSystemError(error) ?? error));
  process.exit(1);
});
