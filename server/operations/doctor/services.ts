import type { Config } from "../../config.ts";
import { messageOf } from "../../lib/errors.ts";
import { openSmtpTransport } from "../../mail/smtp-transport.ts";
import { openFiles } from "../../platform/open-files.ts";
import { ok, type Outcome, problem } from "./finding.ts";

/** Connects and logs in; sends nothing. */
export async function checkMail({ url, from }: Config["smtp"]): Promise<Outcome> {
  if (url === undefined) return ok("not set: this service sends no mail of its own");
  if (from === undefined) return problem("SMTP_URL is set and SMTP_FROM is not.", "Set SMTP_FROM.");
  const { host } = new URL(url);
  const transport = await openSmtpTransport(url);
  try {
    await transport.verify();
    return ok(`${host} accepts the login`);
  } catch (error) {
    return problem(`${host}: ${messageOf(error)}`, "Check the host, port and login in SMTP_URL.");
  } finally {
    transport.close();
  }
}

export async function checkBucket(config: Pick<Config, "bucket" | "dataDir" | "egress">): Promise<Outcome> {
  if (config.bucket === undefined) return ok("files are in DATA_DIR");
  try {
    await (await openFiles(config)).close();
    return ok(`the bucket ${config.bucket.bucket} can be read and written`);
  } catch (error) {
    return problem(messageOf(error), "Check the settings S3_*.");
  }
}
