import { useEffect, useMemo, useRef } from "react";
import type { DiscoveryEntry } from "../../api/teams.ts";
import type { WarRoom } from "../../api/war-room.ts";
import { toRoomItems } from "../../flow/room-log.ts";
import { Failure, Skeleton } from "../../ui/states.tsx";
import { MessageForm } from "./message-form.tsx";
import { Message, WritingMessage } from "./message.tsx";
import { ToolLine } from "./tool-line.tsx";

interface ConversationProps {
  room: WarRoom;
  members: readonly DiscoveryEntry[];
  myId: string | undefined;
  myName: string;
  /** Agents may write. */
  isLive: boolean;
  canSend: boolean;
  errors: readonly (Error | null)[];
}

/** This near to the last message, the feed follows new ones. */
const END_PX = 40;

/** The messages of a session as they arrive, and the form to send one. */
export function Conversation({ room, members, myId, myName, isLive, canSend, errors }: ConversationProps) {
  const feed = useRef<HTMLDivElement>(null);
  /** A user who has scrolled up to read stays there while messages arrive. */
  const isAtEnd = useRef(true);
  const lastTop = useRef(0);
  const items = useMemo(() => toRoomItems(room.messages), [room.messages]);
  const names = useMemo(() => new Map(members.map(({ id, name }) => [id, name])), [members]);
  useEffect(() => {
    if (isAtEnd.current) feed.current?.scrollTo({ top: feed.current.scrollHeight });
  }, [room.messages, room.writing]);
  return (
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
        {errors.map((error) => error !== null && <Failure key={error.message} error={error} />)}
        {room.messages.length === 0 && room.joinError === undefined && <Skeleton rows={2} />}
        {items.map((item) =>
          item.kind === "tool" ? (
            <ToolLine key={item.seq} line={item} sender={names.get(item.from.id) ?? item.from.id} />
          ) : (
            <Message key={item.seq} entry={item.entry} names={names} myId={myId} myName={myName} />
          ),
        )}
        {isLive &&
          [...room.writing].map(([agentId, text]) => (
            <WritingMessage key={agentId} sender={names.get(agentId) ?? agentId} text={text} />
          ))}
      </div>
      {canSend && (
        <MessageForm
          members={members}
          sendMessage={(text, to) => {
            isAtEnd.current = true;
            return room.sendMessage(text, to);
          }}
        />
      )}
    </section>
  );
}
