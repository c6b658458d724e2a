import { createServer as createPlainServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createSecureContext, createServer, TLSSocket } from "node:tls";
import { onTestFinished } from "vitest";
import { SELF_SIGNED } from "./self-signed.ts";

export interface StoredMessage {
  uid: number;
  source: string;
  seen: boolean;
}

/** A mailbox that a test changes, served over TLS at 127.0.0.1 for the host `localhost`. */
export interface ImapServer {
  port: number;
  messages: StoredMessage[];
  uidValidity: number;
  uidNext: number;
  capabilities: string;
  refusesSearches: boolean;
  /** What is sent before the response to a command. */
  unasked: Record<string, string>;
  /** Commands that the server received, without tags and arguments. */
  commands: string[];
  /** Adds a message; returns its UID. */
  deliver(source: string): number;
}

export const IMAP_LOGIN = { user: "ada@mail.example", password: 'p4ss "word"' };

/** As much of IMAP4rev1 as a client needs that searches, fetches and flags messages. Closed when the running test ends. */
export async function openImapServer({ startsPlain = false } = {}): Promise<ImapServer> {
  const state: ImapServer = {
    port: 0,
    messages: [],
    uidValidity: 7,
    uidNext: 1,
    capabilities: "IMAP4rev1",
    refusesSearches: false,
    unasked: {},
    commands: [],
    deliver(source) {
      const uid = state.uidNext++;
      state.messages.push({ uid, source: source.replaceAll("\n", "\r\n"), seen: false });
      return uid;
    },
  };
  const sockets = new Set<Socket>();
  const onConnection = (socket: Socket) => {
    sockets.add(socket);
    serve(state, socket, startsPlain);
  };
  const server: Server = startsPlain
    ? createPlainServer(onConnection)
    : createServer({ key: SELF_SIGNED.key, cert: SELF_SIGNED.certificate }, onConnection);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  state.port = (server.address() as AddressInfo).port;
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return state;
}

function serve(state: ImapServer, socket: Socket, isPlain: boolean): void {
  let input = "";
  let isReadOnly = false;
  const send = (text: string) => void socket.write(`${text}\r\n`);
  const onData = (chunk: Buffer) => {
    input += chunk.toString("latin1");
    for (;;) {
      const literal = /^[^\r]*\{(\d+)(\+?)\}\r\n/.exec(input);
      const end = input.indexOf("\r\n");
      if (end < 0) return;
      if (literal !== null) {
        // A text that follows its length: its line ends after it.
        const length = Number(literal[1]);
        if (input.length < literal[0].length + length + 2) {
          if (literal[2] === "" && input.length === literal[0].length) send("+ go on");
          return;
        }
        const text = input.slice(literal[0].length, literal[0].length + length);
        input = input.replace(/\{\d+\+?\}\r\n/, "").replace(text, JSON.stringify(text));
        continue;
      }
      const line = input.slice(0, end);
      input = input.slice(end + 2);
      answer(line);
    }
  };
  socket.on("data", onData).on("error", () => undefined);
  send("* OK ready");

  function upgrade(): void {
    socket.removeListener("data", onData);
    const secureContext = createSecureContext({ key: SELF_SIGNED.key, cert: SELF_SIGNED.certificate });
    const secured = new TLSSocket(socket, { isServer: true, secureContext });
    socket = secured;
    isPlain = false;
    secured.on("data", onData).on("error", () => undefined);
  }

  function answer(line: string): void {
    const [tag = "", first = "", ...rest] = line.split(" ");
    const command = (first === "UID" ? `UID ${rest.shift() ?? ""}` : first).toUpperCase();
    const argument = rest.join(" ");
    state.commands.push(command);
    socket.write(state.unasked[command] ?? "");
    const ok = (text = "done") => send(`${tag} OK ${text}`);
    switch (command) {
      case "CAPABILITY":
        send(`* CAPABILITY ${state.capabilities}${isPlain ? " STARTTLS LOGINDISABLED" : ""}`);
        return ok();
      case "STARTTLS":
        ok();
        return upgrade();
      case "LOGIN": {
        const given = [...argument.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map((match) =>
          (match[1] ?? match[2] ?? "").replaceAll(/\\(.)/g, "$1"),
        );
        const isRight = given[0] === IMAP_LOGIN.user && given[1] === IMAP_LOGIN.password;
        return isRight ? ok() : send(`${tag} NO [AUTHENTICATIONFAILED] wrong`);
      }
      case "LIST":
        send('* LIST () "/" INBOX');
        return ok();
      case "SELECT":
      case "EXAMINE":
        if (!/^"?INBOX"?$/i.test(argument)) return send(`${tag} NO [NONEXISTENT] no such mailbox`);
        isReadOnly = command === "EXAMINE";
        send(
          `* FLAGS (\\Seen)\r\n* ${state.messages.length} EXISTS\r\n* OK [UIDVALIDITY ${state.uidValidity}] ok`,
        );
        send(`* OK [UIDNEXT ${state.uidNext}] ok`);
        return ok(`[${isReadOnly ? "READ-ONLY" : "READ-WRITE"}] open`);
      case "UID SEARCH": {
        if (state.refusesSearches) return send(`${tag} NO [SERVERBUG] try again later`);
        const [, from, to] = /UID (\d+)(?::(\d+))?$/.exec(argument) ?? [];
        const found = state.messages.filter(({ uid }) => uid >= Number(from) && uid <= Number(to ?? from));
        send(`* SEARCH ${found.map(({ uid }) => uid).join(" ")}`.trimEnd());
        return ok();
      }
      case "FETCH":
      case "UID FETCH": {
        const [range = ""] = argument.split(" ");
        const isUid = command === "UID FETCH";
        state.messages.forEach((message, index) => {
          const isAsked = Number(range) === (isUid ? message.uid : index + 1);
          if (!isAsked) return;
          const bytes = Buffer.from(message.source);
          const [, from = "0", length] = /BODY\.PEEK\[\]<(\d+)\.(\d+)>/.exec(argument) ?? [];
          const wantsBody = argument.includes("BODY.PEEK[]");
          const end = length === undefined ? undefined : Number(from) + Number(length);
          const body = bytes.subarray(Number(from), end);
          const fields = `UID ${message.uid} RFC822.SIZE ${bytes.length}`;
          const start = `* ${index + 1} FETCH (${fields}`;
          if (!wantsBody) return send(`${start})`);
          socket.write(`${start} BODY[]${length === undefined ? "" : `<${from}>`} {${body.length}}\r\n`);
          socket.write(body);
          send(")");
        });
        return ok();
      }
      case "UID STORE": {
        if (isReadOnly) return send(`${tag} NO read-only`);
        const uids = new Set((argument.split(" ")[0] ?? "").split(",").flatMap(toRange));
        for (const message of state.messages) if (uids.has(message.uid)) message.seen = true;
        return ok();
      }
      case "LOGOUT":
        send("* BYE");
        ok();
        return void socket.end();
      default:
        return ok();
    }
  }
}

function toRange(text: string): number[] {
  const [first = 0, last = first] = text.split(":").map(Number);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
