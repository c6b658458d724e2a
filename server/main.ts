import { existsSync } from "node:fs";
import { createApp } from "./app.ts";
import { type Config, readEnvironment } from "./config.ts";
import { AppError } from "./lib/errors.ts";

/** The process: settings, build, listen, close on a signal. */
async function main(): Promise<void> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const config = readEnvironment();
  const app = await createApp(config);
  const address = await app.listen().catch((error: NodeJS.ErrnoException) => {
    throw explainListen(error, config);
  });
  const shown = config.publicUrl ?? address;
  console.log(`\nBaton is ready.\n  Page               ${shown}/\n  API documentation  ${shown}/api/docs\n`);

  let closing = false;
  const stop = (signal: string): void => {
    // The first signal lets running requests end; the second one does not wait for them.
    if (closing) process.exit(1);
    closing = true;
    console.log(`${signal}: finishing what is under way, then stopping (once more to stop at once).`);
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
    EADDRINUSE: `Port ${port} is taken by another program. Stop that one, or set PORT to another number.`,
    EACCES: `This user may not listen on port ${port}. Set PORT to a number above 1023.`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Set HOST to one of its own, or to 0.0.0.0 for all of them.`,
    ENOTFOUND: `The name ${host} leads to no address. Set HOST to an address of this machine.`,
  };
  const reason = reasons[error.code ?? ""];
  return reason === undefined ? error : new AppError("cannot_listen", reason, { cause: error });
}

main().catch((error: unknown) => {
  // What the operator can mend is told in words, without a stack.
  console.error(error instanceof AppError ? error.message : error);
  process.exit(1);
});
