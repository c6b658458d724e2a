import { useMutation, useQueryClient } from "@tanstack/react-query";

/** A change to what the service keeps; whatever shows one of the nouns reads it anew, also when the change was refused. */
export function useChange<Input, Output>(
  nouns: readonly string[],
  change: (input: Input) => Promise<Output>,
  then?: (output: Output) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (output) => then?.(output),
    onSettled: () => {
      for (const noun of nouns) void client.invalidateQueries({ queryKey: [noun] });
    },
  });
}
