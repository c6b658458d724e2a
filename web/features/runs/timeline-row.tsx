import { ChevronDown, ChevronRight, Zap } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";
import { stepIcon } from "../canvas/step-icons.ts";
import { type Segment, spanOf } from "../../flow/timeline.ts";
import { useTimeline } from "./timeline-context.ts";

/** The type of the row for what started the run. */
export const TRIGGER_TYPE = "trigger";

interface TimelineRowProps {
  path: string;
  /** The status as data, for styles and tests. */
  status: string;
  depth: number;
  title: ReactNode;
  /** Grey text after the title. */
  detail?: ReactNode;
  type?: string | undefined;
  /** The word for the status, as a chip or as text. */
  state: ReactNode;
  /** Duration or count. */
  amount: ReactNode;
  /** The amount counts items, which a phone shows, too. */
  isCount?: boolean;
  segments?: readonly Segment[];
  /** Whether rows below it can be shown. */
  expandable?: boolean;
  /** Buttons that appear in the row. */
  actions?: ReactNode;
  isLater?: boolean;
}

/** One line of the timeline: name, status, duration and the bar. */
export function TimelineRow(props: TimelineRowProps) {
  const { path, status, depth, title, detail, type, state, amount, segments = [], actions } = props;
  const { scale, selected, onSelect, isOpen, toggle } = useTimeline();
  const open = isOpen(path);
  const Icon = type === undefined ? undefined : type === TRIGGER_TYPE ? Zap : stepIcon(type);
  const classes = ["tl-row", selected === path && "on", props.isLater === true && "later"];
  return (
    <div
      className={classes.filter(Boolean).join(" ")}
      style={{ "--depth": depth } as CSSProperties}
      data-step={path}
      data-status={status}
    >
      <span className="tl-name">
        {props.expandable === true ? (
          <button
            type="button"
            className="tl-toggle"
            aria-expanded={open}
            aria-label={open ? "Hide details" : "Show details"}
            onClick={() => toggle(path)}
          >
            {open ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
          </button>
        ) : (
          <span className="tl-toggle" />
        )}
        <button
          type="button"
          className="tl-open"
          aria-pressed={selected === path}
          onClick={() => onSelect(path)}
        >
          {Icon !== undefined && (
            <span className="tl-icon">
              <Icon size={13} aria-hidden />
            </span>
          )}
          <span className="ellipsis">
            {title}
            {detail !== undefined && <span className="muted"> {detail}</span>}
          </span>
        </button>
        {actions}
      </span>
      <span className="tl-state">{state}</span>
      <span className={`tl-amount${props.isCount === true ? " tl-count" : ""}`}>{amount}</span>
      <span className="tl-bar" aria-hidden>
        {segments.map(({ kind, left, width }, index) => (
          <i key={index} className={kind} style={{ left: `${left}%`, width: `${width}%` }} />
        ))}
        {scale.breaks.map(({ from, to }) => {
          const { left, width } = spanOf(scale, from, to);
          return <i key={from} className="break" style={{ left: `${left}%`, width: `${width}%` }} />;
        })}
      </span>
    </div>
  );
}
