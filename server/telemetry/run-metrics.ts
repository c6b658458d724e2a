import { Counter, Histogram, type Registry } from "prom-client";
import type { RunObserver } from "../engine/run-observer.ts";
import { boundLabels } from "./bound-labels.ts";

export type RunMetrics = RunObserver;

/** Types of steps, triggers and statuses are fixed lists; workflows are not labels, because users create any number. */
export function createRunMetrics(registry: Registry): RunMetrics {
  const registers = [registry];
  const runs = new Counter({
    name: "baton_runs_total",
    help: "Runs that ended, by outcome and trigger",
    labelNames: ["outcome", "trigger"],
    registers,
  });
  const seconds = new Histogram({
    name: "baton_run_seconds",
    help: "Time from the acceptance of a run to its end in seconds, waits included, by trigger",
    labelNames: ["trigger"],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600, 3600],
    registers,
  });
  const steps = new Histogram({
    name: "baton_step_seconds",
    help: "Duration of the steps that ended in seconds, by type and status",
    labelNames: ["type", "status"],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600],
    registers,
  });
  const retries = new Counter({
    name: "baton_step_retries_total",
    help: "Failed attempts of steps that are followed by another one, by type",
    labelNames: ["type"],
    registers,
  });
  const runsOf = boundLabels((outcome, trigger) => runs.labels(outcome!, trigger!));
  const secondsOf = boundLabels((trigger) => seconds.labels(trigger!));
  const stepsOf = boundLabels((type, status) => steps.labels(type!, status!));
  const retriesOf = boundLabels((type) => retries.labels(type!));
  return {
    runEnded(trigger, outcome, ms) {
      runsOf(outcome, trigger).inc();
      if (ms !== undefined) secondsOf(trigger).observe(ms / 1000);
    },
    stepEnded: (type, status, ms) => stepsOf(type, status).observe(ms / 1000),
    stepRetried: (type) => retriesOf(type).inc(),
  };
}
