import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { request } from "./client.ts";
import { useMay } from "./permissions.ts";

const PAUSE_MS = 400;
const KEPT_MS = 60_000;

export interface EvaluatedExpressions {
  /** By the JavaScript of the expression. */
  values: Record<string, JsonValue>;
  error: string | undefined;
}

/** The values of expressions, evaluated by the service once typing pauses. Undefined until they are known. */
export function useExpressionValues(call: string | undefined): EvaluatedExpressions | undefined {
  const [settled, setSettled] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(call), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [call]);
  const may = useMay();
  const { data } = useQuery({
    queryKey: ["expressions", settled],
    queryFn: () => evaluate(settled ?? ""),
    enabled: settled !== undefined && may("evaluateExpressions"),
    // The same expression with the same data has the same value, but for the time.
    staleTime: KEPT_MS,
    gcTime: KEPT_MS,
    retry: false,
  });
  return call !== undefined && settled === call ? data : undefined;
}

async function evaluate(call: string): Promise<EvaluatedExpressions> {
  const body = JSON.parse(call) as { expressions: string[] };
  const { values, error } = await request("evaluatedExpressions", "/api/expressions/evaluate", { body });
  return {
    values: Object.fromEntries((values ?? []).map((value, at) => [body.expressions[at], value as JsonValue])),
    error: error?.message,
  };
}
