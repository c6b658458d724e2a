import { confirmEmail as confirmEmailOf, setAdministrator } from "../../accounts/account.sql.ts";
import { AppError } from "../../lib/errors.ts";
import { usage } from "../command.ts";
import type { AdminContext } from "./admin-context.ts";
import { findAccount } from "./find-account.ts";
import { openInstance } from "./open-instance.ts";

export const ADMINISTRATOR_USAGE = "administrator <email or id> on|off";
export const CONFIRM_EMAIL_USAGE = "confirm-email <email or id>";

/** `npm run admin -- administrator …` */
export async function administrator({ config, args, log }: AdminContext): Promise<void> {
  const [user, value, ...rest] = args;
  if (user === undefined || !["on", "off"].includes(value ?? "") || rest.length > 0)
    throw usage("admin", ADMINISTRATOR_USAGE);
  const { db, close } = await openInstance(config, log);
  try {
    const { id, email } = await findAccount(db, user);
    if (!(await setAdministrator(db, id, value === "on")))
      throw new AppError("usage", `${email} is the last administrator. Make another account one first.`);
    log(`${email} is ${value === "on" ? "an" : "no"} administrator.`);
  } finally {
    await close();
  }
}

/** `npm run admin -- confirm-email …`: for services that send no mail. */
export async function confirmEmail({ config, args, log }: AdminContext): Promise<void> {
  const [user, ...rest] = args;
  if (user === undefined || rest.length > 0) throw usage("admin", CONFIRM_EMAIL_USAGE);
  const { db, now, close } = await openInstance(config, log);
  try {
    const { id, email } = await findAccount(db, user);
    await confirmEmailOf(db, id, now());
    log(`${email} is confirmed.`);
  } finally {
    await close();
  }
}
