import { AppError } from "../lib/errors.ts";
import type { StdioTarget } from "../mcp-client/mcp-target.ts";
import type { StdioCommand } from "../mcp-client/stdio-settings.ts";
import { openStdio } from "../mcp-client/stdio-transport.ts";

const MAX_PROCESSES = 8;
const MAX_BYTES = 10 * 1024 * 1024;

export interface StdioServersDeps {
  /** What the operator allows, by name. */
  commands: Readonly<Record<string, StdioCommand>>;
  isAdministrator(ownerId: string): Promise<boolean>;
}

/**
 * MCP servers that run as programs on this machine. Only the operator decides which programs, and only the administrator
 * may use them: they act with the rights of this service.
 */
export function createStdioServers({ commands, isAdministrator }: StdioServersDeps) {
  let running = 0;

  async function require(ownerId: string, name: string): Promise<StdioCommand> {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined || !(await isAdministrator(ownerId)))
      throw new AppError(
        "forbidden",
        "Servers over stdio are only for the administrator, and only those that MCP_STDIO_SERVERS names.",
      );
    return command;
  }

  return {
    async require(ownerId: string, name: string): Promise<void> {
      await require(ownerId, name);
    },

    async names(ownerId: string): Promise<string[]> {
      const names = Object.keys(commands);
      return names.length > 0 && (await isAdministrator(ownerId)) ? names : [];
    },

    async target(ownerId: string, name: string): Promise<StdioTarget> {
      const command = await require(ownerId, name);
      return {
        kind: "stdio",
        name,
        async open(onFailure) {
          if (running >= MAX_PROCESSES) throw tooMany();
          running += 1;
          let isOpen = true;
          const release = (): void => {
            if (isOpen) running -= 1;
            isOpen = false;
          };
          try {
            const transport = await openStdio(command, { maxBytes: MAX_BYTES }, onFailure);
            const { close } = transport;
            transport.close = async () => {
              release();
              await close();
            };
            return transport;
          } catch (error) {
            release();
            throw error;
          }
        },
      };
    },
  };
}

function tooMany(): AppError {
  return new AppError("limit_reached", `${MAX_PROCESSES} servers over stdio are running, the most allowed.`, {
    retryable: true,
  });
}
