import { Square } from "lucide-react";
import { useEffect, useState } from "react";
import { Link, useParams } from "wouter";
import { useMe } from "../../api/accounts.ts";
import { useMay } from "../../api/permissions.ts";
import { cancelSession, type Session, useSession } from "../../api/sessions.ts";
import { useDiscovery, useTeam, useTeamMutation } from "../../api/teams.ts";
import { useWarRoom } from "../../api/war-room.ts";
import { Screen } from "../../ui/screen.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { formatCount, formatTokens } from "../../ui/tokens.ts";
import { Conversation } from "./conversation.tsx";
import { MemberList } from "./member-list.tsx";
import { SessionResult } from "./session-result.tsx";
import "./teams.css";

const noActivity: ReadonlyMap<string, string> = new Map();

/** A narrow screen shows one part at a time. */
const PARTS = { talk: "Conversation", people: "Members", outcome: "Result and invitation" } as const;
type RoomPart = keyof typeof PARTS;

/** A session: its members, its messages and a form to send one. */
export function WarRoom() {
  const { id, sessionId } = useParams<{ id: string; sessionId: string }>();
  const team = useTeam(id).data;
  const session = useSession(sessionId);
  const members = useDiscovery(id).data ?? [];
  const me = useMe().data;
  const myName = me?.name || me?.email || "You";
  const room = useWarRoom(sessionId);
  const [part, setPart] = useState<RoomPart>("talk");
  const { refetch } = session;
  const status = room.status?.status ?? session.data?.status;
  const may = useMay();
  const stop = useTeamMutation(() => cancelSession(sessionId));
  // Token usage and turns change with every message.
  useEffect(
    () => void refetch({ cancelRefetch: false }),
    [room.status?.status, room.messages.length, refetch],
  );

  const live = status === "active" || status === "waiting";
  return (
    <Screen
      title={session.data?.objective ?? "War room"}
      breadcrumbs={
        <>
          <Link href="/teams">Teams</Link> / <Link href={`/teams/${id}`}>{team?.name ?? "Team"}</Link> /
        </>
      }
      titleInfo={
        <>
          {status !== undefined && (
            <StatusChip status={status}>
              {live && session.data !== undefined && turnText(session.data)}
            </StatusChip>
          )}
          {!room.connected && <span className="chip wait">connecting</span>}
        </>
      }
      actions={
        <>
          {session.data !== undefined && <Usage session={session.data} />}
          {live && may("cancelSession") && (
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
      <div className={`room show-${part}`}>
        <PartTabs part={part} onChange={setPart} />
        <aside className="room-left" aria-label="Members">
          <div className="caps">Members</div>
          <MemberList
            members={members}
            activity={live ? room.activity : noActivity}
            userName={myName}
            topology={team?.topology ?? "mesh"}
          />
        </aside>
        <Conversation
          room={room}
          members={members}
          myId={me?.id}
          myName={myName}
          isLive={live}
          canSend={may("postSessionMessage") && status !== "cancelled"}
          errors={[session.error, stop.error]}
        />
        <SessionResult session={session.data} team={team} />
      </div>
    </Screen>
  );
}

function PartTabs(props: { part: RoomPart; onChange: (part: RoomPart) => void }) {
  return (
    <div className="room-parts tabs" role="group" aria-label="Parts of the room">
      {(Object.keys(PARTS) as RoomPart[]).map((name) => (
        <button
          key={name}
          type="button"
          className={`to-${name}`}
          aria-pressed={props.part === name}
          onClick={() => props.onChange(name)}
        >
          {PARTS[name]}
        </button>
      ))}
    </div>
  );
}

function turnText({ turns, limits }: Session): string {
  return ` · turn ${turns} of ${limits.turns}`;
}

function Usage({ session }: { session: Session }) {
  const { turns, usage, limits } = session;
  return (
    <span
      className="muted small wide-only"
      title={`At most ${formatCount(limits.tokens)} tokens, and ${limits.turns} turns since the last user or external message`}
    >
      {turns === 1 ? "1 turn" : `${turns} turns`} · {formatTokens(usage)}
    </span>
  );
}
