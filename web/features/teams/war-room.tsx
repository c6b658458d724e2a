import { Send, Square } from "lucide-react";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { Link, useParams } from "wouter";
import { call, messageOf } from "../../api/client.ts";
import { useMe } from "../../api/session.ts";
import { useDiscovery, useSession, useTeam, useTeamChange } from "../../api/teams.ts";
import { useWarRoom } from "../../api/war-room.ts";
import { Prose } from "../../ui/prose.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Failure, Skeleton } from "../../ui/states.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { say } from "../../ui/toasts.tsx";
import { Invitation } from "./invitation.tsx";
import { Message } from "./message.tsx";
import { Roster } from "./roster.tsx";
import "./teams.css";

const nobody: ReadonlyMap<string, string> = new Map();

/** The room: who is in it, what is said, and a place to speak. */
export function WarRoom() {
  const { id, sessionId } = useParams<{ id: string; sessionId: string }>();
  const team = useTeam(id).data;
  const session = useSession(sessionId);
  const members = useDiscovery(id).data ?? [];
  const me = useMe().data;
  const room = useWarRoom(sessionId);
  const [text, setText] = useState("");
  const [to, setTo] = useState("");
  const feed = useRef<HTMLDivElement>(null);
  const { refetch } = session;
  const status = room.status?.status ?? session.data?.status;
  const stop = useTeamChange(() => call(`/api/agent-teams/sessions/${sessionId}/cancel`, { method: "POST" }));
  const names = useMemo(() => new Map(members.map(({ id: member, name }) => [member, name])), [members]);

  useEffect(() => {
    feed.current?.scrollTo({ top: feed.current.scrollHeight });
  }, [room.messages]);
  useEffect(() => void refetch(), [room.status?.status, refetch]);

  async function speak(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (text.trim() === "") return;
    try {
      await room.say(text, to === "" ? undefined : to);
      setText("");
    } catch (error) {
      say(messageOf(error));
    }
  }
  const live = status === "active" || status === "waiting";
  return (
    <Screen
      title={session.data?.objective ?? "War room"}
      path={
        <>
          <Link href="/teams">Teams</Link> / <Link href={`/teams/${id}`}>{team?.name ?? "Team"}</Link> /
        </>
      }
      beside={
        <>
          {status !== undefined && <StatusChip status={status} />}
          {!room.connected && <span className="chip wait">connecting</span>}
        </>
      }
      actions={
        <>
          {session.data !== undefined && (
            <span className="muted small wide-only">{session.data.usage.totalTokens} tokens</span>
          )}
          {live && (
            <button
              type="button"
              className="btn"
              disabled={stop.isPending}
              onClick={() => stop.mutate(undefined)}
            >
              <Square size={13} /> Stop
            </button>
          )}
        </>
      }
    >
      <div className="room">
        <aside className="room-left" aria-label="In the room">
          <Roster
            members={members}
            working={live ? room.agents : nobody}
            me={me?.name ?? me?.email ?? "You"}
            topology={team?.topology ?? "mesh"}
          />
        </aside>
        <section className="room-middle" aria-label="Conversation">
          <div className="feed" ref={feed} role="log" aria-live="polite" aria-label="Messages" tabIndex={0}>
            {room.refused !== undefined && <Failure error={new Error(room.refused)} />}
            {session.error !== null && <Failure error={session.error} />}
            {room.messages.length === 0 && room.refused === undefined && <Skeleton rows={2} />}
            {room.messages.map((entry) => (
              <Message
                key={entry.seq}
                entry={entry}
                names={names}
                myId={me?.id}
                myName={me?.name ?? me?.email ?? "You"}
              />
            ))}
          </div>
          <form className="say" onSubmit={(event) => void speak(event)}>
            <select
              className="in say-to"
              aria-label="To whom"
              value={to}
              onChange={(event) => setTo(event.target.value)}
            >
              <option value="">everyone</option>
              {members.map((member) => (
                <option key={member.id} value={member.id}>
                  {member.name}
                </option>
              ))}
            </select>
            <input
              className="in grow"
              aria-label="Say something"
              placeholder="Say something to the room"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            <button type="submit" className="btn go" aria-label="Send" disabled={text.trim() === ""}>
              <Send size={14} /> <span className="wide-only">Send</span>
            </button>
          </form>
        </section>
        <aside className="room-right" aria-label="Result and invitation">
          {session.data?.result !== null && session.data?.result !== undefined && (
            <div className="stack tight">
              <div className="caps">Result</div>
              <div className="card flat pad small pre">
                <Prose text={showOutput(session.data.result.output)} />
              </div>
            </div>
          )}
          {session.data?.error !== null && session.data?.error !== undefined && (
            <div className="notice bad">{session.data.error.message}</div>
          )}
          <div className="caps">Invite an outside agent</div>
          {team !== undefined && <Invitation team={team} sessionId={sessionId} />}
        </aside>
      </div>
    </Screen>
  );
}

function showOutput(output: unknown): string {
  return typeof output === "string" ? output : JSON.stringify(output, null, 2);
}
