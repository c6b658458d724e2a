import { Square } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Link, useParams } from "wouter";
import { useMe } from "../../api/accounts.ts";
import { cancelSession, type Session, useSession } from "../../api/sessions.ts";
import { useDiscovery, useTeam, useTeamMutation } from "../../api/teams.ts";
import { useWarRoom } from "../../api/war-room.ts";
import { Screen } from "../../ui/screen.tsx";
import { Failure, Skeleton } from "../../ui/states.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { formatCount, formatTokens } from "../../ui/tokens.ts";
import { toRoomItems } from "../../flow/room-log.ts";
import { Message, WritingMessage } from "./message.tsx";
import { ToolLine } from "./tool-line.tsx";
import { SessionResult } from "./session-result.tsx";
import { MemberList } from "./member-list.tsx";
import { MessageForm } from "./message-form.tsx";
import "./teams.css";
import { useMay } from "../../api/permissions.ts";

const noActivity: ReadonlyMap<string, string> = new Map();

/** This near to the last message, the feed follows new ones. */
const END_PX = 40;

/** A narrow screen shows one part at a time. */
const PARTS = { talk: "Conversation", people: "Members", outcome: "Result and invitation" } as const;

/** A session: its members, its messages and a form to send one. */
export function WarRoom() {
  const { id, sessionId } = useParams<{ id: string; sessionId: string }>();
  const team = useTeam(id).data;
  const session = useSession(sessionId);
  const members = useDiscovery(id).data ?? [];
  const me = useMe().data;
  const myName = me?.name || me?.email || "You";
  const room = useWarRoom(sessionId);
  const [part, setPart] = useState<keyof typeof PARTS>("talk");
  const feed = useRef<HTMLDivElement>(null);
  /** A user who has scrolled up to read stays there while messages arrive. */
  const isAtEnd = useRef(true);
  const lastTop = useRef(0);
  const { refetch } = session;
  const status = room.status?.status ?? session.data?.status;
  const may = useMay();
  const stop = useTeamMutation(() => cancelSession(sessionId));
  const items = useMemo(() => toRoomItems(room.messages), [room.messages]);
  const names = useMemo(() => new Map(members.map(({ id: member, name }) => [member, name])), [members]);

  useEffect(() => {
    if (isAtEnd.current) feed.current?.scrollTo({ top: feed.current.scrollHeight });
  }, [room.messages, room.writing]);
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
        <div className="room-parts tabs" role="group" aria-label="Parts of the room">
          {(Object.keys(PARTS) as (keyof typeof PARTS)[]).map((name) => (
            <button
              key={name}
              type="button"
              className={`to-${name}`}
              aria-pressed={part === name}
              onClick={() => setPart(name)}
            >
              {PARTS[name]}
            </button>
          ))}
        </div>
        <aside className="room-left" aria-label="Members">
          <div className="caps">Members</div>
          <MemberList
            members={members}
            activity={live ? room.activity : noActivity}
            userName={myName}
            topology={team?.topology ?? "mesh"}
          />
        </aside>
        <section className="room-middle" aria-label="Conversation">
          <div
            className="feed"
            ref={feed}
            role="log"
            aria-live="polite"
            aria-label="Messages"
            tabIndex={0}
            onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
              if (scrollHeight - scrollTop - clientHeight < END_PX) isAtEnd.current = true;
              // Messages that arrive before this event make the feed longer, but scroll nothing up.
              else if (scrollTop < lastTop.current) isAtEnd.current = false;
              lastTop.current = scrollTop;
            }}
          >
            {room.joinError !== undefined && <Failure error={new Error(room.joinError)} />}
            {session.error !== null && <Failure error={session.error} />}
            {stop.error !== null && <Failure error={stop.error} />}
            {room.messages.length === 0 && room.joinError === undefined && <Skeleton rows={2} />}
            {items.map((item) =>
              item.kind === "tool" ? (
                <ToolLine key={item.seq} line={item} sender={names.get(item.from.id) ?? item.from.id} />
              ) : (
                <Message key={item.seq} entry={item.entry} names={names} myId={me?.id} myName={myName} />
              ),
            )}
            {live &&
              [...room.writing].map(([agentId, text]) => (
                <WritingMessage key={agentId} sender={names.get(agentId) ?? agentId} text={text} />
              ))}
          </div>
          {may("postSessionMessage") && status !== "cancelled" && (
            <MessageForm
              members={members}
              sendMessage={(text, to) => {
                isAtEnd.current = true;
                return room.sendMessage(text, to);
              }}
            />
          )}
        </section>
        <SessionResult session={session.data} team={team} />
      </div>
    </Screen>
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
