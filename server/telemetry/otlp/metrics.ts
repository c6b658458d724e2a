import type { MetricObjectWithValues, MetricValue, Registry } from "prom-client";
import { keyValues, nanoseconds, type OtlpSource, resourceOf, scopeOf } from "./otlp-values.ts";

const CUMULATIVE = 2;

type Metric = MetricObjectWithValues<MetricValue<string> & { metricName?: string }>;

/** The body of `POST /v1/metrics`: the metrics of `/metrics` under the same names. */
export async function metricsMessage(
  source: OtlpSource,
  registry: Registry,
  startedAt: number,
  now: number,
): Promise<object> {
  const times = { startTimeUnixNano: nanoseconds(startedAt), timeUnixNano: nanoseconds(now) };
  const metrics = ((await registry.getMetricsAsJSON()) as Metric[])
    .filter(({ values }) => values.length > 0)
    .map((metric) => ({ name: metric.name, description: metric.help, ...dataOf(metric, times) }));
  return {
    resourceMetrics: [{ resource: resourceOf(source), scopeMetrics: [{ scope: scopeOf(source), metrics }] }],
  };
}

interface Times {
  startTimeUnixNano: string;
  timeUnixNano: string;
}

function dataOf({ type, values }: Metric, times: Times): object {
  const kind = String(type);
  if (kind === "histogram")
    return { histogram: { aggregationTemporality: CUMULATIVE, dataPoints: histogramPoints(values, times) } };
  const dataPoints = values.map(({ labels, value }) => ({
    attributes: keyValues(labels as Record<string, string>),
    ...times,
    asDouble: value,
  }));
  return kind === "counter"
    ? { sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } }
    : { gauge: { dataPoints } };
}

interface HistogramPoint {
  attributes: object[];
  bounds: number[];
  /** As in Prometheus: how many observations are not above each bound. */
  cumulative: number[];
  sum: number;
  count: number;
}

/** Prometheus has one value for every bound, the sum and the count; OTLP has one point with the counts between bounds. */
function histogramPoints(values: Metric["values"], times: Times): object[] {
  const points = new Map<string, HistogramPoint>();
  for (const { labels, value, metricName = "" } of values) {
    const { le, ...own } = labels as Record<string, string | number>;
    const key = JSON.stringify(own);
    let point = points.get(key);
    if (point === undefined) {
      point = { attributes: keyValues(own), bounds: [], cumulative: [], sum: 0, count: 0 };
      points.set(key, point);
    }
    if (metricName.endsWith("_sum")) point.sum = value;
    else if (metricName.endsWith("_count")) point.count = value;
    else if (le !== undefined && le !== "+Inf") {
      point.bounds.push(Number(le));
      point.cumulative.push(value);
    }
  }
  return [...points.values()].map(({ attributes, bounds, cumulative, sum, count }) => ({
    attributes,
    ...times,
    count: String(count),
    sum,
    explicitBounds: bounds,
    bucketCounts: [...cumulative, count].map((each, i) => String(each - (cumulative[i - 1] ?? 0))),
  }));
}
