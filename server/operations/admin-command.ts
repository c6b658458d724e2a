import { readEnvironment } from "../config.ts";
import { ADMIN_COMMANDS } from "./admin/admin-commands.ts";
import { runAdmin } from "./admin/run-admin.ts";
import { runCommand, log, usage } from "./command.ts";

// `npm run admin -- <command> …`
await runCommand(async () => {
  const [name = "", ...args] = process.argv.slice(2);
  if (!Object.hasOwn(ADMIN_COMMANDS, name)) {
    const lines = Object.values(ADMIN_COMMANDS).map((known) => `\n  ${known.usage}: ${known.summary}`);
    const unknown = name === "" || name === "--help" ? "" : `There is no command ${JSON.stringify(name)}. `;
    throw usage("admin", `<command>${lines.join("")}`, unknown);
  }
  await runAdmin(name, { config: readEnvironment(), args, log, print: (text) => console.log(text) });
});
