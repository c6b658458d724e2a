import type { Config } from "../../config.ts";

export interface AdminContext {
  config: Config;
  /** What follows the name of the command. */
  args: readonly string[];
  log(line: string): void;
  /** Output that programs read. */
  print(text: string): void;
}
