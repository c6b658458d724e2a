import { Suspense, useState } from "react";
import { isLargeValue } from "../../api/large-values.ts";
import { useAttempts } from "../../api/tasks.ts";
import type { StepResult } from "../../api/types.ts";
import { errorText } from "../../flow/error-text.ts";
import { markdownSigns } from "../../flow/markdown-text.ts";
import { httpResponseOf, outputSize } from "../../flow/http-response.ts";
import { isConnectionError } from "../../flow/connection-error.ts";
import { isRowList } from "../../flow/value-shape.ts";
import { JsonView } from "../../ui/json-view.tsx";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { type SegmentOption, Segments } from "../../ui/segments.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { type Tab, Tabs } from "../../ui/tabs.tsx";
import { bytes, duration } from "../../ui/time.ts";
import { formatSpent } from "../../ui/tokens.ts";
import { LogLines } from "./log-lines.tsx";
import { AttemptList } from "./attempt-list.tsx";
import { ToolCallList } from "./tool-call-list.tsx";
import "./output.css";
import { ValueView, type ValueFormat } from "./value-view.tsx";

const ConnectionFix = lazyComponent(() => import("../connections/connection-fix.tsx"), "ConnectionFix");

const TEXT_FORMATS: SegmentOption<ValueFormat>[] = [
  { value: "formatted", label: "Formatted" },
  { value: "json", label: "Text" },
];
const VALUE_FORMATS: SegmentOption<ValueFormat>[] = [
  { value: "table", label: "Table" },
  { value: "json", label: "JSON" },
  { value: "schema", label: "Schema" },
];
/** Steps whose text is written by a model. */
const WRITTEN_BY_MODEL: ReadonlySet<string> = new Set(["agent", "llm"]);

function defaultFormat(value: unknown, stepType: string): ValueFormat {
  if (typeof value !== "string") return isRowList(value) ? "table" : "json";
  const signs = markdownSigns(value);
  const isMarkdown = WRITTEN_BY_MODEL.has(stepType) ? signs !== "none" : signs === "clear";
  return isMarkdown ? "formatted" : "json";
}

type OutputTab = "output" | "headers" | "tools" | "input" | "log" | "attempts";

interface OutputViewProps {
  result: StepResult;
  /** The run of the result; without it the attempts are not listed. */
  taskId?: string | undefined;
  /** The path of the step in the run, such as `each[2]/fetch`; the step id by default. */
  path?: string | undefined;
  /** The connection of the step: a refused credential is repaired in the error. */
  connectionId?: unknown;
  /** Offered once the connection works. */
  onRerun?: (() => void) | undefined;
}

/** What a step returned: status, time and size, the output, the HTTP response, its input and its attempts. */
export function OutputView({ result, taskId, path = result.stepId, connectionId, onRerun }: OutputViewProps) {
  const [tab, setTab] = useState<OutputTab>("output");
  const response = httpResponseOf(result);
  const value = result.output ?? response?.body ?? null;
  const [chosen, setFormat] = useState<ValueFormat>();
  const format = chosen ?? defaultFormat(value, result.type);
  const isWaiting = result.status === "waiting" || result.status === "waiting_approval";
  // A step that waits or failed has no output unless its server responded: its input is what helps.
  const hasOutput = (result.error === null && !isWaiting) || result.output !== null || response !== undefined;
  const tabs: Tab<OutputTab>[] = [
    ...(hasOutput ? [{ value: "output" as const, label: response === undefined ? "Output" : "Body" }] : []),
    ...(response === undefined
      ? []
      : [{ value: "headers" as const, label: "Headers", count: response.headers.length }]),
    ...(result.toolCalls === undefined
      ? []
      : [{ value: "tools" as const, label: "Tool calls", count: result.toolCalls.length }]),
    { value: "input", label: response === undefined ? "Input" : "Request" },
    ...(result.logs === undefined
      ? []
      : [{ value: "log" as const, label: "Log", count: result.logs.length }]),
    ...(taskId === undefined || result.attempts < 1
      ? []
      : [{ value: "attempts" as const, label: "Attempts", count: result.attempts }]),
  ];
  const open = tabs.some(({ value }) => value === tab) ? tab : (tabs[0]?.value ?? "input");
  return (
    <div className="output-view">
      <OutcomeLine result={result} />
      {result.error !== null && (
        <div className="notice bad" role="alert">
          <div>
            <p>{errorText(result.error.message, result.type)}</p>
            <p className="xs">
              Code <code>{result.error.code}</code>
            </p>
          </div>
        </div>
      )}
      {isConnectionError(result.error) && typeof connectionId === "string" && (
        <Suspense fallback={null}>
          <ConnectionFix connectionId={connectionId} onRerun={onRerun} />
        </Suspense>
      )}
      <Tabs
        label="Result"
        value={open}
        onChange={setTab}
        tabs={tabs}
        aside={
          open === "output" &&
          // Text without formatting has one way to be shown.
          (typeof value !== "string" || markdownSigns(value) !== "none") && (
            <Segments
              label="Show as"
              value={format}
              onChange={setFormat}
              options={typeof value === "string" ? TEXT_FORMATS : VALUE_FORMATS}
            />
          )
        }
      >
        {open === "output" && <ValueView value={value} format={format} />}
        {open === "headers" && <HeaderList headers={response?.headers ?? []} />}
        {open === "tools" && <ToolCallList calls={result.toolCalls ?? []} />}
        {open === "input" && <JsonView value={result.input} />}
        {open === "log" && <LogLines lines={result.logs ?? []} />}
        {open === "attempts" && taskId !== undefined && (
          <Attempts
            taskId={taskId}
            path={path}
            type={result.type}
            revision={`${result.status} ${result.attempts}`}
          />
        )}
      </Tabs>
    </div>
  );
}

/** Status, time, size, attempts and tokens on one line. */
export function OutcomeLine({ result }: { result: StepResult }) {
  const response = httpResponseOf(result);
  const spent = formatSpent(result["usage"], result["cost"]);
  const size = isLargeValue(result.output) ? result.output.bytes : outputSize(result.output);
  return (
    <div className="row wrap small muted outcome-line">
      {response === undefined ? (
        <StatusChip status={result.status} />
      ) : (
        <span className={`chip dot ${response.ok ? "ok" : "bad"}`} data-status={result.status}>
          {response.status} {response.statusText}
        </span>
      )}
      {result.durationMs !== null && <span>{duration(result.durationMs)}</span>}
      {size > 0 && <span>{bytes(size)}</span>}
      {result.attempts > 1 && <span className="wait-ink">{result.attempts} attempts</span>}
      {spent !== undefined && <span>{spent}</span>}
    </div>
  );
}

function HeaderList({ headers }: { headers: readonly (readonly [string, string])[] }) {
  return (
    <dl className="header-list">
      {headers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface AttemptsProps {
  taskId: string;
  path: string;
  type: string;
  revision: string;
}

function Attempts({ taskId, path, type, revision }: AttemptsProps) {
  return <AttemptList list={useAttempts(taskId, path, revision)} type={type} />;
}
