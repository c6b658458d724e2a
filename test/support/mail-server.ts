import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  to: string[];
  raw: string;
}

export interface MailServer {
  /** For the setting SMTP_URL. */
  url: string;
  received: ReceivedMail[];
  /** Answers every mail with this code from now on; undefined accepts. */
  refuseWith(code: number | undefined): void;
  close(): Promise<void>;
}

/** A mail server on loopback. Addresses that begin with `nobody@` are unknown to it. With `login` it takes mail of this user only. */
export async function startMailServer(login?: { user: string; password: string }): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let refusal: number | undefined;
  const server = new SMTPServer({
    authOptional: login === undefined,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      const isRight = username === login?.user && password === login?.password;
      done(isRight ? null : new Error(`wrong password ${password}`), { user: username });
    },
    disabledCommands: ["STARTTLS"],
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith("nobody@") ? new Error("no such mailbox") : undefined),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (refusal !== undefined)
          return done(Object.assign(new Error("not now"), { responseCode: refusal }));
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ to, raw: Buffer.concat(chunks).toString() });
        return done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  // A process that is killed while it sends a mail resets its connection, which would end the test as an uncaught error.
  server.on("error", () => undefined);
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuseWith: (code) => void (refusal = code),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
