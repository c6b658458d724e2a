import { useMutation, useQueryClient } from "@tanstack/react-query";

/** Refetches every query under `nouns` when the mutation settles, also after an error: a conflict means the page is stale. */
export function useApiMutation<Input, Output>(
  nouns: readonly string[],
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: mutate,
    onSuccess: (output) => onSuccess?.(output),
    onSettled: () => {
      for (const noun of nouns) void client.invalidateQueries({ queryKey: [noun] });
    },
  });
}
