import { type LoginSession, useEndLogin, useLoginSessions } from "../../api/security.ts";
import { Ago } from "../../ui/ago.tsx";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Loaded } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";

/** Where the user is logged in, newest first. */
export function LoginList() {
  const logins = useLoginSessions();
  const end = useEndLogin();
  const columns: Column<LoginSession>[] = [
    {
      title: "Program",
      cell: (login) => (
        <>
          {programOf(login.userAgent)} {login.current && <span className="chip">This login</span>}
        </>
      ),
    },
    { title: "Address", muted: true, cell: (login) => login.address ?? "unknown" },
    { title: "Signed in", wideOnly: true, muted: true, cell: (login) => <Ago at={login.createdAt} /> },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (login) =>
        !login.current && (
          <ConfirmButton
            className="btn tiny danger"
            question="End this login?"
            consequence="The program has to sign in again."
            confirm="End login"
            onConfirm={() => end.mutateAsync(login.id)}
          >
            End login
          </ConfirmButton>
        ),
    },
  ];
  return (
    <section className="stack tight" aria-label="Logins">
      <h2>Logins</h2>
      <Loaded query={logins}>
        {(list) => <Table columns={columns} rows={list} keyOf={({ id }) => id} />}
      </Loaded>
    </section>
  );
}

/** "Firefox on Linux" from the user agent of a browser; other programs by the name that they send. */
function programOf(userAgent: string | null): string {
  if (userAgent === null) return "Unknown program";
  const browser = ["Edg", "OPR", "Firefox", "Chrome", "Safari"].find((name) =>
    userAgent.includes(`${name}/`),
  );
  const system = ["Windows", "Android", "iPhone", "iPad", "Mac OS", "Linux"].find((name) =>
    userAgent.includes(name),
  );
  if (browser === undefined) return userAgent.split(" ")[0] ?? userAgent;
  const names: Record<string, string> = { Edg: "Edge", OPR: "Opera" };
  return `${names[browser] ?? browser}${system === undefined ? "" : ` on ${system}`}`;
}
