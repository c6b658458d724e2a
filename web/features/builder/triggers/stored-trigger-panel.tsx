import { Suspense, useState } from "react";
import { Link } from "wouter";
import {
  deleteTrigger,
  readSample,
  type StoredKind,
  type StoredTrigger,
  updateTrigger,
  useTrigger,
  useTriggerItems,
  useTriggerMutation,
} from "../../../api/triggers.ts";
import { Ago } from "../../../ui/ago.tsx";
import { ReadOnlyUnless } from "../../../ui/allowed.tsx";
import { RecordList } from "../../../ui/record-list.tsx";
import { Empty, Failure } from "../../../ui/states.tsx";
import { dateTime } from "../../../ui/time.ts";
import { lazyComponent } from "../../../ui/lazy-component.ts";
import { Tabs } from "../../../ui/tabs.tsx";
import { ChatAddress } from "./chat-address.tsx";
import { ChatForm } from "./chat-form.tsx";
import { ChatTest } from "./chat-test.tsx";
import { DeleteTrigger } from "./delete-trigger.tsx";
import { InputFieldsEditor } from "./input-fields-editor.tsx";
import { LiveNote } from "./live-note.tsx";
import { MailboxForm } from "./mailbox-form.tsx";
import { PanelFrame, type TriggerPanelProps } from "./panel-frame.tsx";
import { RecentCalls } from "./recent-calls.tsx";
import { RssForm } from "./rss-form.tsx";
import { TestInput } from "./test-input.tsx";
import type { TriggerFormProps } from "./trigger-form.tsx";
import { NEW_RECORD } from "./trigger-id.ts";

const AppTriggerForm = lazyComponent(() => import("./app-trigger-form.tsx"), "AppTriggerForm");

interface StoredTriggerPanelProps extends TriggerPanelProps {
  kind: StoredKind;
  onCreated: (id: string) => void;
}

const NEW_TITLES: Readonly<Record<StoredKind, string>> = {
  rss: "New feed",
  email: "New mailbox",
  chat: "New chat",
  app: "New app trigger",
};
const TITLES: Readonly<Record<StoredKind, string>> = {
  rss: "Feed",
  email: "Mailbox",
  chat: "Chat",
  app: "App",
};

const EMPTY: Readonly<Record<StoredKind, string>> = {
  rss: "The feed has no items.",
  email: "The mailbox is empty.",
  app: "There are no items.",
  chat: "",
};

/** A feed, a mailbox, a chat or a trigger of an app: separate records. */
export function StoredTriggerPanel({ builder, kind, recordId, onCreated }: StoredTriggerPanelProps) {
  const trigger = useTrigger(recordId === NEW_RECORD ? "" : recordId).data;
  const update = useTriggerMutation((active: boolean) => updateTrigger(recordId, { active }));
  return (
    <PanelFrame
      builder={builder}
      kind={kind}
      title={recordId === NEW_RECORD ? NEW_TITLES[kind] : trigger?.name || TITLES[kind]}
      may="updateTrigger"
      active={
        trigger && {
          checked: trigger.active,
          disabled: update.isPending,
          onChange: (active) => update.mutate(active),
        }
      }
    >
      {update.error !== null && <Failure error={update.error} />}
      {recordId === NEW_RECORD && (
        <SettingsForm builder={builder} kind={kind} trigger={undefined} onSaved={({ id }) => onCreated(id)} />
      )}
      {trigger !== undefined && <Existing key={trigger.id} builder={builder} trigger={trigger} />}
    </PanelFrame>
  );
}

function SettingsForm({ kind, trigger, ...props }: { kind: StoredKind } & TriggerFormProps<StoredKind>) {
  switch (kind) {
    case "rss":
      return <RssForm {...props} trigger={trigger as TriggerFormProps<"rss">["trigger"]} />;
    case "email":
      return <MailboxForm {...props} trigger={trigger as TriggerFormProps<"email">["trigger"]} />;
    case "app":
      return (
        <Suspense fallback={null}>
          <AppTriggerForm {...props} trigger={trigger as TriggerFormProps<"app">["trigger"]} />
        </Suspense>
      );
    case "chat":
      return (
        <ChatForm
          answeredBy={{ workflowId: props.builder.workflow.id }}
          name={props.builder.workflow.name}
          trigger={trigger as TriggerFormProps<"chat">["trigger"]}
          onSaved={props.onSaved}
        />
      );
  }
}

function Existing({ builder, trigger }: { builder: TriggerPanelProps["builder"]; trigger: StoredTrigger }) {
  const [tab, setTab] = useState<"settings" | "items">("settings");
  const remove = useTriggerMutation(() => deleteTrigger(trigger.id));
  const { kind } = trigger;
  return (
    <Tabs
      label={TITLES[kind]}
      value={tab}
      onChange={setTab}
      tabs={[
        { value: "settings", label: "Settings" },
        { value: "items", label: kind === "chat" ? "Recent runs" : "Recent items" },
      ]}
    >
      {tab === "settings" ? (
        <>
          <LiveNote builder={builder} />
          {kind === "chat" ? <ChatAddress trigger={trigger} /> : <LastCheck trigger={trigger} />}
          <ReadOnlyUnless may="updateTrigger">
            {kind === "chat" ? (
              <ChatTest builder={builder} />
            ) : (
              <TestInput
                label="Fetch test event"
                builder={builder}
                load={async () => (await readSample(trigger.id))?.input}
                empty={EMPTY[kind]}
              />
            )}
            <SettingsForm builder={builder} kind={kind} trigger={trigger} onSaved={() => undefined} />
            <InputFieldsEditor builder={builder} />
            <DeleteTrigger
              builder={builder}
              label="Delete trigger"
              question={`Delete this ${TITLES[kind].toLowerCase()} trigger?`}
              consequence={
                kind === "chat"
                  ? "Its address stops working and its conversations are deleted. Its runs are kept."
                  : "It starts no more runs. The workflow and its past runs are kept."
              }
              onDelete={() => remove.mutateAsync(undefined)}
            />
          </ReadOnlyUnless>
        </>
      ) : kind === "chat" ? (
        <RecentCalls workflowId={builder.workflow.id} trigger="chat" empty="Nobody has written yet." />
      ) : (
        <Items triggerId={trigger.id} />
      )}
    </Tabs>
  );
}

/** When the source was checked and will be, and what went wrong. */
function LastCheck({ trigger }: { trigger: StoredTrigger }) {
  const { lastCheckAt, nextCheckAt, lastError, failures } = trigger;
  return (
    <div className="stack tight">
      <p className="small muted">
        {lastCheckAt === null ? (
          "Not checked yet."
        ) : (
          <>
            Checked <Ago at={lastCheckAt} />.
          </>
        )}{" "}
        {nextCheckAt !== null && Date.parse(nextCheckAt) > Date.now() && (
          <>Next check at {dateTime(nextCheckAt)}.</>
        )}
      </p>
      {lastError !== null && (
        <div className={`notice ${lastError.code === "workflow_paused" ? "wait" : "bad"}`} role="status">
          {lastError.message}
          {failures > 1 && ` ${failures} checks failed in a row.`}
        </div>
      )}
    </div>
  );
}

function Items({ triggerId }: { triggerId: string }) {
  const items = useTriggerItems(triggerId);
  return (
    <RecordList
      list={items}
      empty={<Empty title="No items yet">New items are listed here with their runs.</Empty>}
    >
      {(list) => (
        <ul className="plain-list">
          {list.map(({ id, title, taskId, createdAt }) => (
            <li key={id} className="call-row">
              <span className="small grow ellipsis" title={title}>
                {title}
              </span>
              <span className="small muted">
                <Ago at={createdAt} />
              </span>
              {taskId === null ? (
                <span className="small muted">Not started</span>
              ) : (
                <Link className="small" href={`/runs/${taskId}`} aria-label={`Open run of ${title}`}>
                  Open run
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </RecordList>
  );
}
