import { Link } from "wouter";
import {
  type MailFrequency,
  type NotificationKind,
  type NotificationSettings as Settings,
  useNotificationSettings,
  useSetNotificationSettings,
} from "../../api/notifications.ts";
import { useWorkspace } from "../../api/accounts.ts";
import { Screen } from "../../ui/screen.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Empty, Failure, Loaded } from "../../ui/states.tsx";
import { Switch } from "../../ui/switch.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { UnconfirmedEmail } from "../accounts/unconfirmed-email.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";

const KINDS: Record<NotificationKind, { label: string; about: string }> = {
  run_failed: { label: "Failed runs", about: "One notification for each workflow, step and error" },
  approval_requested: { label: "Approvals", about: "Steps that wait for your decision" },
  approval_blocked: {
    label: "Approvals without approvers",
    about: "Steps whose approvers were removed or disabled, for an admin to decide",
  },
  connection_problem: { label: "Connection problems", about: "Connections that stop working" },
  limit_reached: { label: "Limits", about: "Work that a limit of the workspace refuses" },
};

const FREQUENCIES: readonly { value: MailFrequency; label: string }[] = [
  { value: "immediate", label: "Immediately" },
  { value: "hourly", label: "Every hour" },
  { value: "daily", label: "Every day at 8:00 UTC" },
];

/** What a person receives in this workspace, and how. A change is saved at once. */
export function NotificationSettings() {
  const settings = useNotificationSettings();
  const { workspace } = useWorkspace();
  const about =
    workspace?.kind === "team"
      ? `What you receive from ${workspace.name}. Other members have their own settings.`
      : "What you receive from your personal workspace.";
  return (
    <Screen title="Settings">
      <div className="page stack">
        <SettingsTabs />
        <Loaded query={settings}>
          {({ settings: saved, receives, mail }) =>
            receives.length === 0 ? (
              <Empty title="Nothing to be notified of">
                Your role in this workspace is viewer. Operators and above are notified of what they can act
                on.
              </Empty>
            ) : (
              <>
                <p className="muted">{about}</p>
                {mail === "address_unconfirmed" && <UnconfirmedEmail />}
                <Matrix saved={saved} receives={receives} mail={mail} />
                <p className="muted">
                  To send notifications to a chat or another system, subscribe a URL in{" "}
                  <Link href="/settings/events">Events</Link>.
                </p>
              </>
            )
          }
        </Loaded>
      </div>
    </Screen>
  );
}

interface MatrixProps {
  saved: Settings;
  receives: readonly NotificationKind[];
  mail: "ready" | "address_unconfirmed" | "not_configured";
}

type Row = Settings["kinds"][number];

function Matrix({ saved, receives, mail }: MatrixProps) {
  const save = useSetNotificationSettings();
  const set = (row: Row, change: Partial<Row>): void =>
    save.mutate({
      ...saved,
      kinds: saved.kinds.map((each) => (each.kind === row.kind ? { ...each, ...change } : each)),
    });
  const hasMail = mail !== "not_configured";
  const columns: Column<Row>[] = [
    {
      title: "Notify me of",
      cell: ({ kind }) => (
        <>
          <b>{KINDS[kind].label}</b>
          <div className="small muted">{KINDS[kind].about}</div>
        </>
      ),
    },
    {
      title: "Page",
      cell: (row) => (
        <Switch
          name={`${KINDS[row.kind].label} on the page`}
          checked={row.page}
          onChange={(page) => set(row, { page })}
        />
      ),
    },
    {
      title: "Mail",
      cell: (row) => (
        <Switch
          name={`${KINDS[row.kind].label} by mail`}
          checked={hasMail && row.mail}
          disabled={!hasMail}
          onChange={(on) => set(row, { mail: on })}
        />
      ),
    },
  ];
  return (
    <>
      <Table
        columns={columns}
        rows={saved.kinds.filter(({ kind }) => receives.includes(kind))}
        keyOf={({ kind }) => kind}
      />
      {hasMail ? (
        <div className="row wrap">
          <span>Send emails</span>
          <Segments
            label="Send emails"
            value={saved.mailFrequency}
            options={FREQUENCIES}
            onChange={(mailFrequency) => save.mutate({ ...saved, mailFrequency })}
          />
        </div>
      ) : (
        <p className="muted">This service sends no mail: the operator has not set SMTP_URL and SMTP_FROM.</p>
      )}
      {save.error !== null && <Failure error={save.error} />}
    </>
  );
}
